//! `mawe completions` and `mawe manual`: the command line for a shell and for `man`, from the definitions of its options.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::output::{Failure, print};

/// `mawe completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsOptions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// `mawe manual`.
#[derive(Debug, Args)]
pub(super) struct ManualOptions {
    /// The directory of the pages, which is made where it is missing: `mawe.1` and one page for each command
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Prints the script that completes words of this command line.
pub(super) fn completions(
    options: &CompletionsOptions,
    mut command: Command,
) -> Result<(), Failure> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Writes the pages of the manual.
pub(super) fn manual(options: &ManualOptions, command: Command) -> Result<(), Failure> {
    let directory = &options.directory;
    std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command, directory))
        .map_err(|error| {
            Failure::Failed(format!(
                "{}: cannot write the pages: {error}",
                directory.display()
            ))
        })
}

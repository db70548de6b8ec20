//! `mawe backup` and `mawe restore`: writing the embedded database to one file, and restoring it.

use std::path::PathBuf;

use clap::Args;
use mawe_store::backup::{self, BackupError};

use crate::admin::api::{Ask, BackupView};
use crate::cli::desk::DeskOptions;
use crate::cli::output::{Failure, print, runtime};
use crate::cli::progress;
use crate::clock::unix_ms;

/// `mawe backup`.
#[derive(Debug, Args)]
pub(super) struct BackupOptions {
    /// The file to write, on the machine of the server, as its user
    file: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    desk: DeskOptions,
}

/// `mawe restore`.
#[derive(Debug, Args)]
pub(super) struct RestoreOptions {
    /// A file that `mawe backup` wrote
    file: PathBuf,
    /// Rename an existing database, and print its new name
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    desk: DeskOptions,
}

pub(super) fn backup(options: &BackupOptions) -> Result<(), Failure> {
    // The path must be absolute: the current directory of the server is another.
    let file = std::path::absolute(&options.file)
        .map_err(|error| Failure::BadInput(format!("{}: {error}", options.file.display())))?;
    let force = options.force;
    let written: BackupView = options.desk.ask(&Ask::Backup { file, force })?;
    options.desk.tell(&[written], |written| {
        format!(
            "{} is written: {} bytes",
            written.file.display(),
            written.size_bytes
        )
    })
}

pub(super) fn restore(options: &RestoreOptions) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let url = options.desk.store.url();
    let Some(database) = url.strip_prefix("sqlite:") else {
        return Err(failed(&BackupError::Postgres));
    };
    let restoring = backup::restore(&options.file, database.as_ref(), options.replace, unix_ms());
    let restored = runtime()?.block_on(progress::awaited("restoring", restoring));
    match restored.map_err(|error| failed(&error))? {
        None => print(&format!("{database} is restored\n")),
        Some(aside) => print(&format!(
            "{database} is restored; what was there before is {}\n",
            aside.display()
        )),
    }
}

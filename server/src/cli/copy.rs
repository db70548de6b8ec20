//! `mawe copy`: all tables of one database into another.

use clap::Args;
use indicatif::ProgressBar;
use mawe_store::recount::Recount;
use mawe_store::transfer::{self, Step};

use crate::cli::output::{Failure, print, runtime};
use crate::cli::progress;

const BAR: &str = "{msg:10} {wide_bar} {percent:>3}%  {human_pos} of {human_len} rows, {eta} left";

/// `mawe copy`.
#[derive(Debug, Args)]
pub(super) struct CopyOptions {
    /// The database to copy: sqlite:FILE or postgres://user:password@host/name; no server may use it
    #[arg(
        long,
        env = "MAWE_COPY_FROM",
        value_name = "URL",
        hide_env_values = true
    )]
    from: String,
    /// An empty database of either kind, or the copy that was interrupted
    #[arg(long, env = "MAWE_COPY_TO", value_name = "URL", hide_env_values = true)]
    to: String,
}

pub(super) fn run(options: &CopyOptions) -> Result<(), Failure> {
    let bar = progress::bar(0, BAR);
    let tell = |step: Step<'_>| tell(&bar, step);
    let copying = transfer::run(&options.from, &options.to, &tell);
    let ratings = runtime()?.block_on(copying);
    bar.finish_and_clear();
    let Recount {
        matches,
        differences,
        unlisted,
        ..
    } = ratings.map_err(|error| Failure::Failed(error.to_string()))?;
    match differences.len() as u64 + unlisted {
        0 => print(&format!(
            "the ratings agree with the journals of {matches} matches\n"
        )),
        number => Err(Failure::Failed(format!(
            "the copy is finished; {number} ratings and results differ from the journals in it, as they do in the source: see `mawe admin ratings check`"
        ))),
    }
}

/// Shows a step: a line for each table on standard output, and the bar.
fn tell(bar: &ProgressBar, step: Step<'_>) {
    // A reader that has closed standard output does not end a copy.
    let line = |line: String| bar.suspend(|| print(&line).unwrap_or_default());
    match step {
        Step::Begun { rows, copied } => {
            if copied > 0 {
                line(format!(
                    "the copy goes on: {copied} of {rows} rows are there\n"
                ));
            }
            bar.set_message("copying");
            bar.set_length(rows);
            bar.set_position(copied);
            bar.reset_eta();
        }
        Step::Rows(rows) => bar.inc(rows),
        Step::Copied { table, rows } => line(format!("{table}: {rows} rows\n")),
        Step::Comparing => {
            bar.set_message("comparing");
            bar.set_position(0);
            bar.reset_eta();
        }
        Step::Finished => {
            line(
                "all tables are equal: the copy is finished, and a server can start on it\n"
                    .to_owned(),
            );
            bar.finish_and_clear();
        }
    }
}

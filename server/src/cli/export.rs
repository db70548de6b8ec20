//! `mawe export`: all finished matches as records, one JSON object a line.

use std::io::Write;

use clap::Args;

use crate::cli::output::{Failure, output_failed, runtime};
use crate::cli::progress;
use crate::config::StoreOptions;
use crate::live::export::{self, MatchRecord};

/// The number of matches fetched at once.
const PAGE: u32 = 200;

const BAR: &str = "{wide_bar} {human_pos} of {human_len} matches, {eta} left";

/// `mawe export`.
#[derive(Debug, Args)]
pub(super) struct ExportOptions {
    /// Only matches of this game kind, as `mawe replay GAME` reads them
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    store: StoreOptions,
}

/// Writes the matches in the order of their ids, including private ones, as the operator may see all.
pub(super) fn run(options: &ExportOptions) -> Result<(), Failure> {
    let game = options
        .game
        .as_deref()
        .map(super::rules::kind)
        .transpose()?;
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    runtime()?.block_on(async {
        let store = mawe_store::open_to_read(&options.store.url())
            .await
            .map_err(|error| failed(&error))?;
        let bar = progress::bar_of_results(0, BAR);
        if !bar.is_hidden() {
            let matches = store.count_finished_matches().await;
            bar.set_length(matches.map_err(|error| failed(&error))?);
        }
        let mut output = std::io::stdout().lock();
        let mut after = None;
        loop {
            let rows = store
                .finished_matches(after.as_ref(), PAGE)
                .await
                .map_err(|error| failed(&error))?;
            let Some(last) = rows.last() else { break };
            after = Some(last.id.clone());
            let mut lines = Vec::new();
            bar.inc(rows.len() as u64);
            for row in rows {
                if game.is_none_or(|game| game == row.game) {
                    let view = export::finished(store.as_ref(), row)
                        .await
                        .map_err(|error| failed(&error))?;
                    MatchRecord::from_view(&view).write_line(&mut lines);
                }
            }
            if let Err(error) = output.write_all(&lines) {
                return output_failed(error);
            }
        }
        bar.finish_and_clear();
        store.close().await;
        Ok(())
    })
}

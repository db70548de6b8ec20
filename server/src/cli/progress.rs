//! The progress of a command on a terminal. It is drawn on standard error, and there only on a terminal: elsewhere nothing of it is in the
//! output.

use std::io::{IsTerminal, stdout};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The interval at which progress is drawn though nothing has changed.
const TICK: Duration = Duration::from_millis(250);

/// The time after which a command of unknown length says that it goes on.
const SOON: Duration = Duration::from_secs(1);

const UNKNOWN: &str = "{spinner} {msg}, {elapsed}";

/// Returns a bar over a number of things, in this form.
pub(super) fn bar(length: u64, form: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    bar.set_style(style(form));
    bar.enable_steady_tick(TICK);
    bar
}

/// Returns a bar as [`bar`] does for a command that prints results one by one: on a terminal these show its progress themselves.
pub(super) fn bar_of_results(length: u64, form: &str) -> ProgressBar {
    match stdout().is_terminal() {
        true => ProgressBar::hidden(),
        false => bar(length, form),
    }
}

fn style(form: &str) -> ProgressStyle {
    ProgressStyle::with_template(form).expect("the template is right")
}

/// Awaits work of unknown length. After a second a line says that it goes on, and for how long.
pub(super) async fn awaited<T>(what: &'static str, work: impl Future<Output = T>) -> T {
    tokio::pin!(work);
    tokio::select! {
        done = &mut work => return done,
        () = tokio::time::sleep(SOON) => {}
    }
    let line = ProgressBar::new_spinner();
    line.set_style(style(UNKNOWN));
    line.set_message(what);
    line.enable_steady_tick(TICK);
    let done = work.await;
    line.finish_and_clear();
    done
}

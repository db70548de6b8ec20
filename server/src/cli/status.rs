//! `mawe status`: the state of the running server.

use clap::Args;

use crate::admin::api::{Ask, StatusView};
use crate::cli::desk::DeskOptions;
use crate::cli::output::Failure;

/// `mawe status`.
#[derive(Debug, Args)]
pub(super) struct StatusOptions {
    #[command(flatten)]
    desk: DeskOptions,
}

pub(super) fn run(options: &StatusOptions) -> Result<(), Failure> {
    let status: StatusView = options.desk.ask_running(&Ask::Status)?;
    options.desk.tell(&[status], text)
}

fn text(status: &StatusView) -> String {
    let StatusView {
        version,
        database,
        players,
        guests,
        sockets,
        connections,
        connections_limit,
        matches,
        queues,
        sizes,
        ..
    } = status;
    let ready = match status.ready {
        true => "ready",
        false => "not ready",
    };
    let number = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    let (running, realtime) = (number(matches.running), number(matches.realtime));
    let nodes = match status.nodes.len() {
        0 => "alone".to_owned(),
        count => format!("{count}: {}", status.nodes.join(", ")),
    };
    let nats = match status.nats_connected {
        None => "",
        Some(true) => "; NATS is connected",
        Some(false) => "; NATS is away",
    };
    let last = status
        .last_backup_at
        .map_or_else(|| "none is known".to_owned(), |at| format!("{at:.0}"));
    let backup = match status.backup_every_s {
        None => last,
        Some(every_s) => format!(
            "{last}; one every {} min, {} failed since the start",
            every_s / 60,
            status.backups_failed
        ),
    };
    let lines = [
        format!(
            "server    mawe {version} on {database}, {ready}, up {}",
            uptime(status.uptime_s)
        ),
        format!("people    {players} players online on all nodes, {guests} guests on this one"),
        format!("sockets   {sockets}; {connections} of {connections_limit} connections"),
        format!(
            "matches   {running} running, {realtime} of them realtime; {} open here",
            matches.open
        ),
        format!(
            "queues    journal {}, passwords {}, pools {}, bots {} waiting and {} thinking, push {}",
            queues.journal,
            queues.passwords,
            queues.pools,
            queues.bots,
            queues.bots_running,
            queues.push
        ),
        format!(
            "sizes     database {}, its log {}, disk {} free of {}",
            size(sizes.database),
            size(sizes.wal),
            size(sizes.disk_free),
            size(sizes.disk)
        ),
        format!("nodes     {nodes}{nats}"),
        format!("backup    {backup}"),
    ];
    lines.join("\n")
}

fn uptime(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes} min"),
        (0, _) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

/// Returns a size with a unit, in thousands as disks have them.
fn size(bytes: Option<u64>) -> String {
    match bytes {
        None => "?".to_owned(),
        Some(bytes @ ..1_000_000) => format!("{} kB", bytes / 1_000),
        Some(bytes @ ..1_000_000_000) => {
            format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
        }
        Some(bytes) => format!("{}.{} GB", bytes / 1_000_000_000, bytes / 100_000_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!(size(Some(999_999)), "999 kB");
        assert_eq!(size(Some(1_250_000)), "1.2 MB");
        assert_eq!(size(Some(20_100_000_000)), "20.1 GB");
        assert_eq!(size(None), "?");
        assert_eq!(uptime(59), "0 min");
        assert_eq!(uptime(3_600 + 120), "1 h 2 min");
        assert_eq!(uptime(3 * 86_400 + 7_200), "3 d 2 h");
    }
}

//! Backups of the embedded database on a timetable, written by the server itself, and the removal of old ones.
//!
//! The time of a backup is in its name, so that a server that starts anew knows the last one. Files of other names are left alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use mawe_store::{backup, private};
use tokio::sync::watch;

use super::refusal::Refused;
use super::upkeep;
use crate::app::App;

/// The directory of the backups in the data directory, if the operator names no other.
const DIRECTORY: &str = "backups";

/// The form of a backup's name: its time, to the millisecond.
const NAME: &str = "mawe-%Y-%m-%dT%H-%M-%S%.3fZ.backup";

/// The shortest and the longest interval of the option.
const SHORTEST: Duration = Duration::from_secs(60);
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// The longest wait until the next look at the time of day, which the operator may set.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// The longest wait after a backup that failed.
const AGAIN: Duration = Duration::from_secs(600);

/// The options of the timetable.
#[derive(Debug, Clone, Args)]
pub struct TimetableOptions {
    /// The time between two backups that the server writes of the embedded database by itself, such as 24h or 30m [default: it writes none]
    #[arg(long, env = "MAWE_BACKUP_EVERY", value_name = "TIME", value_parser = interval)]
    backup_every: Option<Duration>,
    /// The number of these backups that are kept; older ones are removed when a new one is written
    #[arg(
        long,
        env = "MAWE_BACKUP_KEEP",
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=1_000),
        default_value_t = 7
    )]
    backup_keep: u16,
    /// The directory of these backups, better on another disk [default: backups in the data directory]
    #[arg(long, env = "MAWE_BACKUP_TO", value_name = "DIR")]
    backup_to: Option<PathBuf>,
}

/// A timetable of backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timetable {
    /// The time between two backups.
    pub every: Duration,
    /// The number of backups that are kept.
    pub keep: usize,
    /// The directory of the backups.
    pub directory: PathBuf,
}

/// Parses an interval.
fn interval(text: &str) -> Result<Duration, String> {
    let parsed = text
        .parse()
        .ok()
        .and_then(|parsed: SignedDuration| Duration::try_from(parsed).ok());
    parsed
        .filter(|every| (SHORTEST..=LONGEST).contains(every))
        .ok_or_else(|| "give a time from 1m to 8784h, such as 24h or 30m".to_owned())
}

impl TimetableOptions {
    /// Returns the timetable for this store, if there is one.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn resolve(
        self,
        store_url: &str,
        data_dir: &Path,
    ) -> Result<Option<Timetable>, String> {
        let Some(every) = self.backup_every else {
            return Ok(None);
        };
        if !store_url.starts_with("sqlite:") {
            return Err(
                "backup-every is for the embedded database; of Postgres take backups with its own programs, as docs/operating.md shows"
                    .to_owned(),
            );
        }
        Ok(Some(Timetable {
            every,
            keep: self.backup_keep.into(),
            directory: self.backup_to.unwrap_or_else(|| data_dir.join(DIRECTORY)),
        }))
    }
}

/// Writes backups until the server stops. `now_ms` returns the time of day in milliseconds since the Unix epoch.
pub async fn run(
    app: App,
    timetable: Timetable,
    now_ms: fn() -> i64,
    mut stopped: watch::Receiver<bool>,
) {
    let timetable = Arc::new(timetable);
    {
        // Not while an operator's command writes one.
        let _alone = app.backing_up.lock().await;
        let timetable = Arc::clone(&timetable);
        let removed = tokio::task::spawn_blocking(move || remove_unfinished(&timetable.directory));
        if let Ok(Err(error)) = removed.await {
            tracing::warn!(%error, "the unfinished backups of a killed server could not be removed");
        }
    }
    app.meters.backups.note_timetable(timetable.every);
    let every_ms = millis(timetable.every);
    let mut not_before_ms = i64::MIN;
    loop {
        let now = now_ms();
        // A time to come is that of a clock which was wrong.
        let last = newest(&timetable, now).await;
        if let Some(last) = last {
            app.meters.backups.note(last);
        }
        let due_ms = due_ms(now, last, every_ms, not_before_ms);
        let wait = Duration::from_millis(due_ms.saturating_sub(now).max(0).unsigned_abs());
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(wait.min(LOOK_EVERY)) => {}
        }
        if !wait.is_zero() {
            continue;
        }
        let done = tokio::select! {
            // The unfinished file is removed.
            _ = stopped.wait_for(|stopped| *stopped) => return,
            done = write(&app, &timetable, now) => done,
        };
        match done {
            Ok((file, removed)) => tracing::info!(
                "backup {} is written, {removed} old ones are removed",
                file.display()
            ),
            Err(error) => {
                app.meters.backups.note_failure();
                tracing::error!(%error, "the backup on the timetable failed; it is tried again");
                not_before_ms = now.saturating_add(again_ms(every_ms));
            }
        }
    }
}

/// Returns the time of the next backup: at once without one, else an interval after the last one; after a failure not before a given time.
fn due_ms(now_ms: i64, last_ms: Option<i64>, every_ms: i64, not_before_ms: i64) -> i64 {
    let due_ms = last_ms.map_or(i64::MIN, |last| last.saturating_add(every_ms));
    // The clock may have been set back since the failure.
    due_ms.max(not_before_ms.min(now_ms.saturating_add(again_ms(every_ms))))
}

/// Returns the time after which a failed backup is tried again.
fn again_ms(every_ms: i64) -> i64 {
    every_ms.min(millis(AGAIN))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Writes a backup, and then removes old ones; returns its path, and the number of those removed.
async fn write(
    app: &App,
    timetable: &Arc<Timetable>,
    now_ms: i64,
) -> Result<(PathBuf, usize), Refused> {
    let failed = |error: &dyn std::fmt::Display| {
        let directory = timetable.directory.display();
        Refused::Failed(format!("{directory}: {error}"))
    };
    let file = timetable.directory.join(name_at(now_ms));
    private::make_directory(&timetable.directory).map_err(|error| failed(&error))?;
    let bytes = app.store.database_bytes().await.unwrap_or_default();
    if !backup::has_room(&timetable.directory, bytes) {
        return Err(failed(
            &"no room for a copy of the database beside the free space that running matches need",
        ));
    }
    upkeep::backup(app, file.clone(), false).await?;
    let cleared = Arc::clone(timetable);
    let removed = tokio::task::spawn_blocking(move || remove_old(&cleared, now_ms)).await;
    let removed = removed.map_err(|error| failed(&error))?;
    Ok((file, removed.map_err(|error| failed(&error))?))
}

fn name_at(at_ms: i64) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    at.strftime(NAME).to_string()
}

/// Returns the time in the name of a backup, if it is one of the timetable's.
fn time_of(name: &str) -> Option<i64> {
    let at = DateTime::strptime(NAME, name).ok()?;
    let at_ms = at
        .to_zoned(TimeZone::UTC)
        .ok()?
        .timestamp()
        .as_millisecond();
    // Only a name that this program writes.
    (name_at(at_ms) == name).then_some(at_ms)
}

/// Returns the time of the newest backup that is not later than now.
async fn newest(timetable: &Arc<Timetable>, now_ms: i64) -> Option<i64> {
    let timetable = Arc::clone(timetable);
    let found = tokio::task::spawn_blocking(move || backups(&timetable.directory)).await;
    let times = found.ok()?.ok()?.into_iter().map(|(at_ms, _)| at_ms);
    times.filter(|at_ms| *at_ms <= now_ms).max()
}

/// Returns the backups of a timetable in a directory, the oldest first.
fn backups(directory: &Path) -> io::Result<Vec<(i64, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let at_ms = entry.file_name().to_str().and_then(time_of);
        if let Some(at_ms) = at_ms.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file())) {
            found.push((at_ms, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// Removes the backups that a killed server has left unfinished.
fn remove_unfinished(directory: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if name
            .to_str()
            .is_some_and(|name| name.starts_with(backup::UNFINISHED))
        {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Removes all backups but the newest; returns their number. Backups of a time to come, by a clock that was wrong, go first: otherwise a new
/// one would give way to them.
fn remove_old(timetable: &Timetable, now_ms: i64) -> io::Result<usize> {
    let mut found = backups(&timetable.directory)?;
    found.sort_by_key(|(at_ms, _)| (*at_ms <= now_ms, *at_ms));
    let old = found.len().saturating_sub(timetable.keep);
    for (_, file) in found.into_iter().take(old) {
        fs::remove_file(file)?;
    }
    Ok(old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_is_due_after_its_interval_and_after_a_failure_soon() {
        let (now, hour, never) = (1_000_000_000, 3_600_000, i64::MIN);
        let again = millis(AGAIN);
        assert!(again < hour);
        assert!(due_ms(now, None, hour, never) <= now);
        assert_eq!(due_ms(now, Some(now), hour, never), now + hour);
        assert!(due_ms(now, Some(now - hour), hour, never) <= now);
        // A failure: not at once, though the last one is old.
        assert_eq!(
            due_ms(now, Some(now - 2 * hour), hour, now + again),
            now + again
        );
        assert_eq!(due_ms(now, None, hour, now + again), now + again);
        // The clock was ahead at the failure.
        assert_eq!(due_ms(now, None, hour, now + 9 * hour), now + again);
        assert_eq!(due_ms(now, None, 1_000, now + hour), now + 1_000);
    }

    #[test]
    fn an_interval_is_a_time_within_bounds() {
        assert_eq!(interval("24h"), Ok(Duration::from_secs(86_400)));
        assert_eq!(interval("90m"), Ok(Duration::from_secs(5_400)));
        for wrong in ["", "24", "59s", "-2h", "9000h", "soon"] {
            assert!(interval(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_name_of_a_backup_has_its_time_and_other_names_have_none() {
        let at_ms = 1_764_212_400_123;
        let name = name_at(at_ms);
        assert_eq!(name, "mawe-2025-11-27T03-00-00.123Z.backup");
        assert_eq!(time_of(&name), Some(at_ms));
        for other in [
            "mawe.backup",
            "mawe-2025-11-27.backup",
            "mawe-2025-11-27T03-00-00.123Z.backup.old",
            "mawe-2025-11-27T3-00-00.123Z.backup",
            ".mawe-backup-x1y2",
        ] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }

    #[test]
    fn the_newest_backups_are_kept_and_other_files_are_left_alone() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = |name: &str| directory.path().join(name);
        for at_ms in [5_000, 1_000, 4_000, 3_000, 2_000] {
            fs::write(path(&name_at(at_ms)), "x").expect("it can be written");
        }
        fs::write(path("mine.backup"), "x").expect("it can be written");
        fs::write(path(".mawe-backup-x1y2"), "x").expect("it can be written");
        remove_unfinished(directory.path()).expect("it can be read");
        assert!(!path(".mawe-backup-x1y2").exists());
        remove_unfinished(&path("nothing")).expect("it need not be there");
        fs::create_dir(path(&name_at(500))).expect("it can be made");
        let timetable = Timetable {
            every: SHORTEST,
            keep: 2,
            directory: directory.path().to_owned(),
        };
        assert_eq!(remove_old(&timetable, 5_000).expect("it can be read"), 3);
        let kept = backups(directory.path()).expect("it can be read");
        let kept: Vec<i64> = kept.into_iter().map(|(at_ms, _)| at_ms).collect();
        assert_eq!(kept, [4_000, 5_000]);
        assert!(path("mine.backup").exists() && path(&name_at(500)).is_dir());
        assert_eq!(remove_old(&timetable, 5_000).expect("it can be read"), 0);
        // The clock was ahead when the others were written.
        fs::write(path(&name_at(1_000)), "x").expect("it can be written");
        assert_eq!(remove_old(&timetable, 1_000).expect("it can be read"), 1);
        let kept = backups(directory.path()).expect("it can be read");
        let kept: Vec<i64> = kept.into_iter().map(|(at_ms, _)| at_ms).collect();
        assert_eq!(kept, [1_000, 5_000]);
    }
}

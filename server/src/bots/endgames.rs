//! The endgame databases in the data directory: a folder of slices, made by `mawe solve`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use mawe_ai::Endgames;
use mawe_ai::endgame::{
    CheckersDatabase, Database, DraughtsDatabase, HEADER_BYTES, KalahDatabase, OwareDatabase,
    Progress, Slice, decode, header,
};
use mawe_rules::GameKind;
use mawe_rules::games::draughts::{Brazilian, Drafti, Pool, Russian};
use mawe_store::backup;

use crate::bots::priority::give_way;

/// The name of the folder in the data directory.
const FOLDER: &str = "endgame";

/// The greatest number of bytes of one game that are loaded: a limit on the memory that computer opponents take.
const MOST_BYTES: usize = 256 << 20;

/// The pieces of checkers and draughts and the seeds of Kalah and Oware up to which a server makes its databases by itself: half a minute of
/// processor time.
const USUAL_PIECES: u8 = 4;
const USUAL_KALAH_SEEDS: u8 = 15;
const USUAL_OWARE_SEEDS: u8 = 11;

/// The disk space that they take, and some more.
const USUAL_BYTES: u64 = 64 << 20;

/// The option of the databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct EndgameOptions {
    /// Make the small endgame databases of checkers, draughts, Kalah and Oware that the data directory lacks, in the background after the
    /// start: half a minute of processor time and 52 MB of disk, once
    #[arg(
        long,
        env = "MAWE_SOLVE_ENDGAMES",
        num_args = 0..=1,
        default_missing_value = "true",
        default_value_t = true,
        action = clap::ArgAction::Set
    )]
    pub solve_endgames: bool,
}

/// The folder of the slices.
#[derive(Debug, Clone)]
pub struct EndgameStore {
    folder: PathBuf,
}

/// An error when a slice is loaded.
#[derive(Debug, thiserror::Error)]
pub enum SliceError {
    /// The file does not exist.
    #[error("there is none")]
    NotMade,
    /// The file cannot be used: one line with its name and the fault.
    #[error("{0}")]
    Bad(String),
}

/// A slice was solved, and cannot be saved.
#[derive(Debug, thiserror::Error)]
#[error("{path} cannot be written: {error}", path = path.display())]
pub struct Unsaved {
    path: PathBuf,
    error: io::Error,
}

/// The result of loading the slices of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The number of slices in use.
    pub slices: usize,
    /// The number of positions in these slices.
    pub positions: usize,
    /// The faults of files, one line each.
    pub complaints: Vec<String>,
}

impl EndgameStore {
    /// Returns the store of a data directory, which need not exist.
    #[must_use]
    pub fn new(data_dir: &Path) -> Self {
        Self {
            folder: data_dir.join(FOLDER),
        }
    }

    /// Returns the path of a slice.
    #[must_use]
    pub fn path(&self, slice: Slice) -> PathBuf {
        self.folder.join(slice.file_name())
    }

    /// Loads a slice into a database.
    ///
    /// # Errors
    /// [`SliceError`]; the database is unchanged then.
    pub fn load<D: Database>(&self, slice: Slice, database: &mut D) -> Result<(), SliceError> {
        let path = self.path(slice);
        let bad = |why: &dyn std::fmt::Display| {
            SliceError::Bad(format!(
                "{} is not used: {why}; `mawe solve {}` makes it anew",
                path.display(),
                slice.kind().id()
            ))
        };
        // A file that is too long is not read.
        let most = (HEADER_BYTES + D::length(slice)) as u64;
        match fs::metadata(&path) {
            Ok(file) if file.len() > most => {
                return Err(bad(&format!("it has {} bytes, not {most}", file.len())));
            }
            Ok(_) => (),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(SliceError::NotMade);
            }
            Err(error) => return Err(bad(&error)),
        }
        let bytes = fs::read(&path).map_err(|error| bad(&error))?;
        let values = decode(slice, D::length(slice), bytes).map_err(|error| bad(&error))?;
        match database.insert(slice, values) {
            true => Ok(()),
            false => Err(bad(
                &"it holds what is no value, or a slice before it is missing",
            )),
        }
    }

    /// Saves a slice: under a temporary name first, so that a file with the final name is complete. A file that cannot be completed is
    /// removed.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn save(&self, slice: Slice, values: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(slice);
        let part = path.with_extension("part");
        let write = || {
            let mut file = File::create(&part)?;
            file.write_all(&header(slice, values))?;
            file.write_all(values)?;
            file.sync_all()?;
            fs::rename(&part, &path)
        };
        let written = write();
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&part);
        }
        written
    }

    /// Loads slices that depend on each other or, if one is missing or spoilt, solves and saves them; all slices before them must be in
    /// the database. Returns whether they were kept from before. Passes lines about unusable files to `say`, and the progress to `told`.
    ///
    /// # Errors
    /// [`Unsaved`].
    pub fn ensure<D: Database>(
        &self,
        slices: &[Slice],
        threads: usize,
        database: &mut D,
        mut say: impl FnMut(&str),
        told: &mut dyn FnMut(Progress),
    ) -> Result<bool, Unsaved> {
        let is_kept = slices
            .iter()
            .all(|slice| match self.load(*slice, database) {
                Ok(()) => true,
                Err(SliceError::NotMade) => false,
                Err(SliceError::Bad(line)) => {
                    say(&line);
                    false
                }
            });
        if is_kept {
            return Ok(true);
        }
        database.solve(slices, threads, told);
        for slice in slices {
            let values = database.data(*slice).expect("it was solved just now");
            self.save(*slice, values).map_err(|error| Unsaved {
                path: self.path(*slice),
                error,
            })?;
        }
        Ok(false)
    }

    /// As [`ensure`](EndgameStore::ensure) for a whole database up to a number of pieces or seeds, on one thread. Returns whether a slice
    /// was made.
    fn complete<D: Database>(&self, up_to: u8) -> Result<bool, Unsaved> {
        let mut database = D::default();
        let mut is_new = false;
        for slices in D::plan(up_to) {
            let say = |line: &str| tracing::warn!("{line}");
            is_new |= !self.ensure(&slices, 1, &mut database, say, &mut |_| ())?;
        }
        Ok(is_new)
    }

    /// Loads all slices of a game up to the limit of bytes.
    fn load_all<D: Database>(&self) -> (D, Found) {
        let mut database = D::default();
        let mut found = Found {
            slices: 0,
            positions: 0,
            complaints: Vec::new(),
        };
        for slice in D::plan(D::LARGEST).into_iter().flatten() {
            let length = D::length(slice);
            if found.positions + length > MOST_BYTES {
                continue;
            }
            match self.load(slice, &mut database) {
                Ok(()) => {
                    found.slices += 1;
                    found.positions += length;
                }
                Err(SliceError::NotMade) => (),
                Err(SliceError::Bad(line)) => found.complaints.push(line),
            }
        }
        (database, found)
    }

    /// Loads the slices of a game, and passes the result to `note`.
    fn load_noted<D: Database>(&self, note: &mut impl FnMut(GameKind, Found)) -> Arc<D> {
        let (database, found) = self.load_all();
        note(D::KIND, found);
        Arc::new(database)
    }

    /// Loads the slices of all games. Returns also the lines to print: one for each game with slices, and one for each game with a file
    /// that cannot be used.
    #[must_use]
    pub fn open(&self) -> (Endgames, Vec<Found>, Vec<String>) {
        let mut all = Vec::new();
        let mut lines = Vec::new();
        let mut note = |kind: GameKind, found: Found| {
            if found.slices > 0 {
                lines.push(format!(
                    "endgames of {kind}: {} slices, {} positions, from {}",
                    found.slices,
                    found.positions,
                    self.folder.display()
                ));
            }
            // Only the first fault: later slices depend on the one that is missing.
            lines.extend(found.complaints.first().cloned());
            all.push(found);
        };
        let endgames = Endgames {
            checkers: self.load_noted(&mut note),
            drafti: self.load_noted(&mut note),
            brazilian: self.load_noted(&mut note),
            russian: self.load_noted(&mut note),
            pool: self.load_noted(&mut note),
            kalah: self.load_noted(&mut note),
            oware: self.load_noted(&mut note),
        };
        (endgames, all, lines)
    }
}

/// Gives all engines of this process the endgame databases of a data directory, and passes lines about them and about unusable files to
/// `say`.
pub fn install(data_dir: &Path, mut say: impl FnMut(&str)) {
    let (endgames, _, lines) = EndgameStore::new(data_dir).open();
    for line in &lines {
        say(line);
    }
    mawe_ai::Knowledge::install(&endgames);
}

/// Makes the usual databases that a data directory lacks. Returns whether a slice was made.
///
/// # Errors
/// [`Unsaved`]; the slices before are made.
fn complete(data_dir: &Path) -> Result<bool, Unsaved> {
    let store = EndgameStore::new(data_dir);
    Ok(store.complete::<CheckersDatabase>(USUAL_PIECES)?
        | store.complete::<DraughtsDatabase<Drafti>>(USUAL_PIECES)?
        | store.complete::<DraughtsDatabase<Brazilian>>(USUAL_PIECES)?
        | store.complete::<DraughtsDatabase<Russian>>(USUAL_PIECES)?
        | store.complete::<DraughtsDatabase<Pool>>(USUAL_PIECES)?
        | store.complete::<KalahDatabase>(USUAL_KALAH_SEEDS)?
        | store.complete::<OwareDatabase>(USUAL_OWARE_SEEDS)?)
}

/// Makes the usual databases that a data directory lacks and installs them, on a thread of low priority that ends with the process: half a
/// minute of processor time and 52 MB of disk, once. A slice is written whole or not at all: the next start goes on. On a disk without room
/// nothing is made.
///
/// # Errors
/// The system cannot start a thread.
pub fn complete_in_background(data_dir: PathBuf) -> io::Result<()> {
    let thread = std::thread::Builder::new().name("endgames".to_owned());
    thread.spawn(move || {
        give_way();
        if !backup::has_room(&data_dir, USUAL_BYTES) {
            tracing::warn!("endgame databases are not made: the disk has no room for them");
            return;
        }
        match complete(&data_dir) {
            Ok(true) => install(&data_dir, |line| tracing::info!("{line}")),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "endgame databases are not complete"),
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use mawe_ai::endgame::{KalahDatabase, OwareDatabase};

    use super::*;

    /// Returns a store with Kalah up to three seeds.
    fn store() -> (tempfile::TempDir, EndgameStore, KalahDatabase) {
        let directory = tempfile::tempdir().expect("a directory");
        let store = EndgameStore::new(directory.path());
        let mut database = KalahDatabase::default();
        for slices in KalahDatabase::plan(3) {
            database.solve(&slices, 1, &mut |_| ());
            for slice in slices {
                let values = database.data(slice).expect("it is solved");
                store.save(slice, values).expect("it can be written");
            }
        }
        (directory, store, database)
    }

    fn slice(seeds: usize) -> Slice {
        KalahDatabase::plan(17)[seeds][0]
    }

    #[test]
    fn what_is_kept_is_found_again_and_what_is_not_there_is_not() {
        let (_directory, store, database) = store();
        let (endgames, found, lines) = store.open();
        assert_eq!(endgames.kalah.seeds(), Some(3));
        for seeds in 0..=3 {
            assert_eq!(
                endgames.kalah.data(slice(seeds)),
                database.data(slice(seeds))
            );
        }
        let positions: usize = found.iter().map(|found| found.positions).sum();
        assert_eq!(positions, 1 + 12 + 78 + 364);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(endgames.oware.seeds(), None);
        assert_eq!(endgames.checkers.pieces(), 0);
        let part = store.path(slice(3)).with_extension("part");
        assert!(!part.exists(), "nothing is left of the writing");
    }

    #[test]
    fn missing_and_spoilt_slices_are_made_and_the_others_kept() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = EndgameStore::new(directory.path());
        let up_to = |seeds| store.complete::<KalahDatabase>(seeds).expect("it is saved");
        assert!(up_to(3), "nothing was there");
        let whole = store.open().0.kalah;
        assert_eq!(whole.seeds(), Some(3));
        assert!(!up_to(3) && !up_to(2), "all was there");
        fs::remove_file(store.path(slice(3))).expect("it is there");
        fs::write(store.path(slice(1)), b"nonsense").expect("it can be written");
        assert!(up_to(3), "two slices were not there");
        let again = store.open().0.kalah;
        for seeds in 0..=3 {
            assert_eq!(again.data(slice(seeds)), whole.data(slice(seeds)));
        }
        assert!(up_to(4), "the next slice was not there");
        assert_eq!(store.open().0.kalah.seeds(), Some(4));

        // A folder has the final name, so the file cannot be renamed and is removed.
        fs::create_dir(store.path(slice(5))).expect("it can be made");
        assert!(store.complete::<KalahDatabase>(5).is_err());
        assert!(!store.path(slice(5)).with_extension("part").exists());

        // A file stands where the folder would.
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join(FOLDER), b"").expect("it can be written");
        let refused = EndgameStore::new(directory.path()).complete::<KalahDatabase>(1);
        let line = refused.expect_err("there is no folder").to_string();
        assert!(
            line.contains("kalah-00") && line.contains("cannot be written"),
            "{line}"
        );
    }

    #[test]
    fn a_file_that_is_cut_short_changed_or_another_s_is_told_and_not_used() {
        let (_directory, store, _) = store();
        let path = store.path(slice(2));
        let whole = fs::read(&path).expect("it is there");
        let mut changed = whole.clone();
        changed[60] ^= 1;
        let mut older = whole.clone();
        older[8] = 0;
        let other = fs::read(store.path(slice(3))).expect("it is there");
        let longer = [&whole[..], &[0; 100]].concat();
        let kalah = whole.len();
        for (bytes, why) in [
            (whole[..20].to_vec(), "it is no slice"),
            (whole[..kalah - 1].to_vec(), "bytes, not"),
            (longer, "bytes, not"),
            (changed, "checksum"),
            (older, "version"),
            (other, "bytes, not"),
            (
                b"something else entirely, and long enough for a header".to_vec(),
                "no slice",
            ),
        ] {
            fs::write(&path, bytes).expect("it can be written");
            let (endgames, _, lines) = store.open();
            assert_eq!(endgames.kalah.seeds(), Some(1), "{why}");
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert!(
                lines[1].contains(why) && lines[1].contains("kalah-02"),
                "{lines:?}"
            );
        }
        // A slice of another game under the name of this one, with the same length.
        let oware = OwareDatabase::solved(2, 1);
        let of_oware = OwareDatabase::plan(2)[2][0];
        let values = oware.data(of_oware).expect("it is solved");
        let bytes = [&header(of_oware, values)[..], values].concat();
        fs::write(&path, bytes).expect("it can be written");
        let (_, _, lines) = store.open();
        assert!(lines[1].contains("another game"), "{lines:?}");
        fs::remove_file(&path).expect("it is there");
        let (endgames, _, lines) = store.open();
        assert_eq!(endgames.kalah.seeds(), Some(1));
        assert!(
            lines[1].contains("a slice before it is missing"),
            "{lines:?}"
        );
    }
}

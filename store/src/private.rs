//! Files and directories that only the server's user may read: they hold password hashes, session hashes and keys.
//!
//! Outside Unix the permissions of files are left to the system.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The server's files in a data directory besides the database; they are made private at a start.
const OTHER_FILES: [&str; 2] = ["worker-key", "admin.sock"];

/// The suffixes of the files of a database.
const DATABASE_FILES: [&str; 4] = ["", "-wal", "-shm", ".lock"];

/// The permission bits of the group and of others.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// Creates a directory and its missing parents, for the owner alone.
///
/// # Errors
/// As [`std::fs::create_dir_all`].
pub fn make_directory(directory: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(directory)
}

/// Opens a file for writing and keeps its contents; a missing file is created for the owner alone.
///
/// # Errors
/// As [`OpenOptions::open`].
pub fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Removes the permissions of others from the files of a database, and logs the files that had them.
pub fn tighten_database(database: &Path) {
    let beside = |end: &&str| PathBuf::from(format!("{}{end}", database.display()));
    tell(
        DATABASE_FILES
            .iter()
            .map(beside)
            .filter(|file| tighten(file)),
    );
}

/// Removes the permissions of others from a data directory and from the server's other files in it, and logs those that had them.
///
/// A directory that is not the server's alone keeps its permissions: it belongs to another user, all users may write to it, like `/tmp`, or
/// it is the server's working directory or one above it.
pub fn tighten_data_directory(directory: &Path) {
    let files = OTHER_FILES.iter().map(|name| directory.join(name));
    let tightened = files.filter(|file| tighten(file));
    let directory = is_ours_alone(directory).then(|| directory.to_owned());
    tell(tightened.chain(directory.into_iter().filter(|directory| tighten(directory))));
}

fn tell(tightened: impl Iterator<Item = PathBuf>) {
    let tightened: Vec<String> = tightened.map(|path| path.display().to_string()).collect();
    if !tightened.is_empty() {
        tracing::warn!(
            "others could read {}; from now on only this server's user can",
            tightened.join(", ")
        );
    }
}

/// Removes the permissions of others from a file or a directory; returns whether there were any.
#[cfg(unix)]
fn tighten(path: &Path) -> bool {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    // A symbolic link is not followed: its target may belong to another user.
    let Ok(found) = std::fs::symlink_metadata(path) else {
        return false;
    };
    if found.is_symlink() || found.mode() & OTHERS == 0 {
        return false;
    }
    let private = std::fs::Permissions::from_mode(found.mode() & 0o7777 & !OTHERS);
    match std::fs::set_permissions(path, private) {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(
                "others can read {}, and that cannot be changed: {error}",
                path.display()
            );
            false
        }
    }
}

#[cfg(not(unix))]
fn tighten(_: &Path) -> bool {
    false
}

#[cfg(unix)]
fn is_ours_alone(directory: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    const STICKY: u32 = 0o1000;
    let Ok(found) = std::fs::metadata(directory) else {
        return false;
    };
    let is_above_us = || {
        let (here, directory) = (std::env::current_dir(), directory.canonicalize());
        matches!((here, directory), (Ok(here), Ok(directory)) if here.starts_with(&directory))
    };
    found.is_dir()
        && found.mode() & STICKY == 0
        && found.uid() == rustix::process::geteuid().as_raw()
        && !is_above_us()
}

#[cfg(not(unix))]
fn is_ours_alone(_: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        let found = std::fs::metadata(path).expect("it is there");
        found.permissions().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, permissions).expect("it is ours");
    }

    #[test]
    fn what_is_made_is_private_and_what_was_there_stays_as_it_was() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let above = home.path().join("srv");
        std::fs::create_dir(&above).expect("it can be made");
        set_mode(&above, 0o755);
        let data = above.join("mawe/data");
        make_directory(&data).expect("it can be made");
        drop(open_file(&data.join("file")).expect("it can be made"));
        assert_eq!(mode(&above), 0o755);
        assert_eq!(mode(&above.join("mawe")), 0o700);
        assert_eq!(mode(&data), 0o700);
        assert_eq!(mode(&data.join("file")), 0o600);
    }

    #[test]
    fn files_of_others_and_directories_that_all_write_to_are_left_alone() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let data = home.path().join("data");
        std::fs::create_dir(&data).expect("it can be made");
        for name in ["mawe.sqlite", "mawe.sqlite-wal", "worker-key", "theirs"] {
            std::fs::write(data.join(name), "x").expect("it can be written");
            set_mode(&data.join(name), 0o644);
        }
        set_mode(&data, 0o1777);
        tighten_database(&data.join("mawe.sqlite"));
        tighten_data_directory(&data);
        for name in ["mawe.sqlite", "mawe.sqlite-wal", "worker-key"] {
            assert_eq!(mode(&data.join(name)), 0o600, "{name}");
        }
        assert_eq!(mode(&data.join("theirs")), 0o644);
        assert_eq!(mode(&data), 0o1777);
        set_mode(&data, 0o755);
        tighten_data_directory(&data);
        assert_eq!(mode(&data), 0o700);
        // The tests run in the first directory, and below the second.
        assert!(!is_ours_alone(Path::new(".")));
        assert!(!is_ours_alone(Path::new("/")));
    }
}

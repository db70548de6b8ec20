//! Backups of an embedded database, written while it is in use, and their restoration.
//!
//! A backup is one file. It is written under a temporary name in the target directory, checked, flushed to the disk, and only then renamed:
//! a file with the name of a backup is complete.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::directory::{directory_of, sync_directory};
use crate::private;
use crate::space::{Space, space_of};
use crate::{MinFreeSpace, OpenError, Store, StoreError};

/// The suffixes of the files of a SQLite database: the database, the write-ahead log, the shared memory.
const FILES: [&str; 3] = ["", "-wal", "-shm"];

/// An error of a backup or of its restoration: one line with the problem and its remedy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is Postgres, which this module cannot copy.
    #[error("the database is Postgres; use pg_dump and pg_restore, as docs/operating.md shows")]
    Postgres,
    /// The target file exists.
    #[error("{0} is there already; choose another name, or say --force")]
    InTheWay(String),
    /// The target database exists.
    #[error(
        "{0} is there already; say --replace to set it aside, or choose another data directory"
    )]
    Occupied(String),
    /// A file cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// The database was not closed, so that it is no backup: a part of it is in another file.
    #[error(
        "{0} lies beside it, and belongs to it: this is no backup but a database that is in use, or was when it was killed"
    )]
    NoBackup(String),
    /// The copy failed.
    #[error("the database could not be copied: {0}")]
    Copy(String),
    /// The copy is damaged, or a database is in use.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// The beginning of the names of backups that are being written.
pub const UNFINISHED: &str = ".mawe-backup-";

/// Returns whether the disk of a directory, which may be that of the database, has room for so many bytes and for the end of running matches.
#[must_use]
pub fn has_room(directory: &Path, bytes: u64) -> bool {
    space_of(directory).is_none_or(|Space { disk, free }| {
        free >= bytes.saturating_add(MinFreeSpace::Usual.bytes(disk))
    })
}

/// Writes a backup and returns its size in bytes. Matches continue meanwhile; the backup holds all entries acknowledged before the call.
///
/// # Errors
/// [`BackupError`]; then no file was added or changed.
pub async fn write(store: &dyn Store, file: &Path, force: bool) -> Result<u64, BackupError> {
    let failed = |error| cannot_write(file, error);
    if file.exists() && !force {
        return Err(BackupError::InTheWay(file.display().to_string()));
    }
    let directory = directory_of(file);
    // Only its owner may read the file, as it holds password hashes. It is deleted if it is not finished.
    let unfinished = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(directory)
        .map_err(failed)?;
    match store.copy_into(unfinished.path()).await {
        Ok(true) => {}
        Ok(false) => return Err(BackupError::Postgres),
        Err(StoreError::Unavailable(error)) => return Err(BackupError::Copy(error.to_string())),
        Err(error) => return Err(BackupError::Copy(error.to_string())),
    }
    crate::check_copy(unfinished.path()).await?;
    let (directory, file) = (directory.to_owned(), file.to_owned());
    let path = file.clone();
    let named = tokio::task::spawn_blocking(move || {
        // SQLite wrote into the file by its name: this handle sees the same file.
        unfinished.as_file().sync_all()?;
        let size_bytes = unfinished.as_file().metadata()?.len();
        if force {
            unfinished.persist(&file).map_err(|error| error.error)?;
        } else {
            unfinished
                .persist_noclobber(&file)
                .map_err(|error| error.error)?;
        }
        sync_directory(&directory)?;
        Ok::<u64, io::Error>(size_bytes)
    });
    match named.await {
        Ok(Ok(size_bytes)) => Ok(size_bytes),
        // Another backup of this name was finished meanwhile.
        Ok(Err(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(BackupError::InTheWay(path.display().to_string()))
        }
        Ok(Err(error)) => Err(cannot_write(&path, error)),
        Err(error) => Err(cannot_write(&path, io::Error::other(error))),
    }
}

/// Replaces the database at `database`, which no server may use meanwhile, by a backup. An existing database is renamed, and the new name
/// is returned; without `replace` it is an error.
///
/// # Errors
/// [`BackupError`]; then the database is as it was before.
pub async fn restore(
    file: &Path,
    database: &Path,
    replace: bool,
    now_ms: i64,
) -> Result<Option<PathBuf>, BackupError> {
    let log = PathBuf::from(format!("{}-wal", file.display()));
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        return Err(BackupError::NoBackup(log.display().to_string()));
    }
    crate::check_copy(file).await?;
    let directory = directory_of(database);
    private::make_directory(directory).map_err(|error| cannot_write(directory, error))?;
    let lock = crate::lock(database)?;
    let beside = |end: &str| PathBuf::from(format!("{}{end}", database.display()));
    let occupied = FILES.iter().any(|end| beside(end).exists());
    if occupied && !replace {
        return Err(BackupError::Occupied(database.display().to_string()));
    }
    let failed = |error| cannot_write(database, error);
    let mut copy = tempfile::Builder::new()
        .prefix(".mawe-restore-")
        .tempfile_in(directory)
        .map_err(failed)?;
    let mut source = File::open(file).map_err(|error| cannot_write(file, error))?;
    io::copy(&mut source, copy.as_file_mut()).map_err(failed)?;
    copy.as_file().sync_all().map_err(failed)?;
    // SQLite would apply the log of the old database to the new one: the log is moved together with its database.
    let aside = occupied.then(|| beside(&format!(".before-{now_ms}")));
    if let Some(aside) = &aside {
        for end in FILES.iter().filter(|end| beside(end).exists()) {
            let to = PathBuf::from(format!("{}{end}", aside.display()));
            std::fs::rename(beside(end), to).map_err(failed)?;
        }
    }
    copy.persist_noclobber(database)
        .map_err(|error| failed(error.error))?;
    sync_directory(directory).map_err(failed)?;
    drop(lock);
    // Checks that this version of the program can use the database.
    let store = crate::open(&format!("sqlite:{}", database.display())).await?;
    store.close().await;
    Ok(aside)
}

fn cannot_write(path: &Path, error: io::Error) -> BackupError {
    BackupError::Write {
        path: path.display().to_string(),
        error,
    }
}

//! The directory of a file.

use std::fs::File;
use std::io;
use std::path::Path;

/// Returns the directory of a file; the current one for a bare name.
pub(crate) fn directory_of(file: &Path) -> &Path {
    let parent = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Makes the name of a file durable: flushes its directory to the disk.
///
/// # Errors
/// Those of the file system.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

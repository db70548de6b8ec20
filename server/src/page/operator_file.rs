//! Files that the operator names in an option, read when the server starts.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Reads a file of at most `max_bytes`, which is not empty.
///
/// # Errors
/// A line for the operator with the option, the file, the fault and its remedy.
pub(crate) fn read(option: &str, path: &Path, max_bytes: usize) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let unread =
        |error| format!("{option} {shown} cannot be read: {error}; name a file of this machine");
    // A pipe would be waited for.
    if !fs::metadata(path).map_err(unread)?.is_file() {
        return Err(format!(
            "{option} {shown} is not a file; name a file of this machine"
        ));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unread)?;
    file.take(max_bytes as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(unread)?;
    if bytes.is_empty() {
        return Err(format!(
            "{option} {shown} is empty; fill it, or leave the option out"
        ));
    }
    if bytes.len() > max_bytes {
        return Err(format!(
            "{option} {shown} has more than {} KiB; make it smaller",
            max_bytes / 1024
        ));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_its_fault_is_one_line() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = |name: &str| directory.path().join(name);
        for (name, bytes) in [("fits", 8), ("long", 9), ("empty", 0)] {
            fs::write(path(name), vec![b'x'; bytes]).expect("it can be written");
        }
        assert_eq!(read("imprint", &path("fits"), 8), Ok(vec![b'x'; 8]));
        let fault = |name: &str| {
            let fault = read("imprint", &path(name), 8).expect_err("it is refused");
            assert!(
                fault.starts_with(&format!("imprint {}", path(name).display())),
                "{fault}"
            );
            assert!(!fault.contains('\n'), "{fault}");
            fault
        };
        assert!(fault("long").contains("more than"));
        assert!(fault("empty").contains("is empty"));
        assert!(fault("missing").contains("cannot be read"));
        assert!(fault("").contains("is not a file"));
        let endless = read("imprint", Path::new("/dev/zero"), 8).expect_err("it is refused");
        assert!(endless.contains("is not a file"), "{endless}");
    }
}

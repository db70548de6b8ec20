//! Pictures of the operator, which this server serves itself: pages may load nothing from other hosts.

use std::fmt;
use std::path::Path;

use axum::body::Bytes;

use crate::page::operator_file;

/// The picture formats that every browser shows without running them, by the first bytes of a file. (An SVG opened on its own would be a
/// page of this origin.)
const KINDS: [(&[u8], &str); 4] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
];

/// A picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The contents of the file.
    pub bytes: Bytes,
    /// The media type.
    pub kind: &'static str,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}, {} bytes)", self.kind, self.bytes.len())
    }
}

impl Picture {
    /// Reads the picture of an option.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn read(option: &str, path: &Path, max_bytes: usize) -> Result<Picture, String> {
        let bytes = operator_file::read(option, path, max_bytes)?;
        let known = KINDS.iter().find(|(start, kind)| {
            bytes.starts_with(start) && (*kind != "image/webp" || bytes.get(8..12) == Some(b"WEBP"))
        });
        let (_, kind) = known.ok_or_else(|| {
            format!(
                "{option} {} must be a PNG, JPEG, GIF or WebP picture",
                path.display()
            )
        })?;
        Ok(Picture {
            bytes: bytes.into(),
            kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_BYTES: usize = 1_024;

    #[test]
    fn a_picture_is_what_it_says_and_small() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = |name: &str, bytes: &[u8]| {
            let path = directory.path().join(name);
            std::fs::write(&path, bytes).expect("it can be written");
            path
        };
        let refusal = |path: &Path| {
            let message = Picture::read("site-logo", path, MAX_BYTES).expect_err("it is refused");
            assert!(!message.contains('\n'), "{message}");
            message
        };
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], "image/png"),
            (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
            (b"GIF89arest", "image/gif"),
            (b"RIFF\0\0\0\0WEBPrest", "image/webp"),
        ] {
            let picture = Picture::read("site-logo", &file("picture", bytes), MAX_BYTES);
            let picture = picture.expect("it is a picture");
            assert_eq!((picture.kind, &*picture.bytes), (kind, bytes));
        }
        let svg = file("picture.png", b"<svg onload=\"alert(1)\"/>");
        assert!(refusal(&svg).contains("PNG"));
        let sound = file("sound.webp", b"RIFF\0\0\0\0WAVE");
        assert!(refusal(&sound).contains("WebP"));
        let mut huge = b"\x89PNG\r\n\x1a\n".to_vec();
        huge.resize(MAX_BYTES + 1, 0);
        assert!(refusal(&file("huge.png", &huge)).contains("1 KiB"));
        let missing = directory.path().join("missing.png");
        assert!(refusal(&missing).contains("missing.png"));
    }
}

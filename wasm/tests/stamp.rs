//! The committed artefact is of these sources.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// What goes into the artefact, the same list as in `wasm/build`.
const SOURCES: [&str; 5] = [
    "rules/Cargo.toml",
    "rules/src",
    "wasm/Cargo.toml",
    "wasm/build",
    "wasm/src",
];

#[test]
fn the_artefact_is_as_new_as_its_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for source in SOURCES {
        list(&root, Path::new(source), &mut files);
    }
    // As `sort` orders in the C locale: by the bytes of the path.
    let mut paths: Vec<&str> = files.iter().filter_map(|path| path.to_str()).collect();
    paths.sort_unstable();
    let mut sums = String::new();
    for path in paths {
        let text = fs::read(root.join(path)).expect("a source can be read");
        writeln!(sums, "{}  {path}", hex(&text)).expect("a string takes all text");
    }
    let stamp = fs::read_to_string(root.join("static/wasm/stamp")).unwrap_or_default();
    assert_eq!(
        stamp.trim_end(),
        hex(sums.as_bytes()),
        "static/wasm is older than its sources: run wasm/build and commit what it makes"
    );
}

fn list(root: &Path, path: &Path, files: &mut Vec<PathBuf>) {
    if root.join(path).is_file() {
        files.push(path.to_owned());
        return;
    }
    for entry in fs::read_dir(root.join(path)).expect("a source folder") {
        let name = entry.expect("an entry").file_name();
        list(root, &path.join(name), files);
    }
}

fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes all text");
        hex
    })
}

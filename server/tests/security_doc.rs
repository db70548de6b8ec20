//! `docs/security.md`: each place and each test that it names exists.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Appends the text of all Rust files below a folder.
fn sources(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&std::fs::read_to_string(&path).expect("a text"));
        }
    }
}

fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn what_the_page_names_is_there() {
    let mut text = String::new();
    for folder in [
        "server/src",
        "server/tests",
        "store/src",
        "play/src",
        "wire/src",
        "rules",
        "ai",
    ] {
        sources(&root().join(folder), &mut text);
    }
    let page = std::fs::read_to_string(root().join("docs/security.md")).expect("a page");
    let mut rows = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        let [threat, _, places, tests] = cells.as_slice() else {
            continue;
        };
        if threat.trim() == "threat" {
            continue;
        }
        rows += 1;
        let (places, tests) = (names(places), names(tests));
        assert!(!places.is_empty() && !tests.is_empty(), "{line}");
        for name in places.into_iter().chain(tests) {
            let is_there = if name.contains('/') {
                root().join(name).exists()
            } else {
                text.contains(&format!("fn {name}("))
            };
            assert!(is_there, "{name} is nowhere: {line}");
        }
    }
    assert!(rows > 30, "the rows are not found any more: {rows}");
}

//! Every target for a few seconds, on any machine. A failure prints the input, which is added as a file to `fuzz/seeds/` together with the
//! fix.

use std::fs;
use std::path::{Path, PathBuf};

use mawe_fuzz_targets::{TARGETS, short};

#[test]
fn positions() {
    check("position");
}

#[test]
fn moves() {
    check("moves");
}

#[test]
fn setups() {
    check("setup");
}

#[test]
fn pdn() {
    check("pdn");
}

#[test]
fn ggf() {
    check("ggf");
}

#[test]
fn transcripts() {
    check("transcript");
}

#[test]
fn json() {
    check("json");
}

#[test]
fn events() {
    check("event");
}

#[test]
fn every_target_has_its_program_and_its_seeds() {
    let mut names = TARGETS.map(|target| target.name.to_owned());
    names.sort_unstable();
    for (folder, ending) in [("fuzz_targets", ".rs"), ("seeds", "")] {
        let mut found: Vec<String> = list(&fuzz().join(folder))
            .iter()
            .filter_map(|path| Some(path.file_name()?.to_str()?.strip_suffix(ending)?.to_owned()))
            .collect();
        found.sort_unstable();
        assert_eq!(found, names, "fuzz/{folder}");
    }
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).expect("a manifest");
    for name in &names {
        let line = format!("path = \"fuzz_targets/{name}.rs\"");
        assert!(manifest.contains(&line), "fuzz/Cargo.toml lacks {name}");
    }
}

fn check(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let target = target.expect("a target of this name");
    let seeds = read_all(&fuzz().join("seeds").join(name));
    // A seed must be accepted, as variants of a refused one get no further. The seeds of fixed bugs are refused now, and have a name that
    // says so.
    for (path, seed) in &seeds {
        let is_refused = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("refused-"));
        assert_eq!((target.run)(seed), !is_refused, "{}", path.display());
    }
    short::run(target, seeds.into_iter().map(|(_, seed)| seed).collect());
}

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Lists a folder in the same order everywhere.
fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort_unstable();
    paths
}

fn read_all(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a seed");
        (path, bytes)
    };
    list(folder).into_iter().map(read).collect()
}

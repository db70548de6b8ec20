//! Checks that the committed artefacts match their sources: the stamp of each is a digest of all its inputs, and of the libraries that were
//! made of them.
//!
//! `wasm/build` writes the stamps with this test and `MAWE_STAMP=write`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

/// An artefact and its inputs.
struct Artefact {
    name: &'static str,
    /// The libraries in `static/wasm`, all made of the same sources.
    libraries: &'static [&'static str],
    /// Files and folders that are hashed, without comments where these do not become part of the artefact.
    sources: &'static [&'static str],
    /// Files that are hashed in part: the sections of a manifest whose headings begin with these texts, without comments.
    sections: &'static [(&'static str, &'static [&'static str])],
}

const RULES: Artefact = Artefact {
    name: "rules",
    libraries: &["rules_bg.wasm"],
    sources: &["rules/src", "wire/src", "play/src", "wasm/src"],
    sections: &[
        (
            "Cargo.toml",
            &["[workspace.package]", "[profile.release", "[profile.wasm]"],
        ),
        ("rules/Cargo.toml", &["[package]"]),
        ("wire/Cargo.toml", &["[package]"]),
        ("play/Cargo.toml", &["[package]"]),
        ("wasm/Cargo.toml", &["[package]", "[lib]"]),
    ],
};

const ENGINE: Artefact = Artefact {
    name: "engine",
    libraries: &["engine_bg.wasm", "engine_simd_bg.wasm"],
    sources: &["rules/src", "ai/src", "wasm/engine/src"],
    sections: &[
        (
            "Cargo.toml",
            &["[workspace.package]", "[profile.release", "[profile.wasm"],
        ),
        ("rules/Cargo.toml", &["[package]"]),
        ("ai/Cargo.toml", &["[package]"]),
        ("wasm/engine/Cargo.toml", &["[package]", "[lib]"]),
    ],
};

/// The tools that make all artefacts.
const TOOLS: [&str; 4] = [
    "wasm/build",
    "wasm/glue/Cargo.lock",
    "wasm/glue/Cargo.toml",
    "wasm/glue/src",
];

const TOOLCHAIN: (&str, &[&str]) = ("rust-toolchain.toml", &["[toolchain]"]);

/// The arguments of `cargo tree` for the crates in an artefact, with versions and features from the lock file.
const CRATES: [&str; 12] = [
    "tree",
    "--locked",
    "--offline",
    "--target=wasm32-unknown-unknown",
    "--edges=normal,build",
    "--no-dedupe",
    "--prefix=none",
    "--format",
    "{p}|{f}",
    "--color=never",
    "--charset=ascii",
    "--quiet",
];

#[test]
fn the_rules_are_as_new_as_their_sources() {
    check(&RULES);
}

#[test]
fn the_engine_is_as_new_as_its_sources() {
    check(&ENGINE);
}

fn check(artefact: &Artefact) {
    let root = root();
    let path = root.join(format!("static/wasm/{}.stamp", artefact.name));
    let stamp = stamp(&root, artefact);
    if std::env::var_os("MAWE_STAMP").is_some_and(|task| task == "write") {
        return fs::write(path, format!("{stamp}\n")).expect("the stamp can be written");
    }
    assert_eq!(
        fs::read_to_string(path).unwrap_or_default().trim_end(),
        stamp,
        "static/wasm is not of these sources: run wasm/build and commit all that it makes"
    );
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn only_what_decides_an_artefact_counts() {
    let manifest = "[a]\n# why\nx = 1\n\n[profile.wasm]\n# small\nlicense = \"MIT\"\nlto = \"fat\"\n[b]\ny = 2\n";
    let kept = sections(manifest, &["[profile.wasm]"]);
    assert_eq!(kept, "[profile.wasm]\nlto = \"fat\"\n");
    let source = "//! What.\nfn f() {\n    // Why.\n    g(); // how\n}\n";
    assert_eq!(without_comments(source), "fn f() {\n    g(); // how\n}\n");
    assert!(is_documented_in_the_artefact(Path::new("wasm/src/lib.rs")));
    assert!(!is_documented_in_the_artefact(Path::new(
        "wire/src/code.rs"
    )));
    for (artefact, ours) in [
        (
            &RULES,
            &["rules-wasm", "mawe-play", "mawe-rules", "wasm-bindgen"][..],
        ),
        (
            &ENGINE,
            &["engine-wasm", "mawe-ai", "mawe-rules", "wasm-bindgen"],
        ),
    ] {
        let crates = crates(&root(), artefact);
        let names: Vec<&str> = crates
            .lines()
            .filter_map(|line| line.split(' ').next())
            .collect();
        for name in ours {
            assert!(names.contains(name), "{names:?}");
        }
        // A test dependency, a server dependency, and one of a feature of the rules that the page does not use.
        for name in ["proptest", "tokio", "sha2"] {
            assert!(!names.contains(&name), "{names:?}");
        }
        assert!(!crates.contains('/'), "a path of this machine: {crates}");
    }
}

fn stamp(root: &Path, artefact: &Artefact) -> String {
    let mut sums = String::new();
    let mut add = |name: &str, bytes: &[u8]| {
        writeln!(sums, "{}  {name}", hex(bytes)).expect("a string takes all text");
    };
    let mut files = Vec::new();
    for source in artefact.sources.iter().chain(&TOOLS) {
        list(root, Path::new(source), &mut files);
    }
    // The order of a folder's entries is unspecified.
    files.sort_unstable();
    for path in files {
        let source = fs::read_to_string(root.join(&path)).expect("a source can be read");
        let bytes = if is_documented_in_the_artefact(&path) {
            source
        } else {
            without_comments(&source)
        };
        add(&path.to_string_lossy(), bytes.as_bytes());
    }
    for (path, kept) in artefact.sections.iter().chain([&TOOLCHAIN]) {
        let text = fs::read_to_string(root.join(path)).expect("a manifest can be read");
        let kept = sections(&text, kept);
        assert_ne!(kept, "", "{path} says nothing of it");
        add(path, kept.as_bytes());
    }
    add("Cargo.lock", crates(root, artefact).as_bytes());
    // Without them a library that was not committed with its stamp would pass.
    for library in artefact.libraries {
        let path = root.join("static/wasm").join(library);
        add(library, &fs::read(path).unwrap_or_default());
    }
    hex(sums.as_bytes())
}

/// Whether comments become part of the artefact: the docs of the exports stand in the glue's types.
fn is_documented_in_the_artefact(path: &Path) -> bool {
    path.starts_with("wasm") || path.extension().is_none_or(|kind| kind != "rs")
}

/// The source without the lines that are only a comment, so that a clearer comment asks for no new build.
fn without_comments(source: &str) -> String {
    let lines = source.split_inclusive('\n');
    lines
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect()
}

/// The lines of the sections whose headings begin with one of `headings`, without blank lines, comments and the licence, which does not
/// affect the artefact.
fn sections(text: &str, headings: &[&str]) -> String {
    let mut is_kept = false;
    let mut kept = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            is_kept = headings.iter().any(|heading| line.starts_with(heading));
        }
        let says_nothing = line.is_empty() || line.starts_with('#') || line.starts_with("license");
        if is_kept && !says_nothing {
            kept.extend([line, "\n"]);
        }
    }
    kept
}

/// A line for each crate: name, version, features.
fn crates(root: &Path, artefact: &Artefact) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    let package = format!("--package={}-wasm", artefact.name);
    let told = cargo.args(CRATES).arg(package).current_dir(root).output();
    let told = told.expect("cargo runs");
    let errors = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "cargo tree: {errors}");
    let told = String::from_utf8(told.stdout).expect("names are ASCII");
    let mut lines: Vec<String> = told.lines().map(without_notes).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.join("\n")
}

/// The line without the notes in brackets: the path of a local crate, and the mark of a procedural macro.
fn without_notes(line: &str) -> String {
    let (name, features) = line.split_once('|').unwrap_or((line, ""));
    let name = name.split(" (").next().unwrap_or(name);
    format!("{name} {features}")
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

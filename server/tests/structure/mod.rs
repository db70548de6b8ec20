//! The structure of the sources: no circles of imports, and none that climbs a floor.

use std::fs;
use std::path::{Path, PathBuf};

use imports::floors::{CRATE_FLOORS, climbs, crate_climbs};
use imports::{CRATES, Graph, crate_of, module_of, rust};

mod imports;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let graph = Graph::read(&root());
    let circles: Vec<String> = graph
        .circles()
        .iter()
        .map(|circle| graph.arrows_within(circle).join("\n"))
        .collect();
    assert!(
        circles.is_empty(),
        "circles of imports:\n{}",
        circles.join("\n\n")
    );
}

#[test]
fn no_module_of_the_server_imports_a_higher_one() {
    let modules = Graph::read(&root()).grouped(module_of);
    assert_eq!(climbs(&modules), Vec::<String>::new());
    let circles = modules.circles();
    let of_the_server = circles
        .iter()
        .filter(|circle| circle[0].starts_with("server/"));
    assert_eq!(of_the_server.count(), 0);
}

#[test]
fn no_crate_imports_a_higher_one() {
    let crates = Graph::read(&root()).grouped(crate_of);
    assert_eq!(crate_climbs(&crates), Vec::<String>::new());
    let with_floor = CRATE_FLOORS.map(|(folder, _)| folder);
    assert_eq!(CRATES.map(|(folder, _)| folder), {
        let mut sorted = with_floor;
        let place = |folder: &str| CRATES.iter().position(|(known, _)| *known == folder);
        sorted.sort_by_key(|folder| place(folder));
        sorted
    });
}

#[test]
fn an_import_of_a_higher_crate_is_found() {
    let mut crates = Graph::default();
    crates.add("play/src", "wire/src");
    crates.add("play/src", "store/src");
    assert_eq!(crate_climbs(&crates), ["play/src -> store/src"]);
}

/// Time and chance are arguments of the match core, and nothing in it waits.
#[test]
fn the_crates_without_io_have_no_library_for_it() {
    for name in ["rules", "wire", "play"] {
        let manifest =
            fs::read_to_string(root().join(name).join("Cargo.toml")).expect("it is there");
        let manifest: toml::Table = manifest.parse().expect("cargo reads it too");
        let dependencies = manifest["dependencies"].as_table().expect("it is a table");
        for banned in ["tokio", "axum", "sqlx", "hyper", "async-nats"] {
            assert!(!dependencies.contains_key(banned), "{name} has {banned}");
        }
    }
}

/// Reads a crate of these files.
fn read(files: &[(&str, &str)]) -> Graph {
    let place = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = place.path().join("server/src").join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    let mut graph = Graph::default();
    rust::read(place.path(), &[("server/src", "mawe_server")], &mut graph);
    graph
}

#[test]
fn a_circle_is_found_through_re_exports_macros_and_groups_of_names() {
    let graph = read(&[
        ("lib.rs", "pub mod wire; pub mod play; pub mod store;"),
        (
            "wire.rs",
            "use crate::play::{self, rating::{Rating, *}}; pub struct Id;",
        ),
        (
            "play/mod.rs",
            "mod rating; pub use rating::*; pub use crate::store::Row;",
        ),
        (
            "play/rating.rs",
            "pub struct Rating; fn f() { println!(\"{}\", super::Row::new()); }",
        ),
        ("store.rs", "pub struct Row(crate::wire::Id);"),
    ]);
    assert_eq!(
        graph.circles(),
        [[
            "server/src/play/mod.rs",
            "server/src/play/rating.rs",
            "server/src/store.rs",
            "server/src/wire.rs"
        ]]
    );
}

#[test]
fn what_tests_import_and_visibility_make_no_circle() {
    let graph = read(&[
        ("lib.rs", "pub mod wire; pub mod store;"),
        (
            "wire.rs",
            "#[cfg(test)] mod tests { use crate::store::Row; } pub struct Id;",
        ),
        (
            "store.rs",
            "pub(in crate::wire) struct Row(crate::wire::Id); use serde::Serialize;",
        ),
    ]);
    assert_eq!(graph.circles(), Vec::<Vec<String>>::new());
}

#[test]
fn an_import_that_climbs_is_found() {
    let graph = read(&[
        ("lib.rs", "pub mod clock; pub mod live; pub mod attic;"),
        ("clock.rs", "use crate::live::Row; pub struct Id;"),
        ("live.rs", "pub struct Row;"),
        ("attic.rs", ""),
    ]);
    assert_eq!(
        climbs(&graph.grouped(module_of)),
        [
            "server/src/attic has no floor",
            "server/src/clock -> server/src/live"
        ]
    );
}

/// `cargo run -p mawe-server --example graph` prints the picture.
#[test]
fn the_picture_in_the_documentation_is_the_present_one() {
    let page = fs::read_to_string(root().join("docs/modules.md")).expect("it is in the repository");
    let picture = imports::picture(&Graph::read(&root()).grouped(module_of));
    assert!(
        page.contains(&picture),
        "docs/modules.md shows another graph; put this in its place:\n{picture}"
    );
}

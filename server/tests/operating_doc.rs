//! The operator's documents: the shell lines of `docs/operating.md` and of `docs/schools.md`, run as written with the program and those of
//! Postgres on the path, and the options of `docs/options.md`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::common::document::run_lines;
use crate::common::postgres::Postgres;

#[tokio::test]
async fn the_lines_of_the_document_do_what_it_says() {
    let postgres = Postgres::start();
    let (old, new, home) = (
        postgres.whole_database().await,
        postgres.whole_database().await,
        postgres.whole_database().await,
    );
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = path_with(Some(postgres.programs()));
    let variables = [
        ("PATH", path.to_str().expect("plain paths")),
        ("MAWE_LISTEN", "127.0.0.1:0"),
        ("MAWE_BOTS", "1"),
        ("DATABASE", old.as_str()),
        ("NEW_DATABASE", new.as_str()),
        ("NEW_HOME", home.as_str()),
    ];
    run_lines("operating.md", directory.path(), &variables).await;
}

#[tokio::test]
async fn the_lines_of_a_school_do_what_they_say() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = path_with(None);
    let variables = [
        ("PATH", path.to_str().expect("plain paths")),
        ("MAWE_LISTEN", "127.0.0.1:0"),
        ("MAWE_BOTS", "1"),
    ];
    run_lines("schools.md", directory.path(), &variables).await;
}

/// Returns the search path with the directory of the program, and another one.
fn path_with(other: Option<PathBuf>) -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_mawe")).parent();
    let program = program.expect("a directory").to_owned();
    let mut places: Vec<PathBuf> = [program].into_iter().chain(other).collect();
    places.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    std::env::join_paths(places).expect("plain paths")
}

#[test]
fn the_document_of_the_options_is_the_one_that_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/options.md");
    let written = std::fs::read_to_string(path).expect("docs/options.md is in the repository");
    assert!(
        written == mawe_server::config::reference(),
        "write it anew: cargo run -- options >docs/options.md"
    );
}

//! Lists the migrations of both databases.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rerun-if-changed=../migrations");
    for database in ["sqlite", "postgres"] {
        let table = migrations(database)?;
        fs::write(output.join(format!("migrations_{database}.rs")), table)?;
    }
    Ok(())
}

/// Returns the table of the migrations of a database: the number and the name of each file `NUMBER_NAME.sql`, and its text. Files are named
/// from the crate, since a directory of build output may be used by another checkout later.
fn migrations(database: &str) -> io::Result<String> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(Path::new("../migrations").join(database))? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let parts = stem.and_then(|stem| stem.split_once('_'));
        let (number, name) = parts
            .and_then(|(number, name)| Some((number.parse::<i64>().ok()?, name)))
            .ok_or_else(|| io::Error::other(format!("{}: not a migration", path.display())))?;
        // The library's own macro replaces the underscores too, and databases hold the result.
        let description = name.replace('_', " ");
        let file = format!("/{}", path.display());
        rows.push((
            number,
            format!(
                "({number}, {description:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?}))),"
            ),
        ));
    }
    rows.sort();
    let rows: Vec<String> = rows.into_iter().map(|(_, row)| row).collect();
    Ok(format!("&[\n{}\n]", rows.join("\n")))
}

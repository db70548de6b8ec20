//! Prints the import graph of the crates.
//!
//! `cargo run -p mawe-server --example graph` prints the modules of the server as the diagram in `docs/modules.md`;
//! `-- circles` the circles between files, with their imports; `-- files` every file with its imports.

use std::path::Path;
use std::process::ExitCode;

use imports::{Graph, module_of};

#[path = "../tests/structure/imports/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod imports;

fn main() -> ExitCode {
    let graph = Graph::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    match std::env::args().nth(1).as_deref() {
        None => println!("{}", imports::picture(&graph.grouped(module_of))),
        Some("circles") => {
            for circle in graph.circles() {
                println!(
                    "{} files\n  {}",
                    circle.len(),
                    graph.arrows_within(&circle).join("\n  ")
                );
            }
        }
        Some("files") => {
            for (file, imports) in &graph.imports {
                println!("{file}");
                for import in imports {
                    println!("  {import}");
                }
            }
        }
        Some(other) => {
            eprintln!("graph: {other}: give nothing, circles or files");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

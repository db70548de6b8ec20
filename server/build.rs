//! Compresses the files of the page.
//!
//! A release build compresses to the smallest size and runs again when a file of the page changes. A debug build reads the page from the
//! disk at run time: it compresses quickly, and the server compresses a file that has changed since (`page/precompressed.rs`).

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs, io, thread};

use pack::Effort;

#[path = "src/page/comments.rs"]
mod comments;
#[path = "src/page/pack.rs"]
mod pack;

/// Quick compression: a second or two for the whole page, unoptimised.
const QUICK: Effort = Effort { brotli: 5, gzip: 1 };

/// Smallest output: half a minute of one processor, mostly for the engine.
const SMALLEST: Effort = Effort {
    brotli: 11,
    gzip: 9,
};

fn main() -> io::Result<()> {
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let page = Path::new("../static");
    if is_release {
        println!("cargo::rerun-if-changed={}", page.display());
    }
    let effort = if is_release { SMALLEST } else { QUICK };
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut paths = Vec::new();
    list(page, &mut paths)?;
    paths.sort();
    let rows = compress_all(page, &paths, &output, effort)?;
    let table = format!("&[\n{}]", rows.concat());
    fs::write(output.join("packed.rs"), table)
}

/// Adds the files under a directory, without the page's tests.
fn list(directory: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("static/tests") {
                list(&path, paths)?;
            }
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

/// Compresses the files on all processors; returns a row of the table for each, sorted.
fn compress_all(
    page: &Path,
    paths: &[PathBuf],
    output: &Path,
    effort: Effort,
) -> io::Result<Vec<String>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(paths.iter());
    let work = || {
        let mut rows = Vec::new();
        loop {
            let path = next.lock().expect("no thread panics with the lock").next();
            let Some(path) = path else {
                return Ok(rows);
            };
            let name = path.strip_prefix(page).expect("it is in the directory");
            let name = name.to_str().expect("names of the page are ASCII");
            rows.extend(compress(name, path, output, effort)?);
        }
    };
    let rows = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let rows = workers
            .into_iter()
            .map(|worker| worker.join().expect("no worker panics"));
        rows.collect::<io::Result<Vec<Vec<String>>>>()
    })?;
    let mut rows = rows.concat();
    // The table must not depend on the order in which the threads finish.
    rows.sort();
    Ok(rows)
}

/// Compresses one file, unless it was compressed before; returns its row of the table.
fn compress(name: &str, path: &Path, output: &Path, effort: Effort) -> io::Result<Option<String>> {
    let content = comments::remove(name, Cow::Owned(fs::read(path)?));
    if !pack::is_compressible(name, content.len()) {
        return Ok(None);
    }
    let (crc, length) = pack::fingerprint(&content);
    let stem = format!("{crc:08x}-{length}");
    let brotli = output.join(format!("{stem}-{}.br", effort.brotli));
    let gzip = output.join(format!("{stem}-{}.gz", effort.gzip));
    write_once(&brotli, || pack::brotli(&content, effort))?;
    write_once(&gzip, || pack::gzip(&content, effort))?;
    let mut row = String::new();
    writeln!(
        row,
        "({name:?}, ({crc}, {length}), include_bytes!({brotli:?}), include_bytes!({gzip:?})),"
    )
    .expect("a text takes what is written to it");
    Ok(Some(row))
}

/// Writes a file completely or not at all: an interrupted build leaves no partial file.
fn write_once(path: &Path, content: impl FnOnce() -> Vec<u8>) -> io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    // Two files may have the same content: each thread writes to its own temporary file.
    let part = path.with_extension(format!("{:?}", thread::current().id()));
    fs::write(&part, content())?;
    fs::rename(part, path)
}

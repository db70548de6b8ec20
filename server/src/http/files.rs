//! The files of the page, embedded in the binary. A debug build reads them from disk; each is kept in memory until it changes there.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

use parking_lot::Mutex;
use rust_embed::RustEmbed;

use crate::page::comments;
use crate::page::precompressed::Resource;

/// The folder from which a debug build reads the files.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../static/");

#[derive(RustEmbed)]
#[folder = "../static/"]
#[exclude = "tests/*"]
#[exclude = "*.d.ts"]
pub(crate) struct Assets;

/// The version of a file: constant in a release, modification time and size on disk in a debug build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp(Option<(SystemTime, u64)>);

impl Stamp {
    pub(crate) fn from_path(path: &str) -> Stamp {
        if !cfg!(debug_assertions) {
            return Stamp(None);
        }
        let metadata = std::fs::metadata(Path::new(FOLDER).join(path)).ok();
        Stamp(metadata.and_then(|it| Some((it.modified().ok()?, it.len()))))
    }
}

/// A cache of resources, each with the versions of its sources.
pub(crate) type Kept<K, S, R = Resource> = LazyLock<Mutex<HashMap<K, (S, Arc<R>)>>>;

/// One entry for each file of the page.
pub(crate) static FILES: Kept<String, Stamp> = LazyLock::new(Mutex::default);

pub(crate) fn kept<K: Hash + Eq, S: PartialEq, R>(
    all: &Kept<K, S, R>,
    key: &K,
    stamp: &S,
) -> Option<Arc<R>> {
    let all = all.lock();
    let (known, resource) = all.get(key)?;
    (known == stamp).then(|| Arc::clone(resource))
}

/// Stores a resource, or returns the one that another task has stored in the meantime.
pub(crate) fn keep<K: Hash + Eq, S: PartialEq, R>(
    all: &Kept<K, S, R>,
    key: K,
    stamp: S,
    made: R,
) -> Arc<R> {
    if let Some(resource) = kept(all, &key, &stamp) {
        return resource;
    }
    let made = Arc::new(made);
    let mut all = all.lock();
    all.insert(key, (stamp, Arc::clone(&made)));
    made
}

/// Returns a file of the page.
pub(crate) fn file(path: &str) -> Option<Arc<Resource>> {
    let stamp = Stamp::from_path(path);
    if let Some(file) = kept(&FILES, &path.to_owned(), &stamp) {
        return Some(file);
    }
    let file = Assets::get(path)?;
    let made = Resource::new(path, comments::remove(path, file.data));
    Some(keep(&FILES, path.to_owned(), stamp, made))
}

/// Returns whether the page has a file at a path.
pub(crate) fn is_file(path: &str) -> bool {
    Assets::get(path).is_some()
}

/// Returns a text file of the page.
pub(crate) fn text_of(path: &str) -> Option<String> {
    let file = Assets::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

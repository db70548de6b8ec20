//! The version of the page: the list of its files, a digest of them, and the addresses under that digest.
//!
//! A document links to its files below `/v/VERSION/`, and modules, style sheets and workers refer to each other by relative addresses, so
//! that all files of a page are below it. There a response may be stored for good: other contents have another version.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tokio::task::JoinError;

use crate::http::files::{Assets, file};
use crate::http::pages;
use crate::page::precompressed::{self, Resource};

/// The service worker, made from the file of that name.
pub(crate) const WORKER: &str = "sw.js";

/// The start of the path of every avatar and flag. A page asks for the few that it shows, so they are in no list and below no version.
pub(crate) const LOOKS: &str = "looks/";

/// The start of every path below a version.
const PLACE: &str = "v/";

/// The start of a link in HTML to an address of this server.
const LINK: &str = "=\"/";

/// The manifest: browsers know an installed page by its address.
const MANIFEST: &str = "manifest.webmanifest";

/// Files that do not belong to a version: the documentation of the API is useless without the API, boards on other pages are live, the first content of pages is
/// only for a first visit, only the server reads the texts of cards, of avatars and flags a reader sees a few, the notices of third parties are long and seldom read, and the rest is for programs.
const NOT_LISTED: [&str; 10] = [
    "apidocs/",
    "embed/",
    "first/",
    "i18n/cards/",
    "i18n/mails/",
    LOOKS,
    "third-party-notices.txt",
    "favicon.ico",
    "robots.txt",
    WORKER,
];

/// The files of a version, and the addresses at which the document is shown. The service worker begins with it.
#[derive(Debug, Serialize)]
pub(crate) struct Shell {
    /// A digest of all files, and of the release: another one may send other headers.
    version: String,
    /// The tag of each file, by its address without the version.
    files: BTreeMap<String, String>,
    pages: Vec<&'static str>,
}

/// The list that was made last.
static LAST: Mutex<Option<Arc<Shell>>> = Mutex::new(None);

impl Shell {
    /// Makes the list from the contents of all files.
    pub(crate) fn new() -> Self {
        let listed = |path: &str| !NOT_LISTED.iter().any(|start| path.starts_with(start));
        let tag = |path: &str| Some(file(path)?.tag().to_str().ok()?.to_owned());
        let files: BTreeMap<String, String> = Assets::iter()
            .filter(|path| listed(path))
            .filter_map(|path| Some((format!("/{path}"), tag(&path)?)))
            .collect();
        let mut digest = Sha256::new();
        digest.update(concat!(env!("CARGO_PKG_VERSION"), "\n"));
        for (path, tag) in &files {
            digest.update(format!("{path} {tag}\n"));
        }
        Self {
            version: precompressed::short(&digest.finalize()),
            files,
            pages: pages::first_words(),
        }
    }

    /// Returns the list of the files as they are. A release makes it once, a debug build on each call.
    pub(crate) async fn current() -> Option<Arc<Shell>> {
        static RELEASED: OnceCell<Arc<Shell>> = OnceCell::const_new();
        let making = async || {
            // It reads all files.
            let made = tokio::task::spawn_blocking(|| Arc::new(Shell::new())).await?;
            *LAST.lock() = Some(Arc::clone(&made));
            Ok::<_, JoinError>(made)
        };
        if cfg!(debug_assertions) {
            making().await.ok()
        } else {
            RELEASED.get_or_try_init(making).await.ok().cloned()
        }
    }

    /// Returns the last list, that of the newest document.
    async fn last() -> Option<Arc<Shell>> {
        let last = LAST.lock().clone();
        match last {
            Some(last) => Some(last),
            None => Shell::current().await,
        }
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Returns HTML whose links to files of this list lead below the version.
    pub(crate) fn versioned(&self, html: &str) -> String {
        let mut links = html.split(LINK);
        let mut text = links.next().unwrap_or_default().to_owned();
        for link in links {
            text.push_str(LINK);
            // A symbol of a picture is named by a fragment.
            let name = link.split(['"', '#']).next().unwrap_or_default();
            if name != MANIFEST && self.tag(name).is_some() {
                text.push_str(&format!("{PLACE}{}/", self.version));
            }
            text.push_str(link);
        }
        text
    }

    /// Returns the file at a path like `v/VERSION/core/dom.js`; `None` if the path names no version, or no file of the page.
    fn find(&self, path: &str) -> Option<Found> {
        let (version, name) = path.strip_prefix(PLACE)?.split_once('/')?;
        let tag = self.tag(name)?;
        let file = file(name)?;
        // In a debug build the file may have changed since the list was made.
        let is_of_version = version == self.version && file.tag().as_bytes() == tag.as_bytes();
        Some(Found {
            file,
            is_of_version,
        })
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.files.get(&format!("/{name}")).map(String::as_str)
    }
}

/// Returns a path without the version below which it may be.
pub(crate) fn without_version(path: &str) -> &str {
    let below = path
        .strip_prefix(PLACE)
        .and_then(|rest| rest.split_once('/'));
    below.map_or(path, |(_, name)| name)
}

/// The file at an address below a version.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) file: Arc<Resource>,
    /// Whether it is the file of the version that the address names. Another node, or the server before its last restart, may have
    /// another version; its pages get the files that there are.
    pub(crate) is_of_version: bool,
}

/// Returns the file at an address below a version, this one or another.
pub(crate) async fn find(path: &str) -> Option<Found> {
    if !path.starts_with(PLACE) {
        return None;
    }
    Shell::last().await?.find(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_of_the_page_lead_below_its_version() {
        let shell = Shell::new();
        let version = shell.version();
        assert_eq!(version.len(), 16);
        let html = shell.versioned(
            "<script src=\"/theme.js\"></script><img src=\"/art/mawe.svg\"><a href=\"/\"><a href=\"/rules/mawe\">",
        );
        assert_eq!(
            html,
            format!(
                "<script src=\"/v/{version}/theme.js\"></script><img src=\"/v/{version}/art/mawe.svg\"><a href=\"/\"><a href=\"/rules/mawe\">"
            )
        );
        assert_eq!(
            shell.versioned("<use href=\"/icons/signs.svg#menu\">"),
            format!("<use href=\"/v/{version}/icons/signs.svg#menu\">")
        );
        for other in [
            "<link href=\"/manifest.webmanifest\">",
            "<link href=\"/api/v1/me\">",
            "<script src=\"/sw.js\">",
            "<a href=\"/third-party-notices.txt\">",
            "app.js=\"/",
            "",
        ] {
            assert_eq!(shell.versioned(other), other);
        }
    }

    #[test]
    fn only_the_present_version_has_its_files_for_good() {
        let shell = Shell::new();
        let own = format!("v/{}", shell.version());
        for (path, expected) in [
            (format!("{own}/app.js"), Some(true)),
            (format!("{own}/i18n/rules/pl.json"), Some(true)),
            ("v/AAAAAAAAAAAAAAAA/app.js".to_owned(), Some(false)),
            ("v//app.js".to_owned(), Some(false)),
            (format!("{own}/sw.js"), None),
            (format!("{own}/first/home.html"), None),
            (format!("{own}/i18n/cards/en.json"), None),
            (format!("{own}/../Cargo.toml"), None),
            (format!("{own}/css/../app.js"), None),
            (format!("{own}//app.js"), None),
            (format!("{own}/{own}/app.js"), None),
            (own.clone(), None),
            ("v/".to_owned(), None),
            ("app.js".to_owned(), None),
        ] {
            let found = shell.find(&path).map(|found| found.is_of_version);
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn a_file_that_has_changed_since_is_not_of_the_version() {
        let mut shell = Shell::new();
        let path = format!("v/{}/app.js", shell.version());
        let tag = shell.files.get_mut("/app.js").expect("it is listed");
        "\"changed\"".clone_into(tag);
        assert!(!shell.find(&path).expect("it is there").is_of_version);
    }

    #[test]
    fn no_page_has_an_address_below_a_version() {
        assert!(!pages::first_words().contains(&PLACE.trim_end_matches('/')));
        assert!(Assets::get("v").is_none());
    }
}

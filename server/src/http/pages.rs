//! The addresses of the page.

use std::borrow::Cow;
use std::str::FromStr;

use mawe_rules::GameKind;

/// The patterns of `static/app.js`, in the same order.
const ROUTES: [&str; 23] = [
    "/",
    "/play",
    "/play/:game",
    "/match/:id",
    "/device/:id",
    "/challenge/:id",
    "/player/:name",
    "/player/:name/report",
    "/moderation",
    "/players",
    "/players/:game",
    "/watch",
    "/learn",
    "/learn/:game",
    "/learn/:game/:task",
    "/analysis",
    "/analysis/:id",
    "/analysis/device/:device",
    "/rules/:game",
    "/login",
    "/register",
    "/settings",
    "/about",
];

/// The kind of page at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// A page that always exists.
    Page,
    /// The page of the match with this id, which may not exist.
    Match(String),
    /// The page of the player of this name, who may not exist.
    Player(String),
}

/// Returns the kind of page at a path; `None` if the page has no such address.
pub(crate) fn address(path: &str) -> Option<Address> {
    let words: Vec<&str> = words(path).collect();
    ROUTES.into_iter().find_map(|route| at(route, &words))
}

fn at(route: &str, given: &[&str]) -> Option<Address> {
    let wanted: Vec<&str> = words(route).collect();
    if wanted.len() != given.len() {
        return None;
    }
    let mut address = Address::Page;
    for (want, word) in wanted.iter().zip(given) {
        match *want {
            ":id" if matches!(wanted[0], "match" | "analysis") => {
                address = Address::Match(decoded(word)?.into_owned());
            }
            ":name" => address = Address::Player(decoded(word)?.into_owned()),
            ":game" => {
                GameKind::from_str(word).ok()?;
            }
            want if want.starts_with(':') => {
                decoded(word)?;
            }
            want if want == *word => {}
            _ => return None,
        }
    }
    Some(address)
}

fn words(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|word| !word.is_empty())
}

/// Decodes the percent-encoding of a path segment; `None` if the result is not UTF-8.
fn decoded(word: &str) -> Option<Cow<'_, str>> {
    percent_encoding::percent_decode_str(word)
        .decode_utf8()
        .ok()
}

/// Returns the first segments of the page's addresses, for the service worker.
pub(crate) fn first_words() -> Vec<&'static str> {
    let mut words: Vec<&str> = ROUTES
        .iter()
        .map(|route| words(route).next().unwrap_or_default())
        .collect();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_itself_knows_the_same_addresses() {
        let script = include_str!("../../../static/app.js");
        let patterns = script
            .split("{ pattern: \"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap_or_default());
        assert_eq!(patterns.collect::<Vec<_>>(), ROUTES);
    }

    #[test]
    fn an_address_says_what_must_be_there() {
        let of = |id: &str| Some(Address::Match(id.to_owned()));
        let by = |name: &str| Some(Address::Player(name.to_owned()));
        for (path, expected) in [
            ("/", Some(Address::Page)),
            ("/watch", Some(Address::Page)),
            ("/watch/", Some(Address::Page)),
            ("/rules/oware", Some(Address::Page)),
            ("/play", Some(Address::Page)),
            ("/play/oware", Some(Address::Page)),
            ("/play/chess", None),
            ("/device/abc", Some(Address::Page)),
            ("/match/abc", of("abc")),
            ("/analysis/abc", of("abc")),
            ("/analysis/device/abc", Some(Address::Page)),
            ("/player/Amina", by("Amina")),
            ("/player/Amina/report", by("Amina")),
            ("/player/%C5%BB%C3%B3%C5%82w", by("Żółw")),
            ("/player/%ff", None),
            ("/match/", None),
            ("/match/a/b", None),
            ("/rules", None),
            ("/rules/chess", None),
            ("/learn/chess", None),
            ("/players/chess", None),
            ("/nothing", None),
            ("/watch/more", None),
        ] {
            assert_eq!(address(path), expected, "{path}");
        }
    }

    #[test]
    fn the_service_worker_hears_each_first_word_once() {
        let words = first_words();
        assert_eq!(words.len(), 16);
        for word in ["", "match", "players", "about"] {
            let times = words.iter().filter(|one| **one == word).count();
            assert_eq!(times, 1, "{word}");
        }
    }
}

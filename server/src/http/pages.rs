//! The addresses of the page, with the title and the description of each.

use std::borrow::Cow;
use std::str::FromStr;

use mawe_rules::GameKind;

/// An address, or all those of a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) pattern: &'static str,
    /// The title as the page's script writes it, with keys of the catalogues in braces and `$game` for the id of the game. Empty if it
    /// is made of the object that is shown.
    pub(crate) title: &'static str,
    /// The description, as the title.
    pub(crate) description: &'static str,
    /// Whether search engines are to list it.
    pub(crate) is_listed: bool,
}

const fn listed(pattern: &'static str, title: &'static str, description: &'static str) -> Route {
    Route {
        pattern,
        title,
        description,
        is_listed: true,
    }
}

/// An address for the reader alone.
const fn unlisted(pattern: &'static str, title: &'static str, description: &'static str) -> Route {
    Route {
        pattern,
        title,
        description,
        is_listed: false,
    }
}

/// The description of the product, for addresses that have none of their own.
const LEAD: &str = "{about.lead}";

/// The title and the description of an address where nothing is.
pub(crate) const MISSING: Route = unlisted("", "{missing.title}", LEAD);

/// The title and the description of an address without an answer of the store about its object.
pub(crate) const UNKNOWN: Route = unlisted("", "{home.title}", LEAD);

/// The patterns of `static/app.js`, in the same order.
static ROUTES: [Route; 38] = [
    listed("/", "{home.title}", LEAD),
    listed("/play", "{new.title}", "{card.play}"),
    listed(
        "/play/:game",
        "{game.$game.name}: {new.title}",
        "{game.$game.lead}",
    ),
    listed("/match/:id", "", ""),
    unlisted("/device/:id", "{device.title}", LEAD),
    unlisted("/challenge/:id", "{challenge.title}", "{card.challenge}"),
    listed("/player/:name", "", ""),
    unlisted("/player/:name/report", "", ""),
    unlisted("/moderation", "{moderation.title}", LEAD),
    unlisted("/admin", "{admin.title}", LEAD),
    unlisted("/invitations", "{invitations.title}", LEAD),
    listed("/players", "{players.title}", "{card.players}"),
    listed(
        "/players/:game",
        "{game.$game.name}: {players.title}",
        "{card.players}",
    ),
    unlisted("/people", "{people.title}", LEAD),
    listed("/clubs", "{clubs.title}", "{clubs.lead}"),
    unlisted("/club/:handle", "{clubs.title}", "{clubs.lead}"),
    unlisted("/club-match/:id", "{clubs.matches.title}", "{clubs.lead}"),
    listed("/events", "{events.title}", "{events.lead}"),
    unlisted("/event/:id", "{events.title}", "{events.lead}"),
    unlisted("/new-event", "{event.new.title}", "{events.lead}"),
    listed("/watch", "{watch.title}", "{watch.lead}"),
    listed("/learn", "{menu.learn}", "{learn.lead}"),
    listed(
        "/learn/:game",
        "{game.$game.name}: {menu.learn}",
        "{card.learn}",
    ),
    unlisted(
        "/learn/:game/:task",
        "{game.$game.name}: {menu.learn}",
        "{card.learn}",
    ),
    listed("/analysis", "{menu.analysis}", "{analysis.lead}"),
    listed("/analysis/:id", "", ""),
    unlisted(
        "/analysis/device/:device",
        "{menu.analysis}",
        "{analysis.lead}",
    ),
    listed("/rules/:game", "{rules.$game.title}", "{rules.$game.lead}"),
    unlisted(
        "/editor/:game",
        "{game.$game.name}: {editor.title}",
        "{editor.lead}",
    ),
    unlisted("/login", "{account.log-in}", LEAD),
    unlisted("/login-card", "{class.login}", LEAD),
    unlisted("/confirm-email", "{email.confirm}", LEAD),
    unlisted("/reset-password", "{email.reset}", LEAD),
    unlisted("/register", "{account.register}", "{account.register.hint}"),
    unlisted("/oauth/authorize", "{oauth.title}", LEAD),
    unlisted("/notices", "{notice.title}", LEAD),
    unlisted("/settings", "{settings.title}", LEAD),
    listed("/about", "{about.title}", LEAD),
];

/// An address of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) route: &'static Route,
    /// The game that the address names.
    pub(crate) game: Option<GameKind>,
    pub(crate) object: Object,
}

/// The object in the store that an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Object {
    /// None: the page always exists.
    None,
    /// The match with this id, which may not exist.
    Match(String),
    /// The player of this name, if there is one.
    Player(String),
}

/// Returns the address that a path is; `None` if the page has no such address.
pub(crate) fn address(path: &str) -> Option<Address> {
    let words: Vec<&str> = words(path).collect();
    ROUTES.iter().find_map(|route| at(route, &words))
}

fn at(route: &'static Route, given: &[&str]) -> Option<Address> {
    let wanted: Vec<&str> = words(route.pattern).collect();
    if wanted.len() != given.len() {
        return None;
    }
    let mut address = Address {
        route,
        game: None,
        object: Object::None,
    };
    for (want, word) in wanted.iter().zip(given) {
        match *want {
            ":id" if matches!(wanted[0], "match" | "analysis") => {
                address.object = Object::Match(decoded(word)?.into_owned());
            }
            ":name" => address.object = Object::Player(decoded(word)?.into_owned()),
            ":game" => address.game = Some(GameKind::from_str(word).ok()?),
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
        .map(|route| words(route.pattern).next().unwrap_or_default())
        .collect();
    words.dedup();
    words
}

/// Returns the paths for the site map: the listed addresses that name no object of the store.
pub(crate) fn listed_paths() -> Vec<String> {
    let listed = ROUTES.iter().filter(|route| route.is_listed);
    let paths = listed.flat_map(|route| match route.pattern.strip_suffix("/:game") {
        Some(start) => GameKind::ALL
            .iter()
            .map(|game| format!("{start}/{game}"))
            .collect(),
        None if route.pattern.contains(':') => Vec::new(),
        None => vec![route.pattern.to_owned()],
    });
    paths.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_itself_knows_the_same_addresses() {
        let script = include_str!("../../../static/app.js");
        let patterns = script
            .split("pattern: \"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap_or_default());
        let ours = ROUTES.iter().map(|route| route.pattern);
        assert_eq!(patterns.collect::<Vec<_>>(), ours.collect::<Vec<_>>());
    }

    #[test]
    fn an_address_says_what_must_be_there() {
        let page = Some(Object::None);
        let of = |id: &str| Some(Object::Match(id.to_owned()));
        let by = |name: &str| Some(Object::Player(name.to_owned()));
        for (path, expected) in [
            ("/", page.clone()),
            ("/watch", page.clone()),
            ("/watch/", page.clone()),
            ("/rules/oware", page.clone()),
            ("/editor/oware", page.clone()),
            ("/editor", None),
            ("/editor/chess", None),
            ("/play", page.clone()),
            ("/play/oware", page.clone()),
            ("/play/chess", None),
            ("/device/abc", page.clone()),
            ("/match/abc", of("abc")),
            ("/analysis/abc", of("abc")),
            ("/oauth/authorize", page.clone()),
            ("/people", page.clone()),
            ("/login-card", page.clone()),
            ("/analysis/device/abc", page),
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
            ("/oauth/token", None),
        ] {
            assert_eq!(address(path).map(|it| it.object), expected, "{path}");
        }
        let rules = address("/rules/oware").expect("an address");
        assert_eq!(
            (rules.route.pattern, rules.game),
            ("/rules/:game", Some(GameKind::Oware))
        );
    }

    #[test]
    fn the_service_worker_hears_each_first_word_once() {
        let words = first_words();
        assert_eq!(words.len(), 31);
        for word in ["", "match", "players", "about"] {
            let times = words.iter().filter(|one| **one == word).count();
            assert_eq!(times, 1, "{word}");
        }
    }

    #[test]
    fn listed_paths_are_addresses_that_always_exist() {
        let paths = listed_paths();
        // Nine without a game, four with one.
        assert_eq!(paths.len(), 9 + 4 * GameKind::ALL.len());
        for path in &paths {
            let address = address(path).expect("an address");
            assert_eq!(address.object, Object::None, "{path}");
        }
        for path in ["/", "/players/kalah", "/about"] {
            assert!(paths.iter().any(|one| one == path), "{path}");
        }
        assert!(!paths.iter().any(|path| path == "/settings"));
    }
}

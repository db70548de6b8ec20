//! The content of a page before its scripts load: the header and the first content, in the document itself, in the browser's preferred
//! language. The scripts later replace it with the same content; `static/first/` has it as HTML with keys of the catalogues in braces.
//! The first content of a match or a player is written for each response ([`super::first_content`]).
//! The catalogue of that language is part of the document too: as a file it would be the largest, and the last to arrive.

use std::str::FromStr;

use mawe_rules::GameKind;
use mawe_wire::Language;

use crate::http::catalogues::filled;
use crate::http::files::text_of;
use crate::http::shell::Shell;
use crate::page::joined::Shared;

/// The marker in the document for its title, its description and its card, which [`super::cards`] writes for each response.
const HEAD: &str = "<!--head-->";

/// The marker in the document for the first content.
const PLACE: &str = "<!--first-->";

/// The marker in the first content for that of one match or player, which [`super::first_content`] writes for each response.
const OWN: &str = "<!--own-->";

/// The marker in the document for the catalogue.
const WORDS: &str = "<!--words-->";

/// The attribute in the document on the modules of a match, so that they load after those of the page shown.
const LATER: &str = " fetchpriority=\"low\"";

/// The last style sheet of the document.
const LAST_SHEET: &str = "home";

/// The page whose first content a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Page {
    Home,
    Watch,
    Rules(GameKind),
    /// Any match.
    Match,
    /// Any player.
    Player,
    /// No page is at the address.
    Missing,
    /// Any page of a server with an operator's banner: without first content, because the banner, if this visitor sees it, would move the
    /// content below it.
    Bare,
    /// Any other page, which has only the header.
    Other,
}

impl Page {
    /// Returns the page of a path that begins with a slash.
    pub(crate) fn from_path(path: &str) -> Page {
        let mut words = path.trim_matches('/').split('/');
        match (words.next(), words.next(), words.next()) {
            (Some(""), None, _) => Page::Home,
            (Some("watch"), None, _) => Page::Watch,
            (Some("match"), Some(_), None) => Page::Match,
            (Some("player"), Some(_), None) => Page::Player,
            (Some("rules"), Some(game), None) => {
                GameKind::from_str(game).map_or(Page::Other, Page::Rules)
            }
            _ => Page::Other,
        }
    }

    /// Whether its first content is that of an object of the store.
    pub(crate) fn has_object(self) -> bool {
        match self {
            Page::Match | Page::Player => true,
            Page::Home | Page::Watch | Page::Rules(_) => false,
            Page::Missing | Page::Bare | Page::Other => false,
        }
    }
}

/// Returns the source files of the documents in a language.
pub(crate) fn sources(language: Language) -> Vec<String> {
    let parts = ["header", "home", "watch", "rules", "missing"];
    let parts = parts.map(|part| format!("first/{part}.html"));
    let tag = language.as_str();
    let others = [
        "index.html".to_owned(),
        format!("i18n/{tag}.json"),
        format!("i18n/rest/{tag}.json"),
        format!("i18n/rules/{tag}.json"),
    ];
    others.into_iter().chain(parts).collect()
}

/// A document without the parts that are written for each response: its head, and its first content where that is of an object.
#[derive(Debug)]
pub(crate) struct Document {
    /// The part before the head.
    pub(crate) start: String,
    /// The parts after each of them.
    pub(crate) rest: Shared,
}

impl Document {
    /// Builds the document of a page. There is one for each language and each kind of page. It has nothing specific to one match or
    /// player, because it is compressed once and cached.
    pub(crate) fn new(page: Page, language: Language, shell: &Shell) -> Option<Document> {
        let [start, rest] = parts(page, language, shell)?;
        let rest = rest.split(OWN).map(str::to_owned);
        Some(Document {
            start,
            rest: Shared::new(rest.collect()),
        })
    }
}

/// Returns the parts of a document before and after its head.
fn parts(page: Page, language: Language, shell: &Shell) -> Option<[String; 2]> {
    let document = text_of("index.html")?;
    let main = match page {
        Page::Home => text_of("first/home.html"),
        Page::Watch => text_of("first/watch.html"),
        Page::Rules(game) => Some(of_game(&text_of("first/rules.html")?, game)),
        Page::Missing => text_of("first/missing.html"),
        Page::Match | Page::Player => Some(OWN.to_owned()),
        Page::Other | Page::Bare => None,
    };
    let first = match page {
        Page::Bare => String::new(),
        _ => format!(
            "{}<main class=\"early\">{}</main>",
            text_of("first/header.html")?,
            main.unwrap_or_default()
        ),
    };
    let document = document.replace(PLACE, &filled(&first, language));
    let document = shell.versioned(&document);
    // The front page is the first visit of most readers. It does not say the rest of the texts; all other pages may.
    let words = match page {
        Page::Home => words_of("", language)?,
        _ => words_of("", language)? + &words_of("rest/", language)?,
    };
    let document = document.replace(WORDS, &words);
    let with_sheet = |name| {
        let last = sheet(LAST_SHEET, shell);
        document.replace(&last, &format!("{last}\n{}", sheet(name, shell)))
    };
    let document = match page {
        // The modules that other pages load late are the first that a match needs.
        Page::Match => document.replace(LATER, ""),
        Page::Player => with_sheet("player"),
        Page::Watch => with_sheet("watch"),
        Page::Rules(_) => with_sheet("rules"),
        Page::Home | Page::Missing | Page::Other | Page::Bare => document,
    };
    let tag = language.as_str();
    let document = document.replace(
        "<html lang=\"en\">",
        &format!("<html lang=\"{tag}\" data-words=\"{tag}\">"),
    );
    let (start, rest) = document.split_once(HEAD)?;
    Some([start.to_owned(), rest.to_owned()])
}

/// Returns the link to a style sheet.
fn sheet(name: &str, shell: &Shell) -> String {
    shell.versioned(&format!(
        "<link rel=\"stylesheet\" href=\"/css/{name}.css\">"
    ))
}

/// Returns a catalogue, given the folder of its part, as an element that `static/core/i18n.js` reads; `static/theme.js` requests other
/// languages.
fn words_of(folder: &str, language: Language) -> Option<String> {
    let path = format!("{folder}{}.json", language.as_str());
    // In this JSON `<` occurs only within strings. Escaping it keeps a text from ending the element.
    let words = text_of(&format!("i18n/{path}"))?.replace('<', "\\u003c");
    Some(format!(
        "<script type=\"application/json\" data-catalogue=\"{path}\">{}</script>",
        words.trim()
    ))
}

/// Returns the first request of the scripts at this address, as the value of a `Link` header (RFC 8288): the state of a match.
pub(crate) fn ahead(path: &str) -> Option<String> {
    // Ids of matches are alphanumeric.
    let is_id = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let id = path.strip_prefix("/match/").filter(is_id)?;
    Some(format!(
        "</api/v1/matches/{id}>; rel=preload; as=fetch; crossorigin=anonymous"
    ))
}

/// Inserts the game's id, and marks the link to its rules as the current page.
fn of_game(text: &str, game: GameKind) -> String {
    let here = format!("href=\"/rules/{game}\"");
    text.replace("$game", game.id())
        .replace(&here, &format!("{here} aria-current=\"page\""))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::http::catalogues::text;

    fn document(page: Page, language: Language) -> String {
        let shell = Shell::new();
        let parts = parts(page, language, &shell);
        parts.expect("there is a document").concat()
    }

    /// The keys in braces.
    fn keys_in(text: &str) -> impl Iterator<Item = &str> {
        text.split('{')
            .skip(1)
            .filter_map(|rest| rest.split('}').next())
    }

    fn words_have(language: Language, key: &str) -> bool {
        text(language, key).is_some()
    }

    #[test]
    fn every_page_says_its_first_words_in_every_language() {
        let games = GameKind::ALL.iter().map(|game| format!("/rules/{game}"));
        let others = ["/", "/watch", "/match/abc", "/player/abc", "/rules/chess"];
        let others = others.map(str::to_owned);
        let pages = games.chain(others).map(|path| Page::from_path(&path));
        for page in pages.chain([Page::Missing]) {
            for language in Language::ALL {
                let document = document(page, language);
                assert!(!document.contains(PLACE), "{page:?}");
                assert_eq!(document.contains(OWN), page.has_object(), "{page:?}");
                let (shown, rest) = document
                    .split_once("<script type=\"application/json\"")
                    .expect("the words come along");
                let (words, end) = rest.split_once("</script>").expect("the element ends");
                let end = match end.split_once("<script type=\"application/json\"") {
                    Some((between, rest)) => {
                        assert!(!matches!(page, Page::Home) && between.is_empty());
                        rest.split_once("</script>").expect("the element ends").1
                    }
                    None => {
                        assert!(matches!(page, Page::Home));
                        end
                    }
                };
                let words = words.split_once('>').expect("the element begins").1;
                let words: HashMap<String, String> =
                    serde_json::from_str(words).expect("a catalogue");
                assert!(words.len() > 100, "{page:?}");
                let expected = text(language, "menu.watch");
                assert_eq!(words.get("menu.watch").map(String::as_str), expected);
                for part in [shown, end] {
                    assert!(!part.contains(['{', '}', '$']), "{page:?}: {part}");
                }
            }
        }
        for part in ["header", "home", "missing", "rules", "watch"] {
            let text = text_of(&format!("first/{part}.html")).expect("it is there");
            for game in GameKind::ALL {
                let text = of_game(&text, *game);
                for (key, language) in
                    keys_in(&text).flat_map(|key| Language::ALL.map(move |one| (key, one)))
                {
                    assert!(words_have(language, key), "{part}: {key}");
                }
            }
        }
    }

    #[test]
    fn a_match_waits_for_none_of_its_modules() {
        let later = |path| {
            let document = document(Page::from_path(path), Language::En);
            document.matches(LATER).count()
        };
        assert!(later("/") > 5);
        assert_eq!(later("/match/abc"), 0);
    }

    #[test]
    fn a_page_whose_first_content_has_a_style_sheet_of_its_own_has_it_at_once() {
        let sheets = |path| {
            let document = document(Page::from_path(path), Language::En);
            let shell = Shell::new();
            let has = |name: &&str| document.matches(&sheet(name, &shell)).count() == 1;
            ["player", "watch", "rules"]
                .into_iter()
                .filter(has)
                .collect::<Vec<_>>()
        };
        assert_eq!(sheets("/player/Amina"), ["player"]);
        assert_eq!(sheets("/watch"), ["watch"]);
        assert_eq!(sheets("/rules/oware"), ["rules"]);
        for path in ["/", "/match/abc", "/player/Amina/report", "/settings"] {
            assert!(sheets(path).is_empty(), "{path}");
        }
    }

    #[test]
    fn what_the_scripts_of_a_match_will_ask_for_is_named() {
        assert_eq!(
            ahead("/match/4fWq8ZtLm1Bs").as_deref(),
            Some("</api/v1/matches/4fWq8ZtLm1Bs>; rel=preload; as=fetch; crossorigin=anonymous")
        );
        for path in [
            "/",
            "/player/4fWq8ZtLm1Bs",
            "/match/",
            "/match/a%22b",
            "/match/a/b",
            "/match/\"><b>",
        ] {
            assert_eq!(ahead(path), None, "{path}");
        }
    }

    #[test]
    fn there_is_one_document_for_all_matches_and_one_for_all_players() {
        for (path, expected) in [
            ("/match/4fWq8ZtLm1Bs", Page::Match),
            ("/match/another", Page::Match),
            ("/match/a/b", Page::Other),
            ("/match/", Page::Other),
            ("/player/Amina", Page::Player),
            ("/player/Amina/report", Page::Other),
            ("/", Page::Home),
            ("/watch", Page::Watch),
            ("/rules/oware", Page::Rules(GameKind::Oware)),
            ("/rules/chess", Page::Other),
            ("/settings", Page::Other),
        ] {
            assert_eq!(Page::from_path(path), expected, "{path}");
        }
    }
}

//! The content of a page before its scripts load: the header and the first content, in the document itself, in the browser's preferred
//! language. The scripts later replace it with the same content; `static/first/` has it as HTML with keys of the catalogues in braces.
//! The catalogue of that language is part of the document too: as a file it would be the largest, and the last to arrive.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;

use axum::http::{HeaderMap, header};
use mawe_rules::GameKind;
use mawe_wire::Language;

use crate::http::files::text_of;

/// The marker in the document for its title and description.
const HEAD: &str = "<!--head-->";

/// The marker in the document for the first content.
const PLACE: &str = "<!--first-->";

/// The marker in the document for the catalogue.
const WORDS: &str = "<!--words-->";

/// The attribute in the document on the modules of a match, so that they load after those of the page shown.
const LATER: &str = " fetchpriority=\"low\"";

type Catalogue = HashMap<String, String>;

/// The catalogues in the order of [`Language::ALL`].
static CATALOGUES: LazyLock<[Catalogue; Language::ALL.len()]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let parts = catalogue_paths(language).map(|path| {
            let text = text_of(&path).unwrap_or_default();
            serde_json::from_str::<Catalogue>(&text).unwrap_or_default()
        });
        parts.into_iter().flatten().collect()
    })
});

/// Returns the catalogues with the texts of first contents: that of every page, and that of the rules.
fn catalogue_paths(language: Language) -> [String; 2] {
    ["i18n", "i18n/rules"].map(|folder| format!("{folder}/{}.json", language.as_str()))
}

/// The page whose first content a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Page {
    Home,
    Watch,
    Rules(GameKind),
    /// Any match.
    Match,
    /// No page is at the address.
    Missing,
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
            (Some("rules"), Some(game), None) => {
                GameKind::from_str(game).map_or(Page::Other, Page::Rules)
            }
            _ => Page::Other,
        }
    }
}

/// Returns the source files of the documents in a language.
pub(crate) fn sources(language: Language) -> Vec<String> {
    let parts = ["header", "home", "watch", "rules", "missing"];
    let parts = parts.map(|part| format!("first/{part}.html"));
    let others = ["index.html".to_owned()];
    let catalogues = catalogue_paths(language);
    others.into_iter().chain(catalogues).chain(parts).collect()
}

/// Returns the document of a page. There is one for each language and each page with first content. It has nothing specific to one match,
/// because it is compressed once and cached.
pub(crate) fn document(page: Page, language: Language) -> Option<String> {
    let document = text_of("index.html")?;
    let header = text_of("first/header.html")?;
    let main = match page {
        Page::Home => text_of("first/home.html"),
        Page::Watch => text_of("first/watch.html"),
        Page::Rules(game) => Some(of_game(&text_of("first/rules.html")?, game)),
        Page::Missing => text_of("first/missing.html"),
        Page::Match | Page::Other => None,
    };
    let first = format!(
        "{header}<main class=\"early\">{}</main>",
        main.unwrap_or_default()
    );
    let document = document.replace(HEAD, &filled(&head(page), language));
    let document = document.replace(PLACE, &filled(&first, language));
    let document = document.replace(WORDS, &words_of(language)?);
    // The modules that other pages load late are the first that a match needs.
    let document = match page {
        Page::Match => document.replace(LATER, ""),
        Page::Home | Page::Watch | Page::Rules(_) | Page::Missing | Page::Other => document,
    };
    let tag = language.as_str();
    Some(document.replace(
        "<html lang=\"en\">",
        &format!("<html lang=\"{tag}\" data-words=\"{tag}\">"),
    ))
}

/// Returns the title and the description of a page, for search engines and for links in messages, with keys of the catalogues in braces.
fn head(page: Page) -> String {
    let (title, description) = match page {
        Page::Home => ("Mawe! – {home.title}".to_owned(), "about.lead".to_owned()),
        Page::Watch => ("{watch.title} · Mawe!".to_owned(), "watch.lead".to_owned()),
        Page::Rules(game) => (
            format!("{{rules.{game}.title}} · Mawe!"),
            format!("rules.{game}.lead"),
        ),
        Page::Match => ("{match.title} · Mawe!".to_owned(), "about.lead".to_owned()),
        Page::Missing => (
            "{missing.title} · Mawe!".to_owned(),
            "about.lead".to_owned(),
        ),
        Page::Other => ("Mawe!".to_owned(), "about.lead".to_owned()),
    };
    format!(
        "<title>{title}</title>
<meta name=\"description\" content=\"{{{description}}}\">
<meta property=\"og:site_name\" content=\"Mawe!\">
<meta property=\"og:type\" content=\"website\">
<meta property=\"og:title\" content=\"{title}\">
<meta property=\"og:description\" content=\"{{{description}}}\">"
    )
}

/// Returns the catalogue as an element that `static/core/i18n.js` reads; `static/theme.js` requests other languages.
fn words_of(language: Language) -> Option<String> {
    let tag = language.as_str();
    // In this JSON `<` occurs only within strings. Escaping it keeps a text from ending the element.
    let words = text_of(&format!("i18n/{tag}.json"))?.replace('<', "\\u003c");
    Some(format!(
        "<script type=\"application/json\" id=\"words\" lang=\"{tag}\">{}</script>",
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

fn catalogue(language: Language) -> &'static Catalogue {
    let index = Language::ALL.iter().position(|one| *one == language);
    &CATALOGUES[index.unwrap_or_default()]
}

/// Replaces keys in braces by their texts.
fn filled(text: &str, language: Language) -> String {
    let catalogue = catalogue(language);
    let mut filled = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((key, after)) = after.split_once('}') else {
            break;
        };
        filled.push_str(before);
        // The texts are our own, but may contain characters that are special in HTML.
        let words = catalogue.get(key).map_or("", String::as_str);
        filled.push_str(
            &words
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('"', "&quot;"),
        );
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Returns the first language in the browser's list that the page has; `static/theme.js` must choose the same.
pub(crate) fn language(headers: &HeaderMap) -> Language {
    let asked = headers.get(header::ACCEPT_LANGUAGE);
    let asked = asked.and_then(|value| value.to_str().ok()).unwrap_or("");
    let known = asked.split(',').find_map(|one| {
        let tag = one.split(';').next().unwrap_or_default();
        let word = tag.trim().split('-').next().unwrap_or_default();
        let mut spoken = Language::ALL.into_iter();
        spoken.find(|language| language.as_str().eq_ignore_ascii_case(word))
    });
    known.unwrap_or(Language::En)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys in braces.
    fn keys_in(text: &str) -> impl Iterator<Item = &str> {
        text.split('{')
            .skip(1)
            .filter_map(|rest| rest.split('}').next())
    }

    #[test]
    fn every_page_says_its_first_words_in_every_language() {
        let games = GameKind::ALL.iter().map(|game| format!("/rules/{game}"));
        let others = ["/", "/watch", "/match/abc", "/rules/chess"].map(str::to_owned);
        let pages = games.chain(others).map(|path| Page::from_path(&path));
        for page in pages.chain([Page::Missing]) {
            for language in Language::ALL {
                let document = document(page, language).expect("there is a document");
                assert!(!document.contains(PLACE), "{page:?}");
                let (shown, rest) = document
                    .split_once("<script type=\"application/json\"")
                    .expect("the words come along");
                let (words, end) = rest.split_once("</script>").expect("the element ends");
                let words = words.split_once('>').expect("the element begins").1;
                let words: Catalogue = serde_json::from_str(words).expect("a catalogue");
                assert!(words.len() > 100, "{page:?}");
                assert_eq!(
                    words.get("menu.watch"),
                    catalogue(language).get("menu.watch")
                );
                for part in [shown, end] {
                    assert!(!part.contains(['{', '}', '$']), "{page:?}: {part}");
                }
            }
        }
        for part in ["header", "home", "missing", "rules", "watch"] {
            let text = text_of(&format!("first/{part}.html")).expect("it is there");
            for game in GameKind::ALL {
                let text = of_game(&text, *game);
                for (key, catalogue) in
                    keys_in(&text).flat_map(|key| CATALOGUES.iter().map(move |one| (key, one)))
                {
                    assert!(catalogue.contains_key(key), "{part}: {key}");
                }
            }
        }
    }

    #[test]
    fn every_page_has_a_title_and_a_description_in_every_language() {
        let rules = GameKind::ALL.iter().copied().map(Page::Rules);
        let others = [
            Page::Home,
            Page::Watch,
            Page::Match,
            Page::Missing,
            Page::Other,
        ];
        for page in rules.chain(others) {
            for language in Language::ALL {
                for key in keys_in(&head(page)) {
                    assert!(catalogue(language).contains_key(key), "{page:?}: {key}");
                }
            }
        }
        let document = document(Page::Rules(GameKind::Oware), Language::Pl).expect("a document");
        assert!(document.contains("<title>Zasady gry Oware · Mawe!</title>"));
        assert_eq!(
            document.matches("48 nasion").count(),
            4,
            "twice in the head, then shown, then among the words"
        );
    }

    #[test]
    fn a_match_waits_for_none_of_its_modules() {
        let later = |path| {
            let document =
                document(Page::from_path(path), Language::En).expect("there is a document");
            document.matches(LATER).count()
        };
        assert!(later("/") > 5);
        assert_eq!(later("/match/abc"), 0);
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
    fn there_is_one_document_for_all_matches() {
        for (path, expected) in [
            ("/match/4fWq8ZtLm1Bs", Page::Match),
            ("/match/another", Page::Match),
            ("/match/a/b", Page::Other),
            ("/match/", Page::Other),
            ("/", Page::Home),
            ("/watch", Page::Watch),
            ("/rules/oware", Page::Rules(GameKind::Oware)),
            ("/rules/chess", Page::Other),
            ("/settings", Page::Other),
        ] {
            assert_eq!(Page::from_path(path), expected, "{path}");
        }
    }

    #[test]
    fn words_cannot_become_markup() {
        assert_eq!(filled("a {no.such.key} b {", Language::En), "a  b {");
    }

    #[test]
    fn the_browser_s_order_decides_among_the_languages_that_the_page_speaks() {
        for (asked, expected) in [
            ("", Language::En),
            ("de, fr;q=0.9", Language::En),
            ("pl-PL,pl;q=0.9,en;q=0.8", Language::Pl),
            ("fr, SW;q=0.9, en;q=0.8", Language::Sw),
            ("ml", Language::Ml),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, asked.parse().expect("a header"));
            assert_eq!(language(&headers), expected, "{asked}");
        }
    }
}

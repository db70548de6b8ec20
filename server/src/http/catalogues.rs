//! The texts of the page's catalogues, for the parts of a document that the server writes.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::http::{HeaderMap, header};
use mawe_wire::Language;

use crate::http::files::text_of;

/// The folders of the catalogues in `i18n/`: that of every page, its rest, those of single pages, and those of the cards and of mails, which only the server reads.
const FOLDERS: [&str; 21] = [
    "",
    "rest/",
    "about/",
    "bao/",
    "class/",
    "clubs/",
    "editor/",
    "events/",
    "moderation/",
    "pallanguzhi/",
    "people/",
    "play/",
    "player/",
    "report/",
    "rules/",
    "settings/",
    "site/",
    "study/",
    "cards/",
    "email/",
    "mails/",
];

/// The parameter of an address that chooses the language.
pub(crate) const PARAMETER: &str = "lang";

type Catalogue = HashMap<String, String>;

/// The catalogues in the order of [`Language::ALL`].
static CATALOGUES: LazyLock<[Catalogue; Language::ALL.len()]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let parts = FOLDERS.into_iter().flat_map(|folder| {
            let text = text_of(&format!("i18n/{folder}{}.json", language.as_str()));
            let part: Catalogue =
                serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default();
            part
        });
        parts.collect()
    })
});

/// Returns the text of a key; `None` if the catalogue lacks it.
pub(crate) fn text(language: Language, key: &str) -> Option<&'static str> {
    let index = Language::ALL.iter().position(|one| *one == language);
    let catalogue = &CATALOGUES[index.unwrap_or_default()];
    catalogue.get(key).map(String::as_str)
}

/// Returns the text of a key with its holes filled; empty if the catalogue lacks it.
pub(crate) fn say(language: Language, key: &str, holes: &[(&str, &str)]) -> String {
    let mut rest = text(language, key).unwrap_or_default();
    let mut said = String::with_capacity(2 * rest.len());
    // A value is not searched for holes: it may be a player's name.
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        said.push_str(before);
        let value = holes.iter().find(|(hole, _)| *hole == name);
        said.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    said.push_str(rest);
    said
}

/// Returns the text of a key for a count, in the plural form of the language.
pub(crate) fn say_count(language: Language, key: &str, n: u64) -> String {
    let form = plural(language, n);
    say(language, &format!("{key}#{form}"), &[("n", &n.to_string())])
}

/// Returns the plural form of a whole number, as `Intl.PluralRules` of the page does (CLDR).
fn plural(language: Language, n: u64) -> &'static str {
    match language {
        Language::Pl => match (n, n % 10, n % 100) {
            (1, _, _) => "one",
            (_, 2..=4, tail) if !(12..=14).contains(&tail) => "few",
            _ => "many",
        },
        Language::En | Language::Sw | Language::Ml if n == 1 => "one",
        Language::En | Language::Sw | Language::Ml => "other",
    }
}

/// Replaces keys in braces by their texts, as content of an element or of an attribute in double quotes.
pub(crate) fn filled(template: &str, language: Language) -> String {
    let mut filled = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((key, after)) = after.split_once('}') else {
            break;
        };
        filled.push_str(before);
        // The texts are our own, but may contain characters that are special in HTML.
        filled.push_str(&escaped(text(language, key).unwrap_or_default()));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// Escapes a text for HTML and XML, as content of an element or of an attribute in double quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Returns the language that an address chooses.
pub(crate) fn chosen(query: Option<&str>) -> Option<Language> {
    let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let (_, value) = pairs.find(|(name, _)| name == PARAMETER)?;
    known(&value)
}

/// Returns the language of a document: that of the address, else the first in the browser's list that the page has, else English.
/// `static/theme.js` and `static/core/i18n.js` must choose the same.
pub(crate) fn language(query: Option<&str>, headers: &HeaderMap) -> Language {
    let asked = headers.get(header::ACCEPT_LANGUAGE);
    let asked = asked.and_then(|value| value.to_str().ok()).unwrap_or("");
    let preferred = || {
        asked
            .split(',')
            .find_map(|one| known(one.split(';').next()?))
    };
    chosen(query).or_else(preferred).unwrap_or(Language::En)
}

/// Returns the language of a tag; its subtags do not matter.
fn known(tag: &str) -> Option<Language> {
    let word = tag.trim().split('-').next().unwrap_or_default();
    let mut spoken = Language::ALL.into_iter();
    spoken.find(|language| language.as_str().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_become_markup() {
        assert_eq!(filled("a {no.such.key} b {", Language::En), "a  b {");
        assert_eq!(escaped("<b a=\"c\">&"), "&lt;b a=&quot;c&quot;&gt;&amp;");
    }

    #[test]
    fn a_value_is_not_searched_for_holes() {
        let said = say(Language::En, "report.title", &[("name", "{name}<{")]);
        assert_eq!(said, "Report {name}<{");
        assert_eq!(say(Language::En, "no.such.key", &[]), "");
    }

    #[test]
    fn a_count_has_the_plural_form_of_its_language() {
        for (n, forms) in [
            (1, ["one", "one", "one", "one"]),
            (2, ["other", "other", "few", "other"]),
            (5, ["other", "other", "many", "other"]),
            (12, ["other", "other", "many", "other"]),
            (14, ["other", "other", "many", "other"]),
            (22, ["other", "other", "few", "other"]),
            (111, ["other", "other", "many", "other"]),
        ] {
            let languages = [Language::En, Language::Sw, Language::Pl, Language::Ml];
            assert_eq!(languages.map(|language| plural(language, n)), forms, "{n}");
        }
        assert_eq!(say_count(Language::En, "time.days", 1), "1 day a turn");
        assert_eq!(say_count(Language::Pl, "time.days", 3), "3 dni na ruch");
    }

    #[test]
    fn the_address_decides_and_then_the_browser_s_order() {
        for (query, asked, expected) in [
            (None, "", Language::En),
            (None, "de, fr;q=0.9", Language::En),
            (None, "pl-PL,pl;q=0.9,en;q=0.8", Language::Pl),
            (None, "fr, SW;q=0.9, en;q=0.8", Language::Sw),
            (None, "ml", Language::Ml),
            (Some("lang=ml"), "pl", Language::Ml),
            (Some("ply=3&lang=SW-ke"), "pl", Language::Sw),
            (Some("lang=de"), "pl", Language::Pl),
            (Some("lang="), "pl", Language::Pl),
            (Some("lang=%00&x"), "", Language::En),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, asked.parse().expect("a header"));
            assert_eq!(language(query, &headers), expected, "{query:?} {asked}");
        }
    }
}

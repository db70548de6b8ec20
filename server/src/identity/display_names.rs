//! Rules for names in any script, which are shown and are no addresses.
//!
//! Two names that look alike have the same *key*, the skeleton of Unicode Technical Standard 39 without regard to case, so that a unique
//! index keeps them apart. Within a name the letters are of one script, and there is nothing that is not seen.

use std::ops::RangeInclusive;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

use crate::identity::names;

/// The length of a player's display name in characters.
pub(crate) const PLAYER_CHARS: RangeInclusive<usize> = 1..=24;

/// The roles of a server's staff in letters beside the Latin ones: Malayalam and Russian. The others stand in [`names`].
const ROLES: [&str; 13] = [
    // Admin, administrator, moderator, overseer, controller, official.
    "അഡ്മിൻ",
    "അഡ്മിനിസ്ട്രേറ്റർ",
    "മോഡറേറ്റർ",
    "ഭരണാധികാരി",
    "നിയന്ത്രകൻ",
    "ഔദ്യോഗികം",
    "ഔദ്യോഗിക",
    "админ",
    "администратор",
    "администрация",
    "модератор",
    "модераторы",
    "поддержка",
];

/// The most combining marks in a row, as in a line of chat.
const MAX_MARKS: usize = 3;

/// Permitted characters beside letters, marks and digits; single spaces stand between words.
const PUNCTUATION: [char; 9] = [' ', '-', '\'', '’', '.', ',', '&', '!', '+'];

/// The fault of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// It is empty or too long.
    #[error("a name has {0} to {1} characters")]
    Length(usize, usize),
    /// A letter has too many marks.
    #[error("write fewer marks above and below one letter")]
    Marks,
    /// A character is neither seen nor one of a name.
    #[error("leave out the character U+{:04X}: a name is made of letters, digits, single spaces and - ' . , & ! +", code_point(.0))]
    Character(char),
    /// There are two spaces in a row.
    #[error("put one space between two words")]
    Spaces,
    /// There is no letter.
    #[error("a name has a letter")]
    NoLetter,
    /// The letters are of several scripts.
    #[error("write all letters of the name in one script")]
    Scripts,
    /// It suggests that its owner speaks for this server.
    #[error("this name is reserved: it would mislead about who speaks for this server")]
    Reserved,
    /// It begins like the names that the server gives.
    #[error("names that begin so are reserved for the server itself")]
    OfServer,
    /// The operator refuses it.
    #[error("the operator of this server does not permit this name; choose another")]
    Refused,
}

impl NameFault {
    /// Returns the stable code, `why` in a problem.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            NameFault::Length(..) => "length",
            NameFault::Marks => "marks",
            NameFault::Character(_) => "character",
            NameFault::Spaces => "spaces",
            NameFault::NoLetter => "no-letter",
            NameFault::Scripts => "scripts",
            NameFault::Reserved | NameFault::OfServer => "reserved",
            NameFault::Refused => "refused",
        }
    }
}

fn code_point(c: &char) -> u32 {
    u32::from(*c)
}

/// A name that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DisplayName {
    /// The name in the normal form NFC.
    pub(crate) text: String,
    /// The same for all names that look alike.
    pub(crate) key: String,
}

/// Checks a name of this length in characters.
///
/// # Errors
/// The fault of the name.
pub(crate) fn check(name: &str, chars: RangeInclusive<usize>) -> Result<DisplayName, NameFault> {
    // A character of NFC has at most a few code points: what is longer is not composed at all.
    let too_long = name.len() > chars.end() * 16;
    let text: String = if too_long {
        String::new()
    } else {
        name.trim().nfc().collect()
    };
    if too_long || !chars.contains(&text.chars().count()) {
        return Err(NameFault::Length(*chars.start(), *chars.end()));
    }
    let mut marks = 0;
    for c in text.chars() {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            return Err(NameFault::Marks);
        }
        let is_letter = (c.is_alphanumeric() || is_combining_mark(c)) && c.identifier_allowed();
        if !is_letter && !PUNCTUATION.contains(&c) {
            return Err(NameFault::Character(c));
        }
    }
    if text.contains("  ") {
        return Err(NameFault::Spaces);
    }
    if !text.chars().any(char::is_alphabetic) {
        return Err(NameFault::NoLetter);
    }
    if !text.is_single_script() {
        return Err(NameFault::Scripts);
    }
    if is_reserved(&text) {
        return Err(NameFault::Reserved);
    }
    let key = key(&text);
    Ok(DisplayName { text, key })
}

/// Checks a display name of a player, which also may not begin like the names that the server gives.
///
/// # Errors
/// As [`check`].
pub(crate) fn check_of_player(name: &str) -> Result<DisplayName, NameFault> {
    let checked = check(name, PLAYER_CHARS)?;
    if names::is_of_server(&words(&checked.text).join("-")) {
        return Err(NameFault::OfServer);
    }
    Ok(checked)
}

/// Returns the words of a name. A combining mark belongs to its letter.
pub(super) fn words(name: &str) -> Vec<&str> {
    name.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether a name suggests that its owner speaks for this server, also in letters that look like those of a reserved word.
fn is_reserved(name: &str) -> bool {
    let words = words(name);
    let read = |as_read: &dyn Fn(&str) -> String| {
        let words: Vec<String> = words.iter().map(|word| as_read(word)).collect();
        names::is_reserved(&words.join("-"))
    };
    // The letters under the marks: ś and ł are read as s and l.
    let bare = |word: &str| {
        let letters = skeleton(word).collect::<String>();
        letters
            .nfd()
            .filter(|c| !is_combining_mark(*c))
            .collect::<String>()
    };
    let whole = key(name);
    read(&str::to_owned)
        || read(&bare)
        // The skeleton of m.
        || read(&|word| bare(word).replace("rn", "m"))
        || ROLES.iter().any(|role| {
            let role = key(role);
            whole == role || words.iter().any(|word| key(word) == role)
        })
}

/// Returns the key of a name: its skeleton in lower case, twice, since the skeleton of a small letter may differ from that of its capital.
/// Small `i` and `l` are one letter, because a capital `I` looks like the second. Names in addresses have `_` as well.
pub(super) fn key(name: &str) -> String {
    let is_separator = |c: &char| *c == '_' || PUNCTUATION.contains(c);
    let letters: String = name.chars().filter(|c| !is_separator(c)).collect();
    let once = skeleton(&letters).collect::<String>().to_lowercase();
    let twice = skeleton(&once).collect::<String>().to_lowercase();
    twice.replace('i', "l")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHARS: RangeInclusive<usize> = 3..=40;

    #[test]
    fn names_are_in_any_script_and_stored_composed() {
        for (written, stored) in [
            ("  Chess of Dar es Salaam ", "Chess of Dar es Salaam"),
            ("z\u{307}o\u{301}łw", "żółw"),
            ("മാവേ കളിക്കാർ", "മാവേ കളിക്കാർ"),
            ("Клуб Мава", "Клуб Мава"),
            ("将棋クラブ", "将棋クラブ"),
            ("D'Artagnan & Co. 1999!", "D'Artagnan & Co. 1999!"),
            ("Class 5-b", "Class 5-b"),
        ] {
            let checked = check(written, CHARS).expect(written);
            assert_eq!(checked.text, stored);
        }
    }

    #[test]
    fn what_is_not_seen_and_what_misleads_is_refused() {
        for (written, named) in [
            ("", "3 to 40"),
            ("     ", "3 to 40"),
            ("ab", "3 to 40"),
            (&"a".repeat(41), "3 to 40"),
            (&"a".repeat(10_000), "3 to 40"),
            (&"\u{1F469}".repeat(10_000), "3 to 40"),
            ("two  spaces", "one space"),
            ("zero\u{200B}width", "U+200B"),
            ("joi\u{200D}ned", "U+200D"),
            ("abc\u{202E}cba", "U+202E"),
            ("abc\u{200F}", "U+200F"),
            ("soft\u{AD}hyphen", "U+00AD"),
            ("line\nbreak", "U+000A"),
            ("<b>bold</b>", "U+003C"),
            ("a/b/c", "U+002F"),
            ("stones \u{1FAA8}", "U+1FAA8"),
            ("\u{FF37}\u{FF49}\u{FF44}\u{FF45}", "U+FF37"),
            ("a\u{301}\u{302}\u{303}\u{304}\u{305}bc", "marks"),
            ("12345", "a letter"),
            ("...", "a letter"),
            // A Cyrillic letter among Latin ones.
            ("M\u{430}we club", "one script"),
            ("Kochi ക്ലബ്", "one script"),
            ("Mawe staff", "reserved"),
            ("Official support", "reserved"),
            ("Właściciel", "reserved"),
            ("Załoga", "reserved"),
            // Sysop, all of it Cyrillic.
            ("\u{455}\u{443}\u{455}\u{43E}\u{440}", "reserved"),
            ("rnoderator", "reserved"),
            ("അഡ്മിൻ", "reserved"),
            ("модератор 7", "reserved"),
        ] {
            let refused = check(written, CHARS).expect_err(written).to_string();
            assert!(refused.contains(named), "{written:?}: {refused}");
        }
    }

    #[test]
    fn a_display_name_of_a_player_is_no_name_of_the_server() {
        for name in ["Łukasz", "അമ്മു", "Ż", "Mawezi", "李", "Guestav"] {
            assert_eq!(
                check_of_player(name).map(|checked| checked.text),
                Ok(name.to_owned())
            );
        }
        for name in ["Guest 5", "guest-x", "Mawe Kete", "deleted, x"] {
            let refused = check_of_player(name).expect_err(name).to_string();
            assert!(refused.contains("reserved"), "{name:?}: {refused}");
        }
        assert!(check_of_player(&"ż".repeat(24)).is_ok());
        let refused = check_of_player(&"ż".repeat(25))
            .expect_err("too long")
            .to_string();
        assert!(refused.contains("1 to 24"), "{refused}");
    }

    /// The store compares names in ASCII with display names by a text of its own making.
    #[test]
    fn the_key_of_a_name_in_ascii_is_the_look_of_the_store() {
        let letters: String = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
        for c in letters.chars() {
            for name in [format!("x{c}"), format!("X-{c}_{c}"), format!("rn{c}")] {
                assert_eq!(key(&name), mawe_store::name_look(&name), "{name}");
            }
        }
        assert_eq!(key(&letters), mawe_store::name_look(&letters));
    }

    #[test]
    fn names_that_look_alike_have_one_key() {
        let key = |name: &str| check(name, CHARS).expect(name).key;
        for (one, other) in [
            ("Mawe Club", "mawe club"),
            ("Mawe Club", "MAWECLUB"),
            ("Mawe Club", "Mawe-Club!"),
            ("Iris", "lris"),
            ("Iris", "1ris"),
            ("Boot", "B00t"),
            ("modern", "modem"),
            // Cyrillic capitals.
            ("BOCTOK", "\u{412}\u{41E}\u{421}\u{422}\u{41E}\u{41A}"),
            ("pace", "\u{440}\u{430}\u{441}\u{435}"),
            ("ŻÓŁW", "żółw"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        for (one, other) in [("Asha's", "Asya's"), ("മാവേ", "മാവ കളി"), ("Zolw", "Żółw")]
        {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }
}

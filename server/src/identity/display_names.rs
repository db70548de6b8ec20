//! Rules for names in any script, which are shown and are no addresses.
//!
//! Two names that look alike have the same *key*, the skeleton of Unicode Technical Standard 39 without regard to case, so that a unique
//! index keeps them apart. Within a name the letters are of one script, and there is nothing that is not seen.

use std::ops::RangeInclusive;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

use crate::identity::names;

/// The most combining marks in a row, as in a line of chat.
const MAX_MARKS: usize = 3;

/// Permitted characters beside letters, marks and digits; single spaces stand between words.
const PUNCTUATION: [char; 9] = [' ', '-', '\'', '’', '.', ',', '&', '!', '+'];

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
/// A message with the fault of the name.
pub(crate) fn check(name: &str, chars: RangeInclusive<usize>) -> Result<DisplayName, String> {
    // A character of NFC has at most a few code points: what is longer is not composed at all.
    let too_long = name.len() > chars.end() * 16;
    let text: String = if too_long {
        String::new()
    } else {
        name.trim().nfc().collect()
    };
    if too_long || !chars.contains(&text.chars().count()) {
        return Err(format!(
            "a name has {} to {} characters",
            chars.start(),
            chars.end()
        ));
    }
    let mut marks = 0;
    for c in text.chars() {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            return Err("write fewer marks above and below one letter".to_owned());
        }
        let is_letter = (c.is_alphanumeric() || is_combining_mark(c)) && c.identifier_allowed();
        if !is_letter && !PUNCTUATION.contains(&c) {
            return Err(format!(
                "leave out the character U+{:04X}: a name is made of letters, digits, single spaces and - ' . , & ! +",
                u32::from(c)
            ));
        }
    }
    if text.contains("  ") {
        return Err("put one space between two words".to_owned());
    }
    if !text.chars().any(char::is_alphabetic) {
        return Err("a name has a letter".to_owned());
    }
    if !text.is_single_script() {
        return Err("write all letters of the name in one script".to_owned());
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    if names::is_reserved(&words.join("-")) {
        return Err(
            "this name is reserved: it would mislead about who speaks for this server".to_owned(),
        );
    }
    let key = key(&text);
    Ok(DisplayName { text, key })
}

/// Returns the key of a name: its skeleton in lower case, twice, since the skeleton of a small letter may differ from that of its capital.
/// Small `i` and `l` are one letter, because a capital `I` looks like the second.
fn key(name: &str) -> String {
    let letters: String = name.chars().filter(|c| !PUNCTUATION.contains(c)).collect();
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
        ] {
            let refused = check(written, CHARS).expect_err(written);
            assert!(refused.contains(named), "{written:?}: {refused}");
        }
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

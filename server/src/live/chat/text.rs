//! The check of a line's text: plain text of one line, without characters that are not seen or that change how others are shown.

use mawe_play::chat::MAX_TEXT_CHARS;
use unicode_normalization::UnicodeNormalization;

/// The most combining marks in a row: no language needs more, and a pile of them covers the lines around.
const MAX_MARKS: usize = 3;

const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';

/// Returns the text to store: trimmed, and in the normal form NFC. A joiner (U+200C, U+200D) is allowed where it means something: after a
/// virama, as Malayalam writes it, and between emoji.
///
/// # Errors
/// The fault and its remedy, for the author.
pub fn check(text: &str) -> Result<String, String> {
    let text = check_line(text, MAX_TEXT_CHARS)?;
    if text.is_empty() {
        return Err("write something".to_owned());
    }
    Ok(text)
}

/// The same for a line of at most `max_chars` characters, which may be empty.
///
/// # Errors
/// The fault and its remedy, for the author.
pub fn check_line(text: &str, max_chars: usize) -> Result<String, String> {
    let text: String = text.trim().nfc().collect();
    if text.chars().count() > max_chars {
        return Err(format!("write {max_chars} characters at most"));
    }
    let mut before = None;
    let mut marks = 0;
    for c in text.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            return Err("write fewer marks above and below one letter".to_owned());
        }
        let joins = matches!(c, ZWNJ | ZWJ) && before.is_some_and(|before| is_joined(before, c));
        if let Some(kind) = refused(c).filter(|_| !joins) {
            return Err(format!("leave out {kind} (U+{:04X})", u32::from(c)));
        }
        before = Some(c);
    }
    Ok(text)
}

/// Returns the kind of a character that no line may contain.
fn refused(c: char) -> Option<&'static str> {
    match c {
        c if c.is_control() => Some("line breaks and control characters"),
        '\u{2028}' | '\u{2029}' => Some("line breaks"),
        '\u{061C}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => Some("characters that change the direction of writing"),
        // Spaces without a width, joiners, fillers, the soft hyphen, tags and selectors of variants beyond those of emoji.
        '\u{00AD}'
        | '\u{034F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200D}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0D}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => Some("characters that are not seen"),
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => {
            Some("characters that fonts show differently")
        }
        _ => None,
    }
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// Whether a joiner means something after this character.
fn is_joined(before: char, joiner: char) -> bool {
    let code = u32::from(before);
    // The scripts of India stand in blocks of 128 characters with the virama at the same place.
    let is_virama = (0x0900..0x0E00).contains(&code) && code % 0x80 == 0x4D;
    let is_emoji = matches!(code, 0x2600..=0x27BF | 0xFE0F | 0x1_F000..=0x1_FAFF);
    is_virama || (joiner == ZWJ && is_emoji)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_stored_trimmed_and_composed() {
        for (written, stored) in [
            ("  hello \n", "hello"),
            ("z\u{307}o\u{301}\u{142}w", "żółw"),
            ("<b>not bold</b>", "<b>not bold</b>"),
            ("https://example.org", "https://example.org"),
            ("നല്ല കളി", "നല്ല കളി"),
            // A joiner after a virama is a letter's form, and between emoji it makes one of several.
            ("അവന്\u{200D}", "അവന്\u{200D}"),
            ("ഗുഡ്\u{200C}ബൈ", "ഗുഡ്\u{200C}ബൈ"),
            ("👩\u{200D}🎓", "👩\u{200D}🎓"),
            ("❤\u{FE0F}", "❤\u{FE0F}"),
            ("שלום", "שלום"),
        ] {
            assert_eq!(check(written).as_deref(), Ok(stored), "{written:?}");
        }
        let longest = "ö".repeat(MAX_TEXT_CHARS);
        assert_eq!(check(&longest), Ok(longest));
        // Counted after the composition.
        assert!(check(&"o\u{308}".repeat(MAX_TEXT_CHARS)).is_ok());
    }

    #[test]
    fn a_refusal_names_the_character() {
        for (written, named) in [
            ("", "write something"),
            (" \t\n ", "write something"),
            ("\u{200B}", "U+200B"),
            ("one\ntwo", "U+000A"),
            ("one\u{2028}two", "U+2028"),
            ("bell\u{7}", "U+0007"),
            ("abc\u{202E}cba", "U+202E"),
            ("abc\u{2066}cba", "U+2066"),
            ("abc\u{200F}cba", "U+200F"),
            ("in\u{200B}visible", "U+200B"),
            ("soft\u{AD}hyphen", "U+00AD"),
            ("joi\u{200D}ned", "U+200D"),
            ("joi\u{200C}ned", "U+200C"),
            ("ക്\u{200D}\u{200D}", "U+200D"),
            ("\u{FEFF}mark", "U+FEFF"),
            ("tag\u{E0041}", "U+E0041"),
            ("logo\u{F8FF}", "U+F8FF"),
            ("filler\u{3164}", "U+3164"),
            ("a\u{301}\u{302}\u{303}\u{304}\u{305}", "marks"),
        ] {
            let refused = check(written).expect_err(written);
            assert!(refused.contains(named), "{written:?}: {refused}");
        }
        let long = check(&"a".repeat(MAX_TEXT_CHARS + 1)).expect_err("it is too long");
        assert!(long.contains("200"), "{long}");
    }
}

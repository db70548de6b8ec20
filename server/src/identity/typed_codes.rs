//! Codes that people write down and type: 80 random bits in four groups.

use mawe_wire::ids::TokenHash;

use crate::identity::sessions;

/// The digits of Crockford's base 32: without I, L, O and U, so that no two look alike on paper. Each is a value of five bits.
pub(super) const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The number of digits: 80 bits, so that a fast hash is enough to store a code.
const CODE_DIGITS: usize = 16;

/// The number of digits in a group.
const GROUP_DIGITS: usize = 4;

/// The longest text that is taken for a code, in bytes: more than one with a space around each character.
pub const MAX_TYPED_BYTES: usize = 64;

/// Draws a code.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn draw() -> String {
    let mut bytes = [0u8; CODE_DIGITS];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    // A byte has as many values for each digit.
    let digits = bytes.map(|byte| DIGITS[usize::from(byte) % DIGITS.len()]);
    let groups = digits.chunks(GROUP_DIGITS).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("-")
}

/// Returns the hash of a code as a person types it: in small letters or large ones, with spaces and hyphens anywhere, and with I, L and O for
/// the digits that look like them. `None` for a text that is no code.
#[must_use]
pub fn hash(typed: &str) -> Option<TokenHash> {
    if typed.len() > MAX_TYPED_BYTES {
        return None;
    }
    let is_mark = |c: &char| !c.is_whitespace() && !matches!(c, '-' | '\u{2010}'..='\u{2015}');
    let digits: Option<String> = typed.chars().filter(is_mark).map(digit).collect();
    let digits = digits.filter(|digits| digits.len() == CODE_DIGITS)?;
    Some(sessions::hash(&digits))
}

fn digit(typed: char) -> Option<char> {
    let digit = match typed.to_ascii_uppercase() {
        'I' | 'L' => '1',
        'O' => '0',
        other => other,
    };
    let is_digit = u8::try_from(digit).is_ok_and(|digit| DIGITS.contains(&digit));
    is_digit.then_some(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_however_it_is_typed() {
        let expected = hash("0123-4567-89AB-CD10");
        assert!(expected.is_some());
        for typed in [
            "0123456789ABCD10",
            "0123-4567-89ab-cd10",
            " oi23 4567 89ab cdlo ",
            "0L23\u{2013}4567\u{2010}89AB\tCDIO",
            "0 1 2 3 4 5 6 7 8 9 A B C D 1 0",
        ] {
            assert_eq!(hash(typed), expected, "{typed}");
        }
        for none in [
            "",
            "0123-4567-89AB-CD1",
            "0123-4567-89AB-CD100",
            "0123-4567-89AB-CDU0",
            "0123-4567-89AB-CD\u{661}0",
            "0123_4567_89AB_CD10",
            &format!("0123456789ABCD10{}", " ".repeat(MAX_TYPED_BYTES)),
        ] {
            assert_eq!(hash(none), None, "{none}");
        }
    }
}

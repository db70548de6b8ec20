//! Recovery codes: 80 random bits in four groups, to be written down. With one an owner who has forgotten the password sets a new one.

use mawe_store::{RECOVERY_CODES, RecoveryCodeSet};
use mawe_wire::ids::TokenHash;

use crate::identity::sessions;

/// The digits of Crockford's base 32: without I, L, O and U, so that no two look alike on paper. Each is a value of five bits.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The number of digits: 80 bits, so that a fast hash is enough to store a code.
const CODE_DIGITS: usize = 16;

/// The number of digits in a group.
const GROUP_DIGITS: usize = 4;

/// The longest text that is taken for a code, in bytes: more than one with a space around each character.
pub const MAX_TYPED_BYTES: usize = 64;

/// Draws a set of codes: returns the codes, which their owner sees once, and their hashes for the store.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn draw(now_ms: i64) -> (Vec<String>, RecoveryCodeSet) {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| draw_one()).collect();
    let hashes = codes.iter().filter_map(|code| hash(code)).collect();
    let set = RecoveryCodeSet {
        hashes,
        created_ms: now_ms,
    };
    (codes, set)
}

fn draw_one() -> String {
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
    use std::collections::HashSet;

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

    #[test]
    fn each_code_of_a_set_is_another_and_is_stored_as_its_hash() {
        let (codes, set) = draw(7);
        assert_eq!((codes.len(), set.created_ms), (RECOVERY_CODES, 7));
        assert_eq!(codes.iter().collect::<HashSet<_>>().len(), RECOVERY_CODES);
        for (code, stored) in codes.iter().zip(&set.hashes) {
            let groups: Vec<&str> = code.split('-').collect();
            assert!(groups.iter().all(|group| group.len() == 4), "{code}");
            assert_eq!(groups.len(), 4, "{code}");
            assert_eq!(hash(code).as_ref(), Some(stored));
        }
        // Every digit occurs: one of them is missing among 640 once in twenty million times.
        let drawn: String = (0..5).flat_map(|_| draw(0).0).collect();
        for digit in DIGITS {
            assert!(drawn.contains(char::from(*digit)), "{}", *digit as char);
        }
    }
}

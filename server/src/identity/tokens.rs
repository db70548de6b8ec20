//! Tokens for programs: `mawe_` and 46 letters and digits, of which the last 6 are a checksum; and the scopes of tokens.
//!
//! By the prefix and the checksum a scanner of repositories and logs finds a leaked token, and distinguishes it from similar text without a
//! request to this server: `mawe_[0-9A-Za-z]{46}`, where the last 6 are the CRC-32 (as in zlib) of all before them, in base 62 with the
//! digits `0-9A-Za-z`, padded with `0` on the left.

use mawe_wire::ids::TokenHash;
use mawe_wire::random::{self, ALPHABET};

use crate::identity::sessions;

/// The prefix of every token.
pub const PREFIX: &str = "mawe_";

/// The length of the random part in characters: 238 bits, so that a fast hash is enough to store it.
const RANDOM_CHARS: usize = 40;

/// The length of the checksum in characters: 62^6 is more than 2^32.
const CHECK_CHARS: usize = 6;

/// Draws a new token: returns the token, which its owner sees once, and its hash for the store.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn draw() -> (String, TokenHash) {
    let mut token = format!("{PREFIX}{}", random::text(RANDOM_CHARS));
    token.push_str(&checksum(&token));
    let hash = sessions::hash(&token);
    (token, hash)
}

/// Returns whether a text has the form of a token: most invalid ones need no query of the store.
#[must_use]
pub fn is_well_formed(token: &str) -> bool {
    let length = PREFIX.len() + RANDOM_CHARS + CHECK_CHARS;
    token.len() == length
        && token.is_ascii()
        && token.starts_with(PREFIX)
        && token.ends_with(&checksum(&token[..length - CHECK_CHARS]))
}

fn checksum(text: &str) -> String {
    let mut left = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECK_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(left % 62) as usize];
        left /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_its_form_and_not_by_its_looks() {
        let (token, hash) = draw();
        assert!(is_well_formed(&token), "{token}");
        assert_eq!(sessions::hash(&token), hash);
        assert_ne!(draw().0, token);
        let mut wrong = token.clone().into_bytes();
        wrong[10] = if wrong[10] == b'x' { b'y' } else { b'x' };
        let wrong = String::from_utf8(wrong).expect("ASCII");
        let short = token[..token.len() - 1].to_owned();
        for text in [wrong, short, token.to_uppercase(), format!("{token}0")] {
            assert!(!is_well_formed(&text), "{text}");
        }
        for text in [
            "",
            "mawe_",
            "é",
            &format!("mawe_{}", "é".repeat(23)),
            &"x".repeat(51),
        ] {
            assert!(!is_well_formed(text), "{text}");
        }
    }

    /// A fixed example: scanners by others must compute the same checksum.
    #[test]
    fn the_checksum_is_the_published_one() {
        // zlib.crc32(b"mawe_" + b"0" * 40) in base 62.
        assert_eq!(checksum(&format!("mawe_{}", "0".repeat(40))), EXAMPLE);
    }

    const EXAMPLE: &str = "1wPkZY";
}

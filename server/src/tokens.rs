//! Tokens for programs: `mawe_` and 46 letters and digits, of which the last 6 are a checksum; and the scopes of tokens.
//!
//! By the prefix and the checksum a scanner of repositories and logs finds a leaked token, and distinguishes it from similar text without a
//! request to this server: `mawe_[0-9A-Za-z]{46}`, where the last 6 are the CRC-32 (as in zlib) of all before them, in base 62 with the
//! digits `0-9A-Za-z`, padded with `0` on the left.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{ALPHABET, random_text};
use crate::protocol::PlayerKind;
use crate::sessions::{self, TokenHash};

/// The prefix of every token.
pub const PREFIX: &str = "mawe_";

/// The length of the random part in characters: 238 bits, so that a fast hash is enough to store it.
const RANDOM_CHARS: usize = 40;

/// The length of the checksum in characters: 62^6 is more than 2^32.
const CHECK_CHARS: usize = 6;

/// A scope: a group of operations that a token permits.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// See the owner's own data and receive events about them.
    Read,
    /// Play in the owner's matches, start one against the computer, wait in pools.
    Play,
    /// Send, accept, decline and take back challenges and seeks.
    Challenge,
    /// Make the account a bot account; for a bot account, all other scopes too.
    Bot,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 4] = [Scope::Read, Scope::Play, Scope::Challenge, Scope::Bot];

    /// Returns the scope's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Challenge => "challenge",
            Scope::Bot => "bot",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of scopes; written as words separated by spaces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// Returns whether a token with these scopes, of a player of this kind, permits operations of `scope`.
    #[must_use]
    pub fn allow(self, scope: Scope, kind: PlayerKind) -> bool {
        let is_bot = kind == PlayerKind::Bot && self.has(Scope::Bot);
        self.has(scope) || is_bot
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the scopes.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.has(*scope))
    }

    const fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        let bits = scopes.into_iter().map(Scope::bit);
        Scopes(bits.fold(0, |all, bit| all | bit))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Scope::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

/// The error for a word that is not the name of a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no scope is called {0:?}")]
pub struct UnknownScope(String);

impl FromStr for Scopes {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Scopes, UnknownScope> {
        let scope = |word: &str| {
            let known = Scope::ALL.into_iter().find(|scope| scope.as_str() == word);
            known.ok_or_else(|| UnknownScope(word.to_owned()))
        };
        text.split_whitespace().map(scope).collect()
    }
}

/// Draws a new token: returns the token, which its owner sees once, and its hash for the store.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn draw() -> (String, TokenHash) {
    let mut token = format!("{PREFIX}{}", random_text(RANDOM_CHARS));
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

    #[test]
    fn scopes_are_written_as_words_and_a_bot_account_s_scope_is_whole() {
        let scopes: Scopes = "play read".parse().expect("two scopes");
        assert_eq!(scopes.to_string(), "read play");
        assert_eq!("".parse(), Ok(Scopes::default()));
        assert!("read admin".parse::<Scopes>().is_err());
        assert!(scopes.allow(Scope::Play, PlayerKind::Account));
        assert!(!scopes.allow(Scope::Challenge, PlayerKind::Bot));
        let bot: Scopes = [Scope::Bot].into_iter().collect();
        for scope in [Scope::Read, Scope::Play, Scope::Challenge] {
            assert!(bot.allow(scope, PlayerKind::Bot));
            assert!(!bot.allow(scope, PlayerKind::Account));
        }
    }
}

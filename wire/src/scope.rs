//! Scopes of tokens for programs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::players::PlayerKind;

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
    /// Create events, join them, pause in them and leave them.
    Event,
    /// Make the account a bot account; for a bot account, all other scopes too.
    Bot,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 5] = [
        Scope::Read,
        Scope::Play,
        Scope::Challenge,
        Scope::Event,
        Scope::Bot,
    ];

    /// Returns the scope's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Challenge => "challenge",
            Scope::Event => "event",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_written_as_words_and_a_bot_account_s_scope_is_whole() {
        let scopes: Scopes = "play read".parse().expect("two scopes");
        assert_eq!(scopes.to_string(), "read play");
        assert_eq!("".parse(), Ok(Scopes::default()));
        assert!("read admin".parse::<Scopes>().is_err());
        assert!(scopes.allow(Scope::Play, PlayerKind::Account));
        assert!(!scopes.allow(Scope::Challenge, PlayerKind::Bot));
        let bot: Scopes = [Scope::Bot].into_iter().collect();
        for scope in [Scope::Read, Scope::Play, Scope::Challenge, Scope::Event] {
            assert!(bot.allow(scope, PlayerKind::Bot));
            assert!(!bot.allow(scope, PlayerKind::Account));
        }
    }
}

//! Grants: additional rights that the operator gives an account.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A right or a kind that the operator may grant an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// Has the rights of moderators, and moderators cannot act on it.
    Admin,
    /// Sees reports and acts on them.
    Moderator,
    /// Is a bot account: a program plays for it, and all players see that. It is a kind of account rather than a right, so it can be
    /// granted or revoked only before the account has played.
    Bot,
    /// Sees no advertising.
    Premium,
    /// Sees the operator's page, where the server has it switched on. It changes nothing there, makes invitations and timetables of events, and moderates only with another grant.
    Operator,
    /// Founds classes, and makes the accounts of their pupils.
    Teacher,
}

impl Grant {
    /// All grants.
    pub const ALL: [Grant; 6] = [
        Grant::Admin,
        Grant::Moderator,
        Grant::Bot,
        Grant::Premium,
        Grant::Operator,
        Grant::Teacher,
    ];

    /// Returns the name of the grant, as in the store and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Grant::Admin => "admin",
            Grant::Moderator => "moderator",
            Grant::Bot => "bot",
            Grant::Premium => "premium",
            Grant::Operator => "operator",
            Grant::Teacher => "teacher",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for a word that is not the name of a grant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no grant is called {0:?}; there are admin, moderator, bot, premium, operator and teacher")]
pub struct UnknownGrant(String);

impl FromStr for Grant {
    type Err = UnknownGrant;

    fn from_str(word: &str) -> Result<Grant, UnknownGrant> {
        let known = Grant::ALL.into_iter().find(|grant| grant.as_str() == word);
        known.ok_or_else(|| UnknownGrant(word.to_owned()))
    }
}

/// The grants of an account; written as words separated by spaces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grants(u8);

impl Grants {
    /// Returns whether the account has this grant.
    #[must_use]
    pub const fn has(self, grant: Grant) -> bool {
        self.0 & grant.bit() != 0
    }

    /// Returns whether the account may moderate: admins are moderators too.
    #[must_use]
    pub const fn moderate(self) -> bool {
        self.has(Grant::Moderator) || self.has(Grant::Admin)
    }

    /// Returns these grants and one more.
    #[must_use]
    pub const fn with(self, grant: Grant) -> Grants {
        Grants(self.0 | grant.bit())
    }

    /// Returns these grants without one.
    #[must_use]
    pub const fn without(self, grant: Grant) -> Grants {
        Grants(self.0 & !grant.bit())
    }

    /// Iterates over the grants.
    pub fn iter(self) -> impl Iterator<Item = Grant> {
        Grant::ALL.into_iter().filter(move |grant| self.has(*grant))
    }
}

impl fmt::Display for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Grant::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

impl FromStr for Grants {
    type Err = UnknownGrant;

    fn from_str(text: &str) -> Result<Grants, UnknownGrant> {
        text.split_whitespace()
            .map(Grant::from_str)
            .try_fold(Grants::default(), |grants, grant| Ok(grants.with(grant?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_are_written_as_words_and_read_back() {
        for bits in 0..1u8 << Grant::ALL.len() {
            let grants = Grants(bits);
            assert_eq!(grants.to_string().parse(), Ok(grants));
        }
        assert_eq!(
            "premium admin"
                .parse::<Grants>()
                .expect("both are known")
                .to_string(),
            "admin premium"
        );
        assert!("moderator king".parse::<Grants>().is_err());
    }

    #[test]
    fn admins_moderate_too_and_others_do_not() {
        for grant in Grant::ALL {
            let expected = matches!(grant, Grant::Admin | Grant::Moderator);
            assert_eq!(
                Grants::default().with(grant).moderate(),
                expected,
                "{grant}"
            );
        }
        let former = Grants::default()
            .with(Grant::Moderator)
            .without(Grant::Moderator);
        assert_eq!(former, Grants::default());
    }
}

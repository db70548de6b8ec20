//! Rules of players about other players.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The permitted challengers of a player by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChallengesFrom {
    /// Everybody, also guests.
    #[default]
    Everybody,
    /// Everybody but guests.
    Registered,
    /// Friends, which are followed players who are followers, too, and members of a shared club.
    Friends,
    /// Nobody.
    Nobody,
}

impl ChallengesFrom {
    /// All of them.
    pub const ALL: [ChallengesFrom; 4] = [
        ChallengesFrom::Everybody,
        ChallengesFrom::Registered,
        ChallengesFrom::Friends,
        ChallengesFrom::Nobody,
    ];

    /// The code, on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ChallengesFrom::Everybody => "everybody",
            ChallengesFrom::Registered => "registered",
            ChallengesFrom::Friends => "friends",
            ChallengesFrom::Nobody => "nobody",
        }
    }
}

impl fmt::Display for ChallengesFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_the_one_on_the_wire() {
        for from in ChallengesFrom::ALL {
            let written = serde_json::to_value(from).expect("a code");
            assert_eq!(written, from.as_str());
        }
    }
}

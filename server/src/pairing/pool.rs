//! Which pools there are.

use std::fmt;
use std::str::FromStr;

use mawe_rules::{AnySetup, GameKind};
use serde::{Deserialize, Serialize};

use crate::protocol::TimeControl;

/// How much time the pools give, base and increment in seconds, by the name on the wire. A handful: each pool more is a share of the
/// people fewer in every other.
const CONTROLS: [(&str, u64, u64); 5] = [
    ("1+0", 60, 0),
    ("3+2", 180, 2),
    ("5+0", 300, 0),
    ("10+5", 600, 5),
    ("15+10", 900, 10),
];

/// A pool: who waits here plays this game with this much time. Rated pools are for accounts, casual ones for everybody: a guest who
/// would be rated against nobody must not keep an account from a rated match, nor the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PoolKey {
    /// The game kind.
    pub game: GameKind,
    /// How much time.
    pub pool: PoolId,
    /// Whether ratings change.
    pub rated: bool,
}

impl PoolKey {
    /// Every pool, in the order in which lists show them.
    pub fn all() -> impl Iterator<Item = PoolKey> {
        GameKind::ALL.iter().flat_map(|game| {
            PoolId::all().flat_map(|pool| {
                [true, false].map(|rated| PoolKey {
                    game: *game,
                    pool,
                    rated,
                })
            })
        })
    }

    /// What is played here: one form of the game for everybody who waits, the one of rated play where the rules keep one.
    #[must_use]
    pub fn setup(self) -> AnySetup {
        AnySetup::rated(self.game)
    }
}

/// How much time a pool gives, by name: minutes and seconds of increment, `5+0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PoolId(usize);

impl PoolId {
    /// All of them, shortest first.
    pub fn all() -> impl Iterator<Item = PoolId> {
        (0..CONTROLS.len()).map(PoolId)
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        CONTROLS[self.0].0
    }

    /// The time control.
    #[must_use]
    pub fn time_control(self) -> TimeControl {
        let (_, base_s, increment_s) = CONTROLS[self.0];
        TimeControl::Realtime {
            base_ms: base_s * 1_000,
            increment_ms: increment_s * 1_000,
        }
    }
}

/// There is no such pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a pool is 1+0, 3+2, 5+0, 10+5 or 15+10")]
pub struct UnknownPool;

impl FromStr for PoolId {
    type Err = UnknownPool;

    fn from_str(text: &str) -> Result<PoolId, UnknownPool> {
        PoolId::all()
            .find(|pool| pool.as_str() == text)
            .ok_or(UnknownPool)
    }
}

impl TryFrom<String> for PoolId {
    type Error = UnknownPool;

    fn try_from(text: String) -> Result<PoolId, UnknownPool> {
        text.parse()
    }
}

impl From<PoolId> for String {
    fn from(pool: PoolId) -> String {
        pool.as_str().to_owned()
    }
}

impl fmt::Display for PoolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Speed;

    #[test]
    fn pools_have_names_that_parse_and_times_that_may_be_played() {
        for pool in PoolId::all() {
            assert_eq!(pool.to_string().parse(), Ok(pool));
            assert!(pool.time_control().check().is_ok(), "{pool}");
            assert!(
                UnknownPool.to_string().contains(pool.as_str()),
                "{pool} is named to whoever asked for another"
            );
        }
        assert_eq!("2+1".parse::<PoolId>(), Err(UnknownPool));
        let speeds = PoolId::all().map(|pool| pool.time_control().speed());
        assert_eq!(
            speeds.collect::<Vec<_>>(),
            [
                Speed::Bullet,
                Speed::Blitz,
                Speed::Blitz,
                Speed::Rapid,
                Speed::Rapid
            ]
        );
    }

    #[test]
    fn every_game_has_its_pools_and_a_form_that_may_be_rated() {
        assert_eq!(PoolKey::all().count(), GameKind::ALL.len() * 5 * 2);
        for key in PoolKey::all() {
            let setup = key.setup();
            assert_eq!(setup.kind(), key.game);
            assert!(setup.may_be_rated(), "{setup}");
        }
    }
}

//! The pools and their names.

use std::fmt;
use std::str::FromStr;

use mawe_rules::{AnySetup, GameKind};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::time_control::TimeControl;

/// The pools' names on the wire, with base and increment in seconds. They are few, because each further pool takes players from every
/// other.
const CONTROLS: [(&str, u64, u64); 5] = [
    ("1+0", 60, 0),
    ("3+2", 180, 2),
    ("5+0", 300, 0),
    ("10+5", 600, 5),
    ("15+10", 900, 10),
];

/// A pool: its players want this game with this time control. Rated pools are for accounts, casual ones for everybody. They are apart
/// because guests cannot be rated: a guest must not stand between an account and a rated match, or the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PoolKey {
    /// The game kind.
    pub game: GameKind,
    /// The time control.
    pub pool: PoolId,
    /// Whether the matches are rated.
    pub rated: bool,
}

impl PoolKey {
    /// Every pool, in the order in which lists show them.
    pub fn all() -> impl Iterator<Item = PoolKey> {
        let all = GameKind::ALL.iter().flat_map(|game| {
            PoolId::all().flat_map(|pool| [true, false].map(|rated| Self::new(*game, pool, rated)))
        });
        all.filter_map(Result::ok)
    }

    /// The pool of a game.
    ///
    /// # Errors
    /// [`UnknownPool::CasualOnly`] for a rated pool of a game that is not rated.
    pub fn new(game: GameKind, pool: PoolId, rated: bool) -> Result<PoolKey, UnknownPool> {
        match rated && !AnySetup::usual(game).may_be_rated() {
            true => Err(UnknownPool::CasualOnly),
            false => Ok(PoolKey { game, pool, rated }),
        }
    }

    /// The setup for all matches of this pool.
    #[must_use]
    pub fn setup(self) -> AnySetup {
        AnySetup::usual(self.game)
    }
}

/// The time control of a pool, by name: base in minutes and increment in seconds, such as `5+0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PoolId(usize);

impl PoolId {
    /// All time controls, shortest first.
    pub fn all() -> impl Iterator<Item = PoolId> {
        (0..CONTROLS.len()).map(PoolId)
    }

    /// The name on the wire.
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
pub enum UnknownPool {
    /// No pool has this name.
    #[error("a pool is 1+0, 3+2, 5+0, 10+5 or 15+10")]
    Name,
    /// The game has casual pools only.
    #[error("this game is not rated: join its casual pool")]
    CasualOnly,
}

impl FromStr for PoolId {
    type Err = UnknownPool;

    fn from_str(text: &str) -> Result<PoolId, UnknownPool> {
        PoolId::all()
            .find(|pool| pool.as_str() == text)
            .ok_or(UnknownPool::Name)
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

impl PartialSchema for PoolId {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(PoolId::all().map(PoolId::as_str)))
            .description(Some("The time control of a pool."))
            .into()
    }
}

impl ToSchema for PoolId {}

impl fmt::Display for PoolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Speed;

    #[test]
    fn pools_have_names_that_parse_and_times_that_may_be_played() {
        for pool in PoolId::all() {
            assert_eq!(pool.to_string().parse(), Ok(pool));
            assert!(pool.time_control().check().is_ok(), "{pool}");
            assert!(
                UnknownPool::Name.to_string().contains(pool.as_str()),
                "{pool} is named to whoever asked for another"
            );
        }
        assert_eq!("2+1".parse::<PoolId>(), Err(UnknownPool::Name));
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
    fn every_game_has_casual_pools_and_rated_ones_if_it_may_be_rated() {
        for game in GameKind::ALL {
            let rated = match AnySetup::usual(*game).may_be_rated() {
                true => vec![true, false],
                false => vec![false],
            };
            for pool in PoolId::all() {
                let pools = PoolKey::all().filter(|key| (key.game, key.pool) == (*game, pool));
                assert!(pools.map(|key| key.rated).eq(rated.iter().copied()));
            }
        }
        for key in PoolKey::all() {
            assert_eq!(key.setup().kind(), key.game);
            assert!(!key.rated || key.setup().may_be_rated());
        }
        let pool = PoolId::all().next().expect("a pool");
        let refused = PoolKey::new(GameKind::Pallanguzhi, pool, true);
        assert_eq!(refused, Err(UnknownPool::CasualOnly));
    }
}

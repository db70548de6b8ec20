//! Players as text.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use mawe_ai::search::MAX_DEPTH;
use mawe_ai::{EngineOptions, Level, Strength};

/// The largest table of a player, in megabytes.
const MAX_MEGABYTES: usize = 65_536;
/// The most playouts a move.
const MAX_PLAYOUTS: u64 = 100_000_000;
/// The most threads of a player.
const MAX_THREADS: usize = 256;

/// The description of a player, as text: a level (`5` or `level=5`), or limits of the engine (`nodes=N`, `depth=N`, `movetime=MS`), joined
/// with commas, with optional `threads=N`, `hash=MB`, `without=FEATURE+…`; or `beginner`, a player that knows the rules and takes any
/// immediate gain; or `random`, any legal move; or `mcts=N`, a plain Monte Carlo tree search of N playouts. `hand` is an engine that judges
/// by rules of thumb only, `weights=FILE` one with these weights, `no-contempt` one that does not avoid draws. `nodes=N` with a level is a
/// further limit below the level's own. `noise=N`, `blindness=N`, `sure=N` and `restless` (no quiescence) make a player with errors, see
/// [`Strength`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub(super) who: Who,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) movetime: Option<Duration>,
    pub(super) options: EngineOptions,
    pub(super) judges: Judges,
}

/// The evaluation that an engine uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judges {
    BuiltIn,
    ByHand,
    Weights(String),
}

/// The kind of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Engine,
    Level(Level),
    Strength(Strength),
    Beginner,
    Random,
    Playouts(u64),
}

impl Spec {
    /// A level with a limit of nodes a move.
    pub fn level(level: Level, nodes: Option<u64>) -> Self {
        Self {
            who: Who::Level(level),
            nodes,
            ..Self::engine()
        }
    }

    /// The errors of the player, which becomes a player with errors if it is none.
    fn strength(&mut self) -> &mut Strength {
        if !matches!(self.who, Who::Strength(_)) {
            self.who = Who::Strength(Strength::FULL);
        }
        match &mut self.who {
            Who::Strength(strength) => strength,
            Who::Engine | Who::Level(_) | Who::Beginner | Who::Random | Who::Playouts(_) => {
                unreachable!("it was made one")
            }
        }
    }

    fn engine() -> Self {
        Self {
            who: Who::Engine,
            depth: None,
            nodes: None,
            movetime: None,
            options: EngineOptions {
                contempt: true,
                ..EngineOptions::default()
            },
            judges: Judges::BuiltIn,
        }
    }
}

impl FromStr for Spec {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let bad = |why: String| BadSpec(why);
        let mut spec = Self::engine();
        for part in text.split(',') {
            let (key, value) = part.split_once('=').unwrap_or(match part.parse::<Level>() {
                Ok(_) => ("level", part),
                Err(_) => (part, ""),
            });
            let number = |most: u64| match value.parse() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => Err(bad(format!("{key} {value:?}: a number from 1 to {most}"))),
            };
            match key {
                "level" => {
                    let level = value
                        .parse()
                        .map_err(|error| bad(format!("level {value:?}: {error}")))?;
                    spec.who = Who::Level(level);
                }
                "blindness" => spec.strength().blindness = number(10_000)? as u32,
                "sure" => spec.strength().sure = number(10_000)? as u32,
                "noise" => spec.strength().noise = number(100_000)? as i32,
                "restless" if value.is_empty() => spec.strength().calms = false,
                "beginner" if value.is_empty() => spec.who = Who::Beginner,
                "random" if value.is_empty() => spec.who = Who::Random,
                "mcts" => spec.who = Who::Playouts(number(MAX_PLAYOUTS)?),
                "no-contempt" if value.is_empty() => spec.options.contempt = false,
                "hand" if value.is_empty() => spec.judges = Judges::ByHand,
                "weights" => spec.judges = Judges::Weights(value.to_owned()),
                // The limit keeps the depth within a `u32`.
                "depth" => spec.depth = Some(number(u64::from(MAX_DEPTH))? as u32),
                "nodes" => spec.nodes = Some(number(u64::MAX)?),
                "movetime" => spec.movetime = Some(Duration::from_millis(number(86_400_000)?)),
                "threads" => spec.options.threads = number(MAX_THREADS as u64)? as usize,
                "hash" => spec.options.megabytes = number(MAX_MEGABYTES as u64)? as usize,
                "without" => {
                    let features = value.parse();
                    spec.options.features =
                        features.map_err(|error| bad(format!("without {value:?}: {error}")))?;
                }
                _ => {
                    return Err(bad(format!(
                        "{part:?}: a player is a level (5), or nodes=, depth= or movetime=, \
                         and threads=, hash=, without="
                    )));
                }
            }
        }
        let bounded = spec.depth.is_some() || spec.nodes.is_some() || spec.movetime.is_some();
        if spec.who == Who::Engine && !bounded {
            return Err(bad(format!(
                "{text:?}: nodes=, depth= or movetime= is wanted"
            )));
        }
        Ok(spec)
    }
}

/// The error of a text that is not a [`Spec`] or not [`Openings`](super::Openings).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSpec(pub(super) String);

impl fmt::Display for BadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSpec {}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Result<Spec, BadSpec> {
        text.parse()
    }

    #[test]
    fn players_are_written_in_few_words() {
        let five = Level::try_from(5).expect("a level");
        assert_eq!(spec("5"), Ok(Spec::level(five, None)));
        assert_eq!(spec("level=5,nodes=100"), Ok(Spec::level(five, Some(100))));
        let engine = spec("nodes=1000,threads=2,without=killers+history").expect("a player");
        assert_eq!((engine.nodes, engine.options.threads), (Some(1000), 2));
        assert!(!engine.options.features.killers && engine.options.features.table);
        for text in [
            "",
            "11",
            "nodes=0",
            "nodes",
            "depth=201",
            "threads=2",
            "without=x",
            "5,6=",
            "me",
        ] {
            assert!(spec(text).is_err(), "{text:?}");
        }
    }
}

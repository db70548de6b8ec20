//! Players as text.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use mawe_ai::search::MAX_DEPTH;
use mawe_ai::{EngineOptions, Level, Strength};

use crate::outside::{EngineCommand, Protocol};

/// The largest table of a player, in megabytes.
const MAX_MEGABYTES: usize = 65_536;
/// The most playouts a move.
const MAX_PLAYOUTS: u64 = 100_000_000;
/// The most threads of a player.
const MAX_THREADS: usize = 256;
/// The longest time of a move or a clock: a day.
const MAX_TIME_MS: u64 = 86_400_000;
/// The beginning of the command of an outside engine, which is the rest of the text.
const COMMAND: &str = "cmd:";

/// The description of a player, as text: a level (`5` or `level=5`), or limits of the engine (`nodes=N`, `depth=N`, `movetime=MS`), joined
/// with commas, with optional `threads=N`, `hash=MB`, `without=FEATURE+…`; or `beginner`, a player that knows the rules and takes any
/// immediate gain; or `random`, any legal move; or `mcts=N`, a plain Monte Carlo tree search of N playouts. `hand` is an engine that judges
/// by rules of thumb only, `weights=FILE` one with these weights, `no-contempt` one that does not avoid draws. `nodes=N` with a level is a
/// further limit below the level's own. `noise=N`, `blindness=N`, `sure=N` and `restless` (no quiescence) make a player with errors, see
/// [`Strength`]. `clock=BASE+INC` is a limit too: a clock in seconds, as in `clock=60+0.5`.
///
/// `cmd:PROTOCOL:COMMAND` at the end is an outside engine, with the same limits before it: `movetime=100,cmd:gtp:edax -gtp`. The command may
/// contain commas. `option.NAME=VALUE` sets an option of the engine, `init=LINE` is a line for it, `dir=PATH` the directory in which it is
/// started. `name=TEXT` names any player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub(super) who: Who,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) movetime: Option<Duration>,
    pub(super) clock: Option<TimeControl>,
    pub(super) name: Option<String>,
    pub(super) options: EngineOptions,
    pub(super) judges: Judges,
}

/// The clock of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time at the start.
    pub base: Duration,
    /// The time that each move adds.
    pub increment: Duration,
}

/// The evaluation that an engine uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judges {
    BuiltIn,
    ByHand,
    Weights(String),
}

/// The kind of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Engine,
    Outside(Box<EngineCommand>),
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

    /// The name that the text gives the player.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The errors of the player, which becomes a player with errors if it is none.
    fn strength(&mut self) -> &mut Strength {
        if !matches!(self.who, Who::Strength(_)) {
            self.who = Who::Strength(Strength::FULL);
        }
        match &mut self.who {
            Who::Strength(strength) => strength,
            Who::Engine
            | Who::Outside(_)
            | Who::Level(_)
            | Who::Beginner
            | Who::Random
            | Who::Playouts(_) => unreachable!("it was made one"),
        }
    }

    fn engine() -> Self {
        Self {
            who: Who::Engine,
            depth: None,
            nodes: None,
            movetime: None,
            clock: None,
            name: None,
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
        let spec = Self::parse(text)?;
        match spec.is_endless() {
            true => Err(BadSpec(format!(
                "{text:?}: nodes=, depth=, movetime= or clock= is wanted"
            ))),
            false => Ok(spec),
        }
    }
}

impl Spec {
    /// Reads a player of matches that bring a clock with them: it needs no limit of its own. An engine without one plays by `without_clock` in
    /// a match that brings none, as if that clock were full at each turn.
    ///
    /// # Errors
    ///
    /// A [`BadSpec`] if the text is no player.
    pub fn of_clocked_matches(text: &str, without_clock: TimeControl) -> Result<Self, BadSpec> {
        let mut spec = Self::parse(text)?;
        if spec.is_endless() {
            spec.clock = Some(without_clock);
        }
        Ok(spec)
    }

    /// Whether it is an engine without any limit.
    fn is_endless(&self) -> bool {
        let is_bounded = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        self.is_engine() && !is_bounded && self.clock.is_none()
    }

    fn is_engine(&self) -> bool {
        matches!(self.who, Who::Engine | Who::Outside(_))
    }

    fn parse(text: &str) -> Result<Self, BadSpec> {
        let bad = |why: String| BadSpec(why);
        let (parts, mut command) = match text.find(COMMAND) {
            Some(0) => (None, Some(command(text)?)),
            // Within a word it is part of a value.
            Some(at) if text[..at].ends_with(',') => {
                (Some(&text[..at - 1]), Some(command(&text[at..])?))
            }
            _ => (Some(text), None),
        };
        let mut spec = Self::engine();
        // The parameters of our own engine, which an outside one does not have.
        let mut of_ours = None;
        for part in parts.into_iter().flat_map(|parts| parts.split(',')) {
            let (key, value) = part.split_once('=').unwrap_or(match part.parse::<Level>() {
                Ok(_) => ("level", part),
                Err(_) => (part, ""),
            });
            let number = |most: u64| match value.parse() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => Err(bad(format!("{key} {value:?}: a number from 1 to {most}"))),
            };
            let of_outside = |command: &mut Option<EngineCommand>| match command {
                Some(_) => Ok(()),
                None => Err(bad(format!("{part:?} goes with an engine (cmd:…) only"))),
            };
            match key {
                // The limits keep the depth within a `u32`.
                "depth" => spec.depth = Some(number(u64::from(MAX_DEPTH))? as u32),
                "nodes" => spec.nodes = Some(number(u64::MAX)?),
                "movetime" => spec.movetime = Some(Duration::from_millis(number(MAX_TIME_MS)?)),
                "clock" => spec.clock = Some(value.parse()?),
                "name" if !value.is_empty() => spec.name = Some(value.to_owned()),
                "dir" | "init" => {
                    of_outside(&mut command)?;
                    if let Some(command) = &mut command {
                        match key {
                            "dir" => command.directory = Some(value.into()),
                            _ => command.init.push(value.to_owned()),
                        }
                    }
                }
                _ => match key.strip_prefix("option.") {
                    Some(name) => {
                        of_outside(&mut command)?;
                        if let Some(command) = &mut command {
                            command.options.push((name.to_owned(), value.to_owned()));
                        }
                    }
                    None => {
                        spec.set_own(part, key, value)?;
                        of_ours = Some(part);
                    }
                },
            }
        }
        if let Some(command) = command {
            if let Some(part) = of_ours {
                return Err(bad(format!("{part:?} does not go with an engine (cmd:…)")));
            }
            let protocol = command.protocol;
            if spec.depth.is_some() && !protocol.has_depth() {
                return Err(bad(format!("{protocol} has no limit of depth")));
            }
            if spec.nodes.is_some() && !protocol.has_nodes() {
                return Err(bad(format!("{protocol} has no limit of nodes")));
            }
            spec.who = Who::Outside(Box::new(command));
        }
        if !spec.is_engine() && spec.clock.is_some() {
            return Err(bad(format!("{text:?}: only engines play by a clock")));
        }
        Ok(spec)
    }
}

impl Spec {
    /// Sets a parameter of a player of our own.
    fn set_own(&mut self, part: &str, key: &str, value: &str) -> Result<(), BadSpec> {
        let bad = |why: String| BadSpec(why);
        let number = |most: u64| match value.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(bad(format!("{key} {value:?}: a number from 1 to {most}"))),
        };
        match key {
            "level" => {
                let level = value
                    .parse()
                    .map_err(|error| bad(format!("level {value:?}: {error}")))?;
                self.who = Who::Level(level);
            }
            "blindness" => self.strength().blindness = number(10_000)? as u32,
            "sure" => self.strength().sure = number(10_000)? as u32,
            "noise" => self.strength().noise = number(100_000)? as i32,
            "restless" if value.is_empty() => self.strength().calms = false,
            "beginner" if value.is_empty() => self.who = Who::Beginner,
            "random" if value.is_empty() => self.who = Who::Random,
            "mcts" => self.who = Who::Playouts(number(MAX_PLAYOUTS)?),
            "no-contempt" if value.is_empty() => self.options.contempt = false,
            "hand" if value.is_empty() => self.judges = Judges::ByHand,
            "weights" => self.judges = Judges::Weights(value.to_owned()),
            "threads" => self.options.threads = number(MAX_THREADS as u64)? as usize,
            "hash" => self.options.megabytes = number(MAX_MEGABYTES as u64)? as usize,
            "without" => {
                let features = value.parse();
                self.options.features =
                    features.map_err(|error| bad(format!("without {value:?}: {error}")))?;
            }
            _ => {
                return Err(bad(format!(
                    "{part:?}: a player is a level (5), or nodes=, depth=, movetime= or clock=, \
                     and threads=, hash=, without=; or the same limits and cmd:PROTOCOL:COMMAND"
                )));
            }
        }
        Ok(())
    }
}

/// Reads `cmd:PROTOCOL:COMMAND`.
fn command(text: &str) -> Result<EngineCommand, BadSpec> {
    let rest = text.strip_prefix(COMMAND).unwrap_or(text);
    let bad = |why: &dyn fmt::Display| BadSpec(format!("{text:?}: {why}"));
    let (protocol, line) = rest
        .split_once(':')
        .ok_or_else(|| bad(&"cmd:PROTOCOL:COMMAND is wanted, like cmd:gtp:edax -gtp"))?;
    let protocol: Protocol = protocol.parse().map_err(|error| bad(&error))?;
    EngineCommand::parse(protocol, line).map_err(|error| bad(&error))
}

impl FromStr for TimeControl {
    type Err = BadSpec;

    /// `BASE+INC` or `BASE`, in seconds.
    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let longest = Duration::from_millis(MAX_TIME_MS);
        let seconds = |text: &str| {
            let time = Duration::try_from_secs_f64(text.parse().ok()?).ok();
            time.filter(|time| *time <= longest)
        };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let control = seconds(base).zip(seconds(increment));
        match control {
            Some((base, increment)) if !base.is_zero() => Ok(Self { base, increment }),
            _ => Err(BadSpec(format!(
                "clock {text:?}: seconds like 60+0.5 are wanted, a day at most"
            ))),
        }
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
    fn a_player_of_clocked_matches_needs_no_limit() {
        let minute = TimeControl {
            base: Duration::from_secs(60),
            increment: Duration::ZERO,
        };
        let read = |text| Spec::of_clocked_matches(text, minute).expect("a player");
        assert_eq!(read("cmd:gtp:edax -gtp").clock, Some(minute));
        assert_eq!(read("threads=2").clock, Some(minute));
        for text in ["5", "nodes=1000", "clock=5+1,cmd:ugi:engine", "random"] {
            assert_eq!(Ok(read(text)), spec(text), "{text}");
        }
        assert!(Spec::of_clocked_matches("5,clock=60", minute).is_err());
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
            "clock=0",
            "clock=1+x",
            "clock=86401",
            "clock=-1",
            "5,clock=60",
        ] {
            assert!(spec(text).is_err(), "{text:?}");
        }
    }
    #[test]
    fn an_outside_engine_has_limits_options_and_a_command_at_the_end() {
        let text = "name=old,clock=60+0.5,option.Hash=64,init=set depth 9,dir=/tmp,cmd:ugi:'my engine' a,b=c,cmd:x";
        let old = spec(text).expect("a player");
        assert_eq!(old.name(), Some("old"));
        let clock = old.clock.expect("it has one");
        assert_eq!(
            (clock.base.as_secs(), clock.increment.as_millis()),
            (60, 500)
        );
        let Who::Outside(command) = old.who else {
            panic!("it is an engine of others");
        };
        assert_eq!(command.words, ["my engine", "a,b=c,cmd:x"]);
        assert_eq!(command.options, [("Hash".to_owned(), "64".to_owned())]);
        assert_eq!(command.init, ["set depth 9"]);
        assert_eq!(command.directory.as_deref(), Some("/tmp".as_ref()));
        assert!(spec("nodes=100,cmd:ugi:x").is_ok());
        assert!(spec("depth=9,cmd:nboard:x").is_ok());
        for (text, why) in [
            ("cmd:ugi:x", "is wanted"),
            ("movetime=5,cmd:x", "cmd:PROTOCOL:COMMAND"),
            ("movetime=5,cmd:uci:x", "the protocols are"),
            ("movetime=5,cmd:ugi:", "names no program"),
            ("movetime=5,cmd:ugi:'x", "within a quotation"),
            ("movetime=5,hash=5,cmd:ugi:x", "\"hash=5\" does not go with"),
            ("5,movetime=5,cmd:ugi:x", "\"5\" does not go with"),
            ("nodes=5,cmd:gtp:x", "no limit of nodes"),
            ("depth=5,cmd:gtp:x", "no limit of depth"),
            ("movetime=5,dir=x", "goes with an engine"),
            ("movetime=5,option.Hash=x", "goes with an engine"),
        ] {
            let error = spec(text).expect_err(text).to_string();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }
}

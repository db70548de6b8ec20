//! Matches between players, to measure which is the stronger and by how much.
//!
//! Games come in pairs: both begin with the same few random plies, and the players exchange sides. The seed determines every game, unless a
//! player is limited by time or has several threads.

mod mcts;
mod tally;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use mawe_rules::{AnyMove, AnyPosition, AnySetup, BySide, GameKind, Record, Side};

pub use tally::{Elo, Pair, Tally, Verdict};

use crate::choose::choose_as;
use crate::engine::{Engine, EngineOptions};
use crate::error::NoMemory;
use crate::knowledge::Knowledge;
use crate::level::Level;
use crate::limits::Limits;
use crate::search::MAX_DEPTH;
use crate::sight::mix;
use crate::strength::Strength;
use crate::think::{is_settled, think};

/// A longer game is a draw.
const MAX_PLIES: u32 = 600;
/// More random plies would leave too little of the game.
const MAX_OPENING_PLIES: u64 = 60;
/// The number of openings tried for a pair; if none is even enough, the least uneven one is taken.
const OPENINGS: u64 = 24;
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
    who: Who,
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    options: EngineOptions,
    judges: Judges,
}

/// The evaluation that an engine uses.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Judges {
    BuiltIn,
    ByHand,
    Weights(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
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

/// The error of a text that is not a [`Spec`] or not [`Openings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSpec(String);

impl fmt::Display for BadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSpec {}

/// A player of one game.
pub struct Player {
    spec: Spec,
    engine: Option<Engine>,
    knowledge: Arc<Knowledge>,
}

impl Player {
    /// The player of this description, for this game.
    ///
    /// # Errors
    ///
    /// A [`BadSpec`] if the table cannot be allocated or the weights cannot be used.
    pub fn new(spec: Spec, kind: GameKind) -> Result<Self, BadSpec> {
        let knowledge = match &spec.judges {
            Judges::BuiltIn => Arc::clone(Knowledge::built_in()),
            Judges::ByHand => Arc::clone(Knowledge::by_hand()),
            Judges::Weights(path) => {
                let bad = |error: &dyn fmt::Display| BadSpec(format!("weights {path}: {error}"));
                let file = std::fs::read(path).map_err(|error| bad(&error))?;
                let knowledge = Knowledge::built_in_with(kind, &file);
                Arc::new(knowledge.map_err(|error| bad(&error))?)
            }
        };
        let engine = match spec.who {
            Who::Engine => {
                let engine = Engine::knowing(Arc::clone(&knowledge), spec.options);
                Some(engine.map_err(|NoMemory| BadSpec(NoMemory.to_string()))?)
            }
            Who::Level(_) | Who::Strength(_) | Who::Beginner | Who::Random | Who::Playouts(_) => {
                None
            }
        };
        Ok(Self {
            spec,
            engine,
            knowledge,
        })
    }

    /// The player's move; the game must not be over.
    pub fn choose(&self, game: &Record, seed: u64) -> AnyMove {
        let spec = &self.spec;
        let limits = Limits {
            depth: spec.depth,
            nodes: spec.nodes,
            movetime: spec.movetime,
            ..Limits::default()
        };
        let with_errors = |strength: Strength| {
            let strength = Strength {
                depth: spec
                    .depth
                    .map_or(strength.depth, |cap| cap.min(strength.depth)),
                nodes: spec
                    .nodes
                    .map_or(strength.nodes, |cap| cap.min(strength.nodes)),
                ..strength
            };
            let patience = spec.movetime.unwrap_or(Duration::MAX);
            choose_as(
                game,
                strength,
                &self.knowledge,
                seed,
                Arc::default(),
                patience,
            )
        };
        let thought = match (spec.who, &self.engine) {
            (Who::Level(level), _) => with_errors(level.strength(game.kind())),
            (Who::Strength(strength), _) => with_errors(strength),
            (Who::Engine, Some(engine)) => engine.think(game, &limits, &mut |_| ()),
            (Who::Engine, None) => think(game.position(), &limits),
            (Who::Beginner, _) => return beginner(game, seed),
            (Who::Random, _) => return random(game, seed),
            (Who::Playouts(playouts), _) => return mcts::choose(game.position(), playouts, seed),
        };
        thought.expect("the game is not over").best
    }

    /// Clears the results of the previous game.
    pub fn forget(&self) {
        if let Some(engine) = &self.engine {
            engine.forget();
        }
    }
}

/// The move of a beginner: one time in three a random move, otherwise the best move of a search of one ply with its quiescence. A winning
/// move is always taken.
fn beginner(game: &Record, seed: u64) -> AnyMove {
    let dice = mix(seed ^ mix(game.position().zobrist()));
    let moves = game.position().legal_moves();
    let thought = think(game.position(), &Limits::depth(1)).expect("the game is not over");
    match dice % 3 {
        0 if thought.wins_in() != Some(1) => moves[(dice / 3) as usize % moves.len()],
        _ => thought.best,
    }
}

/// A random legal move.
fn random(game: &Record, seed: u64) -> AnyMove {
    let moves = game.position().legal_moves();
    let dice = mix(seed ^ mix(game.position().zobrist()));
    moves[dice as usize % moves.len()]
}

/// The openings of pairs of games: their length, and the limit of their unevenness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Openings {
    /// The nodes of the search that judges an opening.
    pub nodes: u64,
    /// The most hundredths by which either side may be ahead.
    pub lead: i32,
    /// The fewest random plies.
    pub shortest: u64,
    /// The most random plies.
    pub longest: u64,
}

impl Default for Openings {
    fn default() -> Self {
        Self {
            nodes: 4_000,
            lead: 250,
            shortest: 4,
            longest: 6,
        }
    }
}

impl FromStr for Openings {
    type Err = BadSpec;

    /// `NODES,LEAD`, or `NODES,LEAD,SHORTEST-LONGEST`.
    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let parse = || {
            let mut parts = text.split(',');
            let nodes = parts.next()?.parse().ok().filter(|nodes| *nodes > 0)?;
            let lead = parts.next()?.parse().ok().filter(|lead| *lead >= 0)?;
            let mut openings = Self {
                nodes,
                lead,
                ..Self::default()
            };
            if let Some(plies) = parts.next() {
                let (shortest, longest) = plies.split_once('-')?;
                (openings.shortest, openings.longest) =
                    (shortest.parse().ok()?, longest.parse().ok()?);
            }
            let known = openings.shortest..=MAX_OPENING_PLIES;
            (parts.next().is_none() && known.contains(&openings.longest)).then_some(openings)
        };
        parse().ok_or_else(|| {
            BadSpec(format!(
                "openings {text:?}: nodes and hundredths like 4000,250 are wanted, and perhaps plies like 4000,250,4-6"
            ))
        })
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            nodes,
            lead,
            shortest,
            longest,
        } = self;
        write!(f, "{nodes},{lead},{shortest}-{longest}")
    }
}

/// Plays both games of pair `number`.
pub fn play_pair(
    setup: &AnySetup,
    openings: Openings,
    [one, other]: [&Player; 2],
    seed: u64,
    number: u64,
) -> Pair {
    let opening = opening_of(setup, openings, seed, number);
    Pair::of(play_both(&opening, [one, other], seed, number))
}

/// Plays both games of pair `number` of a match with this seed, from this opening. Returns the winner of the game in which the first player
/// had each side.
pub fn play_both(
    opening: &Record,
    [one, other]: [&Player; 2],
    seed: u64,
    number: u64,
) -> BySide<Option<Side>> {
    let seed = mix(seed ^ mix(number));
    BySide::from_fn(|side| {
        one.forget();
        other.forget();
        let (first, second) = match side {
            Side::First => (one, other),
            Side::Second => (other, one),
        };
        play_on(opening.clone(), first, second, seed)
    })
}

/// Plays a game to its end and returns the winner.
fn play_on(mut game: Record, first: &Player, second: &Player, seed: u64) -> Option<Side> {
    while game.ply() < MAX_PLIES {
        if let Some(outcome) = game.outcome() {
            return outcome.winner;
        }
        let player = match game.turn() {
            Side::First => first,
            Side::Second => second,
        };
        let m = player.choose(&game, mix(seed.wrapping_add(u64::from(game.ply()))));
        let played = game.play(&m.to_string());
        played.expect("a player plays by the rules");
    }
    None
}

/// The opening of both games of pair `number` of a match with this seed.
pub fn opening_of(setup: &AnySetup, openings: Openings, seed: u64, number: u64) -> Record {
    opening(setup, openings, mix(seed ^ mix(number)))
}

/// The opening of both games of a pair.
fn opening(setup: &AnySetup, openings: Openings, seed: u64) -> Record {
    let kind = setup.kind();
    let start = || Record::new(kind, setup).expect("the setup was accepted before");
    let mut best: Option<(i32, Record)> = None;
    for attempt in 0..OPENINGS {
        let mut dice = mix(seed ^ mix(attempt));
        let mut game = start();
        let plies = openings.shortest + dice % (openings.longest - openings.shortest + 1);
        for _ in 0..plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            dice = mix(dice);
            let m = moves[dice as usize % moves.len()].to_string();
            game.play(&m).expect("a legal move");
        }
        if game.outcome().is_some() || is_settled(game.position()) {
            continue;
        }
        let limits = Limits::nodes(openings.nodes);
        let lead = think(game.position(), &limits).map_or(i32::MAX, |thought| thought.score.abs());
        if best.as_ref().is_none_or(|(least, _)| lead < *least) {
            best = Some((lead, game));
        }
        if lead <= openings.lead {
            break;
        }
    }
    best.map_or_else(start, |(_, game)| game)
}

/// The setup for matches between players of a game.
pub fn setup_of(kind: GameKind) -> AnySetup {
    AnySetup::rated(kind)
}

/// The position before the first ply of a match game.
pub fn start_of(kind: GameKind) -> AnyPosition {
    AnyPosition::start(kind, &setup_of(kind)).expect("a rated game starts")
}

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

    #[test]
    fn openings_are_as_even_as_is_asked_for() {
        let parse = |text: &str| text.parse::<Openings>();
        assert_eq!(parse("4000,250"), Ok(Openings::default()));
        let short = parse("4000,250,2-3").expect("openings");
        assert_eq!((short.shortest, short.longest), (2, 3));
        assert_eq!(parse(&short.to_string()), Ok(short));
        for text in [
            "",
            "4000",
            "0,250",
            "4000,-1",
            "x,250",
            "4000,250,1",
            "4000,250,3-2",
            "4000,250,1-61",
            "4000,250,1-2,3",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        let setup = setup_of(GameKind::Kalah);
        let nodes = 20_000;
        let lead = |openings: Openings, seed: u64| {
            let opening = opening(&setup, openings, seed);
            assert!((openings.shortest..=openings.longest).contains(&u64::from(opening.ply())));
            let thought = think(opening.position(), &Limits::nodes(nodes));
            thought.expect("the game is not over").score.abs()
        };
        let all = |most| -> i32 {
            (0..8)
                .map(|seed| {
                    let plies = seed % 3;
                    let openings = Openings {
                        nodes,
                        lead: most,
                        shortest: 4 - plies,
                        longest: 6 - plies,
                    };
                    lead(openings, seed)
                })
                .sum()
        };
        let (even, any) = (all(50), all(i32::MAX));
        assert!(even < any, "{even} and {any}");
    }

    #[test]
    fn the_same_seed_plays_the_same_games() {
        for kind in GameKind::ALL.iter().copied() {
            let player = |text| Player::new(spec(text).expect("a player"), kind).expect("memory");
            let (one, other) = (player("nodes=300,hash=1"), player("1"));
            let setup = setup_of(kind);
            let play = || play_pair(&setup, Openings::default(), [&one, &other], 7, 3);
            let pair = play();
            assert_eq!(pair.won + pair.drawn + pair.lost, 2);
            assert_eq!(play(), pair);
        }
    }

    #[test]
    fn elo_follows_from_the_score() {
        let tally = |won, lost, pairs| {
            let mut tally = Tally::default();
            let pair = Pair {
                won,
                drawn: 2 - won - lost,
                lost,
            };
            (0..pairs).for_each(|_| tally.add(pair));
            tally
        };
        assert!(tally(1, 1, 50).elo().difference.abs() < 1e-9);
        let three_to_one = tally(1, 0, 1000).elo();
        assert!(
            (three_to_one.difference - 190.8).abs() < 2.0,
            "{three_to_one:?}"
        );
        let whitewash = tally(2, 0, 50).elo();
        assert!(whitewash.difference > 600.0 && whitewash.error > 100.0);
        assert!(tally(2, 0, 5).elo().difference < whitewash.difference);
    }
}

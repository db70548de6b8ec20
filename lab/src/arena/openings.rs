//! The openings of matches.

use std::fmt;
use std::str::FromStr;

use mawe_ai::{Limits, is_settled, mix, think};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record};

use super::spec::BadSpec;

/// More random plies would leave too little of the game.
const MAX_OPENING_PLIES: u64 = 60;
/// The number of openings tried for a pair; if none is even enough, the least uneven one is taken.
const OPENINGS: u64 = 24;

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
    AnySetup::usual(kind)
}

/// The position before the first ply of a match game.
pub fn start_of(kind: GameKind) -> AnyPosition {
    AnyPosition::start(kind, &setup_of(kind)).expect("a usual game starts")
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

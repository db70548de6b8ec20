//! Plays games of a level to their ends, and counts the results after each candidate of a score for a resignation or an offer of a draw.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use mawe_ai::{INTENT_DEPTH, Intent, Knowledge, Level, Strength, choose_as, intent, mix};
use mawe_lab::arena::{Openings, opening_of, setup_of};
use mawe_rules::{BySide, GameKind, Record, Side};

use super::failure::Failure;

/// A longer game is a draw.
const MAX_PLIES: u32 = 600;

/// The candidates for the score at which a level resigns, in hundredths below nothing. The last one is a certain loss.
const LOST: [i32; 11] = [
    200, 400, 600, 800, 900, 1_000, 1_100, 1_200, 1_500, 2_000, 9_000_000,
];

/// The candidates for the greatest score at which a draw is offered, in hundredths either way.
const EVEN: [i32; 4] = [0, 20, 50, 100];

/// The candidates for the number of quiet plies before an offer of a draw.
const QUIET: [u32; 4] = [0, 10, 20, 40];

/// `lab intents`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The game: mawe, checkers, …
    #[arg(value_name = "GAME")]
    kind: GameKind,
    /// The level
    #[arg(long, value_name = "N")]
    level: Level,
    /// The opponent's level (default: the same)
    #[arg(long, value_name = "N")]
    against: Option<Level>,
    /// The number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 50)]
    pairs: u64,
    /// The number that selects the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most nodes a move
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    cap: u64,
    /// The first ply at which a level may resign or offer a draw
    #[arg(long, value_name = "N", default_value_t = 20)]
    from_ply: u32,
}

/// A turn of the level.
struct Turn {
    ply: u32,
    quiet_plies: u32,
    score: i32,
    depth: u32,
    intent: Intent,
}

/// The turns of one side of a game.
#[derive(Default)]
struct Seat {
    turns: Vec<Turn>,
    /// The plies of the whole game.
    plies: u32,
    /// The result for the side: true for a win, false for a loss, `None` for a draw.
    has_won: Option<bool>,
}

/// The results of the seats that met a condition, and the plies from there to the ends of their games.
#[derive(Default)]
struct Count {
    won: u32,
    drawn: u32,
    lost: u32,
    plies: u32,
}

/// Plays the games, and prints a line for each candidate.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let (level, kind) = (options.level, options.kind);
    let against = options.against.unwrap_or(level);
    let mut seats = Vec::new();
    for number in 0..options.pairs {
        let opening = opening_of(&setup_of(kind), Openings::default(), options.seed, number);
        for side in Side::ALL {
            let levels = BySide::from_fn(|of| if of == side { level } else { against });
            let seed = mix(options.seed ^ mix(number << 1 | u64::from(side == Side::Second)));
            let mut played = play(opening.clone(), levels, options.cap, seed)?;
            for of in Side::ALL {
                if levels[of] == level {
                    seats.push(std::mem::take(&mut played[of]));
                }
            }
        }
        eprint!("\r{kind} {level} against {against}: pair {}   ", number + 1);
    }
    eprintln!();
    print!("{}", report(&seats, options.from_ply));
    Ok(())
}

/// Plays a game to its end. Returns the seats of both sides.
fn play(
    mut game: Record,
    levels: BySide<Level>,
    cap: u64,
    seed: u64,
) -> Result<BySide<Seat>, Failure> {
    let mut turns: BySide<Vec<Turn>> = BySide::default();
    while game.outcome().is_none() && game.ply() < MAX_PLIES {
        let (side, ply) = (game.turn(), game.ply());
        let strength = levels[side].strength(game.kind());
        let strength = Strength {
            nodes: strength.nodes.min(cap),
            ..strength
        };
        let thought = choose_as(
            &game,
            strength,
            &Knowledge::built_in(),
            mix(seed.wrapping_add(u64::from(ply))),
            Arc::default(),
            Duration::MAX,
        )?;
        turns[side].push(Turn {
            ply,
            quiet_plies: game.quiet_plies(),
            score: thought.score,
            depth: thought.depth,
            intent: intent(&game, levels[side], &thought),
        });
        game.play(&thought.best.to_string())?;
    }
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    Ok(BySide::from_fn(|side| Seat {
        turns: std::mem::take(&mut turns[side]),
        plies: game.ply(),
        has_won: winner.map(|winner| winner == side),
    }))
}

/// Writes a table of the candidates for a resignation and one of those for an offer of a draw.
fn report(seats: &[Seat], from_ply: u32) -> String {
    let all = count(seats, |_| true);
    let mut text = format!(
        "seats: +{} ={} -{}, {} plies a game\n",
        all.won,
        all.drawn,
        all.lost,
        all.mean_plies()
    );
    let late = |turn: &Turn| turn.ply >= from_ply;
    let mut line = |what: &str, name: &str, counted: &Count| {
        let Count {
            won, drawn, lost, ..
        } = counted;
        let mean = counted.mean_plies();
        text += &format!("{what} at {name:>12}: +{won} ={drawn} -{lost}, {mean} plies earlier\n");
    };
    for lost in LOST {
        let counted = count(seats, |turn| {
            late(turn) && turn.depth >= INTENT_DEPTH && turn.score <= -lost
        });
        line("resigns", &format!("-{lost}"), &counted);
    }
    line(
        "resigns",
        "the level",
        &count(seats, |turn| turn.intent == Intent::Resigns),
    );
    for quiet in QUIET {
        for even in EVEN {
            let counted = count(seats, |turn| {
                late(turn) && turn.quiet_plies >= quiet && turn.score.abs() <= even
            });
            line("offers", &format!("{even}, quiet {quiet}"), &counted);
        }
    }
    line(
        "offers",
        "the level",
        &count(seats, |turn| turn.intent == Intent::OffersDraw),
    );
    text
}

/// Counts the seats with a turn that meets the condition, from the first such turn on.
fn count(seats: &[Seat], is_met: impl Fn(&Turn) -> bool) -> Count {
    let mut count = Count::default();
    for seat in seats {
        let Some(turn) = seat.turns.iter().find(|turn| is_met(turn)) else {
            continue;
        };
        match seat.has_won {
            Some(true) => count.won += 1,
            None => count.drawn += 1,
            Some(false) => count.lost += 1,
        }
        count.plies += seat.plies - turn.ply;
    }
    count
}

impl Count {
    fn mean_plies(&self) -> u32 {
        self.plies / (self.won + self.drawn + self.lost).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seat_is_counted_once_from_the_first_turn_that_meets_a_condition() {
        let turn = |ply, score| Turn {
            ply,
            quiet_plies: 0,
            score,
            depth: 5,
            intent: Intent::Plays,
        };
        let seat = |scores: [i32; 3], has_won| Seat {
            turns: vec![
                turn(20, scores[0]),
                turn(22, scores[1]),
                turn(24, scores[2]),
            ],
            plies: 30,
            has_won,
        };
        let seats = [
            seat([0, -300, -300], Some(false)),
            seat([0, 0, -500], None),
            seat([-300, 400, 800], Some(true)),
            seat([0, 0, 0], Some(false)),
        ];
        let counted = count(&seats, |turn| turn.score <= -300);
        assert_eq!((counted.won, counted.drawn, counted.lost), (1, 1, 1));
        assert_eq!(counted.plies, 8 + 6 + 10);
        let report = report(&seats, 21);
        let line = |start: &str| report.lines().find(|line| line.starts_with(start));
        assert_eq!(
            line("resigns at         -400"),
            Some("resigns at         -400: +0 =1 -0, 6 plies earlier")
        );
        assert_eq!(
            line("resigns at    the level"),
            Some("resigns at    the level: +0 =0 -0, 0 plies earlier")
        );
    }
}

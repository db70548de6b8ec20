//! The answer of a computer opponent to an offer of a draw.

use std::time::Duration;

use mawe_rules::{Record, Side};

use crate::error::ThinkError;
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::strength::Strength;
use crate::think::think_seeing;

/// The longest search for an answer.
const THOUGHT: Duration = Duration::from_millis(200);

/// The ply before which no draw is accepted.
const FROM_PLY: u32 = 20;

/// Returns whether a computer opponent of this strength on a side accepts a draw: late enough in the game, and if it expects no more than that
/// in its own view, with the errors of `seed`. The limits may shorten the search; it takes at most 200 ms.
///
/// # Errors
/// [`ThinkError`] if the game is over.
pub fn accepts_draw(
    game: &Record,
    side: Side,
    strength: Strength,
    seed: u64,
    limits: Limits,
) -> Result<bool, ThinkError> {
    if game.ply() < FROM_PLY {
        return Ok(false);
    }
    let movetime = limits.movetime.map_or(THOUGHT, |most| most.min(THOUGHT));
    let limits = Limits {
        movetime: Some(movetime),
        ..limits
    };
    Ok(expected(game, side, strength, seed, limits)? <= 0)
}

/// The score that a player of this strength expects for a side, in hundredths.
fn expected(
    game: &Record,
    side: Side,
    strength: Strength,
    seed: u64,
    limits: Limits,
) -> Result<i32, ThinkError> {
    let limits = Limits {
        depth: Some(strength.depth),
        nodes: Some(
            limits
                .nodes
                .map_or(strength.nodes, |most| most.min(strength.nodes)),
        ),
        ..limits
    };
    let thought = think_seeing(
        game,
        &limits,
        strength.features(),
        strength.sight(seed),
        &Knowledge::built_in(),
    )?;
    // The score is that of the side to move, which may be the side that offers.
    Ok(if game.turn() == side {
        thought.score
    } else {
        -thought.score
    })
}

#[cfg(test)]
mod tests {
    use mawe_rules::{AnySetup, GameKind};

    use super::*;
    use crate::level::Level;

    /// A game of random moves of Bao, up to the first ply at which a draw may be accepted; `None` if it ended before.
    fn middle(number: u64) -> Option<Record> {
        let kind = GameKind::Bao;
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("a game");
        let mut word = number;
        while game.ply() < FROM_PLY {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let moves = game.legal_moves();
            let chosen = moves.get((word >> 33) as usize % moves.len().max(1))?;
            game.play(chosen).expect("a legal move");
        }
        game.outcome().is_none().then_some(game)
    }

    #[test]
    fn each_level_answers_by_what_it_sees() {
        let (mut all, mut differing) = (0, 0);
        for game in (1..80).filter_map(middle) {
            let answers = [Level::MIN, Level::MAX].map(|level| {
                let strength = level.strength(game.kind());
                expected(&game, game.turn(), strength, 7, Limits::nodes(20_000))
                    .expect("the game is not over")
                    <= 0
            });
            all += 1;
            differing += u32::from(answers[0] != answers[1]);
        }
        assert!(all >= 50, "{all} positions");
        // The weakest errs by several seeds either way, and is right more often than not.
        assert!(
            (all / 20..all / 2).contains(&differing),
            "{differing} of {all}"
        );
    }

    #[test]
    fn a_draw_is_refused_early_and_accepted_by_the_side_that_stands_worse() {
        let kind = GameKind::Checkers;
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("a game");
        let answer = |game: &Record, side| {
            accepts_draw(game, side, Strength::FULL, 1, Limits::nodes(20_000))
        };
        assert_eq!(answer(&game, game.turn().other()), Ok(false));
        while game.ply() < FROM_PLY {
            let moves = game.legal_moves();
            let name = moves.first().expect("a game of checkers is longer");
            game.play(name).expect("a legal move");
        }
        let answers = Side::ALL.map(|side| answer(&game, side));
        // Either one of them expects more than a draw, or neither does.
        assert!(answers.contains(&Ok(true)), "{answers:?}");
    }
}

//! The answer of a computer opponent to an offer of a draw.

use std::time::Duration;

use mawe_rules::{Record, Side};

use crate::error::ThinkError;
use crate::limits::Limits;
use crate::think::think;

/// The longest search for an answer.
const THOUGHT: Duration = Duration::from_millis(200);

/// The ply before which no draw is accepted.
const FROM_PLY: u32 = 20;

/// Returns whether a computer opponent on a side accepts a draw: late enough in the game, and if it expects no more than that. The limits
/// may shorten the search; it takes at most 200 ms.
///
/// # Errors
/// [`ThinkError`] if the game is over.
pub fn accepts_draw(game: &Record, side: Side, limits: Limits) -> Result<bool, ThinkError> {
    if game.ply() < FROM_PLY {
        return Ok(false);
    }
    let movetime = limits.movetime.map_or(THOUGHT, |most| most.min(THOUGHT));
    let limits = Limits {
        movetime: Some(movetime),
        ..limits
    };
    let thought = think(game.position(), &limits)?;
    // The score is that of the side to move, which may be the side that offers.
    let expected = if game.turn() == side {
        thought.score
    } else {
        -thought.score
    };
    Ok(expected <= 0)
}

#[cfg(test)]
mod tests {
    use mawe_rules::{AnySetup, GameKind};

    use super::*;

    #[test]
    fn a_draw_is_refused_early_and_accepted_by_the_side_that_stands_worse() {
        let kind = GameKind::Checkers;
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("a game");
        assert_eq!(
            accepts_draw(&game, game.turn().other(), Limits::default()),
            Ok(false)
        );
        while game.ply() < FROM_PLY {
            let moves = game.legal_moves();
            let name = moves.first().expect("a game of checkers is longer");
            game.play(name).expect("a legal move");
        }
        let sides = [Side::First, Side::Second];
        let answers = sides.map(|side| accepts_draw(&game, side, Limits::default()));
        // Either one of them expects more than a draw, or neither does.
        assert!(answers.contains(&Ok(true)), "{answers:?}");
    }
}

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
/// by what it sees, with the errors of `seed`. The limits may shorten the search; it takes at most 200 ms.
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
        Knowledge::built_in(),
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
    use mawe_rules::{AnyPosition, AnySetup, GameKind};

    use super::*;
    use crate::level::Level;

    /// The positions of `ai/tests/tactics/` in which the side to move wins.
    fn won(kind: GameKind, file: &str) -> Vec<Record> {
        let positions = file
            .split("\n\n")
            .filter(|case| case.contains("result win"));
        let texts =
            positions.filter_map(|case| case.lines().find_map(|line| line.strip_prefix("pos ")));
        texts
            .map(|text| AnyPosition::parse(kind, text).expect("a position"))
            .map(Record::from_position)
            .collect()
    }

    #[test]
    fn each_level_answers_by_what_it_sees() {
        let files = [
            (GameKind::Mawe, include_str!("../tests/tactics/mawe.txt")),
            (
                GameKind::Checkers,
                include_str!("../tests/tactics/checkers.txt"),
            ),
            (GameKind::Bao, include_str!("../tests/tactics/bao.txt")),
        ];
        let (mut all, mut content) = (0, [0, 0]);
        for (kind, file) in files {
            for game in won(kind, file) {
                all += 1;
                for (level, content) in [Level::MIN, Level::MAX].into_iter().zip(&mut content) {
                    let strength = level.strength(kind);
                    let limits = Limits::nodes(200_000);
                    let expected = expected(&game, game.turn(), strength, 7, limits);
                    *content += u32::from(expected.expect("the game is not over") <= 0);
                }
            }
        }
        assert_eq!(content[1], 0, "the strongest would give away a win");
        assert!(
            content[0] * 5 > all,
            "the weakest sees {} of {all} wins",
            all - content[0]
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

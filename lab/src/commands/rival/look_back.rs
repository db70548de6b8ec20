//! The results of games, beside the solver's values of their earlier positions.

use mawe_ai::Limits;
use mawe_ai::reversi::board::Board;
use mawe_ai::reversi::{Counting, Ending};
use mawe_lab::arena::{Pair, setup_of};
use mawe_rules::{AnyPosition, Record, Side};

use super::results::count;
use crate::commands::failure::Failure;

/// The size of the table of the solver, in megabytes.
const TABLE: usize = 64;

/// The results of games, by the solver's result of an earlier position.
#[derive(Default)]
pub(super) struct Stood {
    /// The first index is the solver's result for our side (won, drawn, lost), the second that of the game.
    games: [[u32; 3]; 3],
}

impl Stood {
    /// Counts a game by its first position with at most `empties` empty squares.
    pub(super) fn count(&mut self, game: &Record, side: Side, empties: u32) -> Result<(), Failure> {
        let mut before = Record::new(game.kind(), &setup_of(game.kind()))?;
        let mut moves = game.moves().iter();
        loop {
            let AnyPosition::Reversi(pos) = before.position() else {
                return Err("only Reversi can be looked back on".into());
            };
            let board = Board::of(pos);
            if board.empties() <= empties {
                let ending = Ending::new(TABLE).map_err(|_| "no memory for the table")?;
                let solution = ending.solve(board, Counting::Discs, &Limits::default());
                let margin = solution.margin.0 * if before.turn() == side { 1 } else { -1 };
                let mut pair = Pair::default();
                count(&mut pair, side, game);
                let became = [pair.won, pair.drawn, pair.lost];
                let was = usize::from(margin <= 0) + usize::from(margin < 0);
                for (sum, one) in self.games[was].iter_mut().zip(became) {
                    *sum += one;
                }
                return Ok(());
            }
            match moves.next() {
                Some(m) => before.play(&m.to_string())?,
                None => return Ok(()),
            };
        }
    }

    pub(super) fn table(&self, empties: u32) -> String {
        let mut text = format!("with {empties} empty squares, and what became of it (+ = -):");
        for (was, [won, drawn, lost]) in ["won", "drawn", "lost"].iter().zip(self.games) {
            text += &format!("\n{was:>5} {won:>4} {drawn:>4} {lost:>4}");
        }
        text
    }
}

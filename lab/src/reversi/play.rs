//! Games of the engine against itself.

use mawe_ai::reversi::board::Board;
use mawe_ai::reversi::{BoardSearch, Patterns};
use mawe_ai::search::search;
use mawe_ai::{Limits, NoMemory, mix};
use mawe_rules::Position;
use mawe_rules::games::reversi::{ReversiMove, ReversiPosition};

use super::samples::Sample;

/// The parameters of the games.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The depth of a search, in plies.
    pub depth: u32,
    /// The nodes of a search, if there are no patterns for the evaluation.
    pub nodes: u64,
    /// The number of empty squares at which the game is solved.
    pub solve_from: u32,
    /// The most random plies at the beginning.
    pub random_plies: u64,
    /// One of this many later plies is random.
    pub random_one_in: u64,
}

/// The fewest random plies at the beginning.
const RANDOM_PLIES: u64 = 6;
/// The fewest empty squares of a sample: the search never needs the evaluation of smaller boards.
const FEWEST_EMPTY: u32 = 3;

/// The samples of one game, which the seed determines: from the last random ply on, all boards
/// until the end is solved; from there a random walk of solved boards.
fn game(
    seed: u64,
    course: Course,
    boards: &BoardSearch<'_>,
    samples: &mut Vec<Sample>,
) -> Option<()> {
    let mut pos = ReversiPosition::from_setup(&Default::default()).ok()?;
    let mut dice = Dice(mix(seed));
    let more = course.random_plies.saturating_sub(RANDOM_PLIES);
    let random_plies = RANDOM_PLIES + dice.below(more + 1);
    let mut seen = Vec::new();
    let mut ply = 0;
    while Board::of(&pos).empties() > course.solve_from {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let is_random = ply < random_plies || dice.below(course.random_one_in.max(1)) == 0;
        ply += 1;
        let m = if is_random {
            seen.clear();
            moves[dice.below(moves.len() as u64) as usize]
        } else {
            if Board::of(&pos).placements() != 0 {
                seen.push((Board::of(&pos), pos.turn()));
            }
            choose(boards, &pos, course)?
        };
        pos.play_unchecked(m);
    }
    let mut board = Board::of(&pos);
    let margin = boards.margin(board);
    for (before, side) in seen {
        let margin = if side == pos.turn() { margin } else { -margin } as i8;
        samples.push(Sample {
            board: before,
            margin,
        });
    }
    loop {
        let moves = board.placements();
        if moves == 0 {
            if board.pass().placements() == 0 {
                return Some(());
            }
            board = board.pass();
            continue;
        }
        if board.empties() < FEWEST_EMPTY {
            return Some(());
        }
        let margin = boards.margin(board) as i8;
        samples.push(Sample { board, margin });
        let nth = dice.below(u64::from(moves.count_ones()));
        let mut squares = (0..64).filter(|square| moves >> square & 1 == 1);
        let square = squares.nth(nth as usize)?;
        board = board.play(square, board.flips(square));
    }
}

fn choose(boards: &BoardSearch<'_>, pos: &ReversiPosition, course: Course) -> Option<ReversiMove> {
    let Some(best) = boards.best_move(Board::of(pos), course.depth) else {
        let limits = Limits::nodes(course.nodes);
        return search(pos, &limits).ok().map(|found| found.best);
    };
    pos.legal_moves()
        .into_iter()
        .find(|m| matches!(m, ReversiMove::Place(square) if square.index() as u32 == best))
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) % n
    }
}

/// The samples of the games with these seeds.
///
/// # Errors
///
/// [`NoMemory`] if the table cannot be allocated.
pub fn play(
    seeds: std::ops::Range<u64>,
    course: Course,
    patterns: Option<&Patterns>,
) -> Result<Vec<Sample>, NoMemory> {
    let boards = BoardSearch::new(patterns)?;
    let mut samples = Vec::new();
    for seed in seeds {
        boards.grow_older();
        game(seed, course, &boards, &mut samples);
    }
    Ok(samples)
}

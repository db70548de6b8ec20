//! The differences between deep and shallow searches, from which the margins of ProbCut are made.

use mawe_ai::NoMemory;
use mawe_ai::reversi::{BoardSearch, Patterns, shallow_depth};

use super::samples::Sample;

/// The measurement for one depth and a range of numbers of empty squares.
#[derive(Clone, Copy, Debug)]
pub struct Deviation {
    /// The depth of the deep search, in plies.
    pub depth: u32,
    /// The depth of the shallow search, in plies.
    pub shallow: u32,
    /// The fewest empty squares of the range.
    pub empties: u32,
    /// The number of boards.
    pub count: u32,
    /// The mean difference of the deep score less the shallow one, in hundredths of a disc.
    pub mean: f64,
    /// The root mean square of the difference, in hundredths of a disc.
    pub deviation: f64,
}

/// The number of values of empty squares in a range.
const STRETCH: u32 = 8;

/// Measures boards at one depth, without ProbCut; at most `most` in each range.
///
/// # Errors
///
/// [`NoMemory`] if the table cannot be allocated.
pub fn deviations(
    samples: &[Sample],
    patterns: &Patterns,
    depth: u32,
    most: u32,
) -> Result<Vec<Deviation>, NoMemory> {
    let search = BoardSearch::new(Some(patterns))?.without_probcut();
    let mut found = Vec::new();
    for stretch in 0..64 / STRETCH {
        let range = stretch * STRETCH..(stretch + 1) * STRETCH;
        let boards = samples.iter().map(|sample| sample.board);
        let wanted = boards.filter(|board| {
            let empties = board.empties();
            range.contains(&empties) && empties > depth && board.placements() != 0
        });
        let (mut count, mut sum, mut squares) = (0, 0.0, 0.0);
        for board in wanted.step_by(13).take(most as usize) {
            let score = |depth| search.score(board, depth).expect("it has patterns");
            let (near, far) = (score(shallow_depth(depth)), score(depth));
            // In decided positions the two scores always agree.
            if near.abs() < 3_000 {
                let apart = f64::from(far - near);
                (count, sum, squares) = (count + 1, sum + apart, squares + apart * apart);
            }
        }
        if count > 0 {
            found.push(Deviation {
                depth,
                shallow: shallow_depth(depth),
                empties: stretch * STRETCH,
                count,
                mean: sum / f64::from(count),
                deviation: (squares / f64::from(count)).sqrt(),
            });
        }
    }
    Ok(found)
}

//! One ply: sowing, lifting the next pit and sowing on (RULES-pallanguzhi.md section 2).

use super::size::HOUSES;
use crate::games::sowing::{Board, HALF};

/// The most seeds that may be sown in a ply.
pub(super) const MAX_SOWN: u16 = 1_000;

/// The seeds with which a pit is taken at once, *pasu*.
const PASU: u16 = 4;

/// A ply in which more than [`MAX_SOWN`] seeds are sown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// The circle of pits, from the view of the side to move: its own, then the opponent's, without rubbish holes.
struct Circle {
    holes: u16,
}

impl Circle {
    /// The pit after a pit.
    #[inline(always)]
    fn after(&self, lane: usize) -> usize {
        let mut next = lane;
        loop {
            next = match next {
                lane if lane + 1 == HOUSES => HALF,
                lane if lane + 1 == HALF + HOUSES => 0,
                lane => lane + 1,
            };
            // Neither side has rubbish holes only.
            if self.holes >> next & 1 == 0 || next == lane {
                return next;
            }
        }
    }

    /// The first pit with seeds after a pit, going round once; `None` if the board is empty.
    fn next_with_seeds(&self, board: &Board<HOUSES>, lane: usize) -> Option<usize> {
        let pits = std::iter::successors(Some(self.after(lane)), |pit| Some(self.after(*pit)));
        pits.take(2 * HOUSES).find(|pit| board.get(*pit) > 0)
    }
}

/// Plays the pit of the side to move, and returns the number of seeds sown; `holes` has a bit for each rubbish hole.
///
/// # Errors
///
/// [`TooLong`]; the board is then unspecified.
pub(super) fn play(board: &mut Board<HOUSES>, from: usize, holes: u16) -> Result<u16, TooLong> {
    let circle = Circle { holes };
    let (mut at, mut sown) = (from, 0);
    loop {
        let hand = board.take(at);
        // A position may hold so many seeds that the sum does not fit.
        sown = u16::saturating_add(sown, hand);
        if sown > MAX_SOWN {
            return Err(TooLong);
        }
        at = sow(board, &circle, at, hand);
        let next = circle.after(at);
        if board.get(next) > 0 {
            at = next;
            continue;
        }
        let prey = circle.after(next);
        let won = board.take(prey);
        if won == 0 {
            return Ok(sown);
        }
        board.put(Board::<HOUSES>::STORE, won);
        match circle.next_with_seeds(board, prey) {
            Some(pit) => at = pit,
            None => return Ok(sown),
        }
    }
}

/// Sows seeds after a pit, and takes each pit that they make a pasu; returns the last pit.
fn sow(board: &mut Board<HOUSES>, circle: &Circle, from: usize, seeds: u16) -> usize {
    let mut at = from;
    for _ in 0..seeds {
        at = circle.after(at);
        board.put(at, 1);
        if board.get(at) == PASU {
            let pasu = board.take(at);
            board.put(Board::<HOUSES>::STORE, pasu);
        }
    }
    at
}

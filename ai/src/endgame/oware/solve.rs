//! Retrograde analysis of the positions with a given number of seeds.
//!
//! First, every position is visited once with its legal moves: the values after moves that leave the slice (captures,
//! and the end) are known already, the other moves are counted. Then a round for each bound, beginning with the
//! largest. If the side to move can force the bound, the position has that lower bound, and in every position one ply
//! earlier one move less prevents the other side from holding the mover to the opposite value. If no such move is
//! left, that position has an upper bound, and all positions before it have a lower bound. So every move is undone
//! twice, once for each bound. The positions that remain without a bound are cycles.

use std::sync::atomic::{AtomicU32, Ordering};

use mawe_rules::{Position, Side};

use super::super::chunks::in_chunks;
use super::super::database::Progress;
use super::super::seeds::{self, HOUSES, Houses};
use super::values::{OwareDatabase, OwareValue, houses_of, pack, position};

/// The number of houses of one side.
const ROW: usize = HOUSES / 2;

/// The state of a position, in one word that threads change atomically. With `n` seeds a bound is one of the numbers 0
/// to n, each worth two seeds more than the last; 0 gives no information.
#[derive(Clone, Copy)]
struct State(u32);

impl State {
    /// The offset of the bound that the side to move can force.
    const LOW: u32 = 0;
    /// The offset of the bound to which the other side can hold it, counted from the other end.
    const HELD: u32 = 5;
    /// The offset of the bound that it can force by a move that leaves the slice.
    const EXIT_LOW: u32 = 10;
    /// The offset of the bound to which it can be held in spite of all moves that leave the slice.
    const EXIT_HELD: u32 = 15;
    /// The offset of the number of moves within the slice after which it is not yet known to be held.
    const MOVES: u32 = 20;
    /// The mask of a field, whose numbers are at most [`seeds::LARGEST`].
    const MASK: u32 = 31;

    #[inline(always)]
    fn get(self, field: u32) -> u32 {
        self.0 >> field & Self::MASK
    }

    /// Sets a field that was 0.
    #[inline(always)]
    fn with(self, field: u32, number: u32) -> Self {
        Self(self.0 | number << field)
    }

    #[inline(always)]
    fn may_force(self, number: u32) -> bool {
        self.get(Self::LOW) == 0 && self.get(Self::EXIT_LOW) >= number
    }

    #[inline(always)]
    fn may_be_held(self, number: u32) -> bool {
        self.get(Self::HELD) == 0
            && self.get(Self::MOVES) == 0
            && self.get(Self::EXIT_HELD) >= number
    }

    fn packed(self, seeds: u8) -> u8 {
        let difference = |number: u32| 2 * number as i32 - i32::from(seeds);
        let value = OwareValue {
            low: difference(self.get(Self::LOW)),
            high: -difference(self.get(Self::HELD)),
        };
        pack(value, seeds)
    }
}

/// The kind of bound that was found, in the low bit beside the position's number.
const FORCES: u32 = 0;
const IS_HELD: u32 = 1;

/// The packed values of the slice; `before` has the slices with fewer seeds.
pub(super) fn solve(
    before: &OwareDatabase,
    seeds: u8,
    threads: usize,
    told: &mut dyn FnMut(Progress),
) -> Vec<u8> {
    let of = seeds::ways(seeds);
    let states: Vec<AtomicU32> = (0..of).map(|_| AtomicU32::new(0)).collect();
    let mut in_round = |round, work: &(dyn Fn(std::ops::Range<usize>) + Sync)| {
        let mut told_done = |done| told(Progress { round, done, of });
        in_chunks(of, threads, &mut told_done, &|chunk| work(chunk));
    };
    in_round(0, &|chunk| {
        let mut houses = seeds::unrank(seeds, chunk.start);
        for state in &states[chunk] {
            state.store(visited(before, &houses, seeds).0, Ordering::Relaxed);
            seeds::advance(&mut houses);
        }
    });
    for round in 1..=u32::from(seeds) {
        let number = u32::from(seeds) + 1 - round;
        in_round(round, &|chunk| find(&states, seeds, chunk, number));
    }
    let packed = |state: AtomicU32| State(state.into_inner()).packed(seeds);
    states.into_iter().map(packed).collect()
}

/// The state of a position after a visit to its legal moves.
fn visited(before: &OwareDatabase, houses: &Houses, seeds: u8) -> State {
    let pos = position(houses);
    let number = |difference: i32| ((difference + i32::from(seeds)) / 2) as u32;
    let mut moves = 0;
    let mut exits: Option<OwareValue> = None;
    let legal = pos.legal_moves();
    for m in &legal {
        let mut child = pos.clone();
        child.play_unchecked(*m);
        let left = houses_of(&child, usize::MAX).expect("no more seeds than before");
        if left.iter().sum::<u8>() == seeds {
            moves += 1;
            continue;
        }
        let stores = child.stores().map(i32::from);
        let gain = stores[Side::First] - stores[Side::Second];
        let value = before.of_houses(&left).expect("smaller slices are there");
        let (low, high) = (gain - value.high, gain - value.low);
        exits = Some(exits.map_or(OwareValue { low, high }, |best| OwareValue {
            low: best.low.max(low),
            high: best.high.max(high),
        }));
    }
    let state = State(0).with(State::MOVES, moves);
    if legal.is_empty() {
        // Each side takes the seeds of its row. The positions before need no update: the rules have ended the game, so
        // the move has left the slice.
        let row = |half: &[u8]| i32::from(half.iter().sum::<u8>());
        let value = row(&houses[..ROW]) - row(&houses[ROW..]);
        return state
            .with(State::LOW, number(value))
            .with(State::HELD, number(-value));
    }
    match exits {
        Some(value) => state
            .with(State::EXIT_LOW, number(value.low))
            .with(State::EXIT_HELD, number(-value.high)),
        None => state.with(State::EXIT_HELD, u32::from(seeds)),
    }
}

/// Finds the positions of a chunk that can force the bound `number`, or be held to it, and then all positions of the
/// slice that these decide.
fn find(states: &[AtomicU32], seeds: u8, chunk: std::ops::Range<usize>, number: u32) {
    let mut found = Vec::new();
    for at in chunk {
        let state = State(states[at].load(Ordering::Relaxed));
        if state.may_force(number) && claim(&states[at], number, State::LOW, State::may_force) {
            found.push((at as u32) << 1 | FORCES);
        }
        if state.may_be_held(number) && claim(&states[at], number, State::HELD, State::may_be_held)
        {
            found.push((at as u32) << 1 | IS_HELD);
        }
        while let Some(next) = found.pop() {
            let houses = seeds::unrank(seeds, (next >> 1) as usize);
            let bound = next & 1;
            each_before(&houses, |earlier| {
                let at = seeds::rank(earlier);
                let (is_new, other) = match bound {
                    IS_HELD => (is_forced(&states[at], number), FORCES),
                    _ => (has_one_move_less(&states[at], number), IS_HELD),
                };
                if is_new {
                    found.push((at as u32) << 1 | other);
                }
            });
        }
    }
}

/// Stores a bound of a position, unless another thread has stored it; returns whether it was stored.
#[inline]
fn claim(state: &AtomicU32, number: u32, field: u32, holds: impl Fn(State, u32) -> bool) -> bool {
    let claimed = |state| holds(State(state), number).then(|| State(state).with(field, number).0);
    let order = Ordering::Relaxed;
    state.fetch_update(order, order, claimed).is_ok()
}

/// Stores that a move of this position forces the bound; returns whether that is new.
#[inline]
fn is_forced(state: &AtomicU32, number: u32) -> bool {
    claim(state, number, State::LOW, |state, _| {
        state.get(State::LOW) == 0
    })
}

/// Stores that one more move of this position allows its side to be held to the bound; returns whether it was the last
/// such move.
#[inline]
fn has_one_move_less(state: &AtomicU32, number: u32) -> bool {
    let mut is_last = false;
    let order = Ordering::Relaxed;
    let less = |state: u32| {
        let state = State(state - (1 << State::MOVES));
        is_last = state.may_be_held(number);
        Some(match is_last {
            true => state.with(State::HELD, number).0,
            false => state.0,
        })
    };
    // The closure never refuses the update.
    let _ = state.fetch_update(order, order, less);
    is_last
}

/// Calls `tell` with every position from which a move without a capture leads to this one.
#[inline]
fn each_before(houses: &Houses, mut tell: impl FnMut(&Houses)) {
    // The view of the side that has moved.
    let after: Houses = std::array::from_fn(|house| houses[(house + ROW) % HOUSES]);
    for origin in 0..ROW {
        if after[origin] != 0 {
            continue;
        }
        let mut earlier = after;
        let (mut at, mut sown) = (origin, 0);
        loop {
            // The seeds are removed in the order in which they were sown, so `at` is the house of the last seed if no
            // more were sown.
            at = (at + 1) % HOUSES;
            if at == origin {
                at = (at + 1) % HOUSES;
            }
            if earlier[at] == 0 {
                break;
            }
            earlier[at] -= 1;
            sown += 1;
            let feeds = usize::from(sown) + origin >= ROW || earlier[ROW..].iter().any(|n| *n > 0);
            if feeds && !captures(&after, at) {
                earlier[origin] = sown;
                tell(&earlier);
                earlier[origin] = 0;
            }
        }
    }
}

/// Whether a last seed in this house captures: the house is the other side's and holds two or three seeds, and the
/// capture would not take all of its seeds.
#[inline]
fn captures(after: &Houses, last: usize) -> bool {
    if last < ROW || !matches!(after[last], 2 | 3) {
        return false;
    }
    let taken = after[ROW..=last].iter().rev();
    let taken = taken.take_while(|seeds| matches!(seeds, 2 | 3)).count();
    let first_taken = last + 1 - taken;
    let rest = after[ROW..first_taken].iter().chain(&after[last + 1..]);
    rest.into_iter().any(|seeds| *seeds > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_undone_are_the_moves_that_are_made() {
        // Twelve seeds or more go around the board, which occurs at the ends of the largest slices.
        for (seeds, step) in [(2, 1), (3, 1), (4, 1), (5, 3), (12, 1009), (17, 40_009)] {
            let (mut made, mut undone) = (0, 0);
            for number in (0..seeds::ways(seeds)).step_by(step) {
                let houses = seeds::unrank(seeds, number);
                for after in children(&houses) {
                    let mut times = 0;
                    each_before(&after, |earlier| times += u32::from(*earlier == houses));
                    assert_eq!(times, 1, "{houses:?} to {after:?}");
                    made += 1;
                }
                if position(&houses).legal_moves().is_empty() {
                    continue;
                }
                each_before(&houses, |earlier| {
                    assert!(
                        children(earlier).contains(&houses),
                        "{earlier:?} to {houses:?}"
                    );
                    undone += 1;
                });
            }
            assert!(made > 0 && undone > 0, "{seeds} seeds");
            if step == 1 {
                assert_eq!(made, undone, "{seeds} seeds");
            }
        }
    }

    #[test]
    fn every_bound_follows_from_those_one_ply_on_whoever_has_found_it() {
        use super::super::super::database::Database;
        use super::super::super::slice::Slice;
        use mawe_rules::GameKind;

        let (database, by_three) = (OwareDatabase::solved(9, 1), OwareDatabase::solved(9, 3));
        let slice = |seeds| Slice::seeds(GameKind::Oware, seeds);
        for seeds in 1..=9 {
            let data = database.data(slice(seeds));
            assert!(data == by_three.data(slice(seeds)), "{seeds} seeds");
            for number in (0..seeds::ways(seeds)).step_by(1 + usize::from(seeds) / 4) {
                let houses = seeds::unrank(seeds, number);
                let pos = position(&houses);
                let after = pos.legal_moves().into_iter().map(|m| {
                    let mut child = pos.clone();
                    child.play_unchecked(m);
                    // Captured seeds are in the stores, which count.
                    let value = database.value(&child).expect("few seeds");
                    (-value.high, -value.low)
                });
                let best = after.reduce(|(a, b), (c, d)| (a.max(c), b.max(d)));
                let value = database.of_houses(&houses).expect("few seeds");
                if let Some(best) = best {
                    assert_eq!((value.low, value.high), best, "{houses:?}");
                }
            }
        }
    }

    /// The positions of the same slice that are one ply later.
    fn children(houses: &Houses) -> Vec<Houses> {
        let pos = position(houses);
        let moves = pos.legal_moves().into_iter();
        let after = moves.map(|m| {
            let mut child = pos.clone();
            child.play_unchecked(m);
            houses_of(&child, usize::MAX).expect("few seeds")
        });
        let seeds = |houses: &Houses| houses.iter().sum::<u8>();
        after
            .filter(|after| seeds(after) == seeds(houses))
            .collect()
    }
}

//! The endgame database of American checkers, by the pieces left.
//!
//! A value is win, draw or loss for the side to move, and the number of plies to the end if the winner
//! hurries and the loser delays. It follows all rules except house draws: the draw after a number of
//! quiet plies can prevent a win that takes longer.

mod index;
mod solve;
mod values;

use mawe_rules::GameKind;

use super::database::{Counts, Database, Progress};
use super::slice::Slice;
use index::{MOST, Material};
pub use values::{CheckersDatabase, CheckersValue};

impl CheckersDatabase {
    /// The most pieces with which it has all positions; 0 if it has none.
    pub fn pieces(&self) -> u8 {
        let has_all = |pieces: &u8| {
            let mut slices = Self::plan(*pieces).into_iter().flatten();
            slices.all(|slice| self.data(slice).is_some())
        };
        (2..=Self::LARGEST).take_while(has_all).last().unwrap_or(0)
    }
}

impl Database for CheckersDatabase {
    const KIND: GameKind = GameKind::Checkers;
    const LARGEST: u8 = MOST as u8;

    fn plan(up_to: u8) -> Vec<Vec<Slice>> {
        let mut plan = Vec::new();
        for pieces in 2..=up_to.min(Self::LARGEST) {
            // A capture leads to fewer pieces, a crowning to fewer men, and every other move to the
            // same pieces with the other side to move.
            for men in 0..=pieces {
                for own in (1..pieces).rev() {
                    for own_men in (0..=men.min(own)).rev() {
                        let (other, other_men) = (pieces - own, men - own_men);
                        if other_men > other {
                            continue;
                        }
                        let material =
                            Material([own_men, own - own_men, other_men, other - other_men]);
                        let turned = material.turned();
                        if material.0 > turned.0 {
                            plan.push(vec![material.slice(), turned.slice()]);
                        } else if material == turned {
                            plan.push(vec![material.slice()]);
                        }
                    }
                }
            }
        }
        plan
    }

    fn length(slice: Slice) -> usize {
        Material(slice.parts).length()
    }

    fn data(&self, slice: Slice) -> Option<&[u8]> {
        let data = self.slices.get(Material(slice.parts).place())?;
        data.as_deref()
    }

    fn insert(&mut self, slice: Slice, data: Vec<u8>) -> bool {
        let material = Material(slice.parts);
        let fits =
            slice.kind == Self::KIND && material.is_kept() && data.len() == material.length();
        if fits {
            let place = material.place();
            if self.slices.len() <= place {
                self.slices.resize(place + 1, None);
            }
            self.slices[place] = Some(data);
        }
        fits
    }

    fn solve(&mut self, slices: &[Slice], threads: usize, told: &mut dyn FnMut(Progress)) {
        let materials: Vec<Material> = slices.iter().map(|slice| Material(slice.parts)).collect();
        let values = solve::solve(self, &materials, threads, told);
        for (slice, values) in slices.iter().zip(values) {
            let taken = self.insert(*slice, values);
            debug_assert!(taken, "slices of the plan are kept");
        }
    }

    fn count(&self, slice: Slice) -> Option<Counts> {
        let values = self.data(slice)?;
        let mut counts = Counts::default();
        for value in values
            .iter()
            .filter_map(|byte| CheckersValue::from_byte(*byte))
        {
            match value {
                CheckersValue::Win(plies) => {
                    counts.won += 1;
                    counts.longest = counts.longest.max(plies);
                }
                CheckersValue::Draw => counts.drawn += 1,
                CheckersValue::Loss(_) => counts.lost += 1,
            }
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::Position;
    use mawe_rules::games::checkers::CheckersPosition;

    use super::*;

    pub(super) fn database(pieces: u8) -> CheckersDatabase {
        CheckersDatabase::solved(pieces, 1)
    }

    fn counts(database: &CheckersDatabase, pieces: u8) -> Vec<(Slice, Counts)> {
        let slices = CheckersDatabase::plan(pieces).into_iter().flatten();
        let of = |slice: Slice| slice.parts.iter().sum::<u8>() == pieces;
        slices
            .filter(|slice| of(*slice))
            .map(|slice| (slice, database.count(slice).expect("it is solved")))
            .collect()
    }

    /// The number of ways to put men and kings of one side alone on the board.
    fn alone(pieces: u64) -> u64 {
        let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
        (0..=pieces)
            .map(|men| choose(28, men) * choose(32 - men, pieces - men))
            .sum()
    }

    #[test]
    fn as_many_positions_as_published() {
        // J. Schaeffer, R. Lake and others, the Chinook project: 6,972 positions of two pieces,
        // 261,224 of three, 7,092,774 of four. These include positions with pieces of one side only.
        let database = database(3);
        assert_eq!(database.pieces(), 3);
        for (pieces, published) in [(2, 6_972), (3, 261_224)] {
            let all: u64 = counts(&database, pieces).iter().map(|(_, c)| c.all()).sum();
            assert_eq!(
                all + 2 * alone(u64::from(pieces)),
                published,
                "{pieces} pieces"
            );
        }
    }

    #[test]
    fn king_against_king_is_as_published() {
        // E. Trice in the forum of the World Draughts Federation's programmers, damforum.nl, topic
        // 2603: 992 positions, 230 won, 654 drawn, 108 lost, the longest win in 11 plies.
        let database = database(2);
        let slice = Material([0, 1, 0, 1]).slice();
        let counts = database.count(slice).expect("it is solved");
        let expected = Counts {
            won: 230,
            drawn: 654,
            lost: 108,
            open: 0,
            longest: 11,
        };
        assert_eq!(counts, expected);
    }

    /// A plain search by the rules, `plies` deep; an undecided position is a draw.
    fn plain(pos: &CheckersPosition, plies: u32) -> CheckersValue {
        let mut best = None;
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return CheckersValue::Loss(0);
        }
        if plies == 0 {
            return CheckersValue::Draw;
        }
        for m in moves {
            let mut child = pos.clone();
            child.play_unchecked(m);
            let value = match plain(&child, plies - 1) {
                CheckersValue::Loss(n) => CheckersValue::Win(n + 1),
                CheckersValue::Draw => CheckersValue::Draw,
                CheckersValue::Win(n) => CheckersValue::Loss(n + 1),
            };
            let rank = |value: CheckersValue| match value {
                CheckersValue::Win(n) => 1000 - n as i32,
                CheckersValue::Draw => 0,
                CheckersValue::Loss(n) => n as i32 - 1000,
            };
            best = match best {
                Some(best) if rank(best) >= rank(value) => Some(best),
                Some(_) | None => Some(value),
            };
        }
        best.expect("there are moves")
    }

    #[test]
    fn values_are_those_of_plain_search_as_far_as_it_sees() {
        const PLIES: u32 = 6;
        let database = database(3);
        let mut decided = 0;
        for (slice, _) in counts(&database, 2).into_iter().chain(counts(&database, 3)) {
            let material = Material(slice.parts);
            for number in (0..material.length()).step_by(37) {
                let Some(board) = material.unrank(number) else {
                    continue;
                };
                let pos = board.position();
                let value = database.value(&pos).expect("few pieces");
                let seen = match value {
                    CheckersValue::Win(n) | CheckersValue::Loss(n) if n <= PLIES => value,
                    _ => CheckersValue::Draw,
                };
                decided += u32::from(seen != CheckersValue::Draw);
                assert_eq!(plain(&pos, PLIES), seen, "{pos}: {value:?}");
                // The mirrored position of the other side has the same value.
                assert_eq!(database.value(&board.position_for_second()), Some(value));
            }
        }
        assert!(decided > 1_000, "{decided}");
    }

    #[test]
    fn every_value_follows_from_those_one_ply_on() {
        let database = database(3);
        let slices = CheckersDatabase::plan(3).into_iter().flatten();
        for slice in slices {
            let material = Material(slice.parts);
            for number in (0..material.length()).step_by(11) {
                let Some(board) = material.unrank(number) else {
                    continue;
                };
                let pos = board.position();
                let after: Vec<CheckersValue> = pos
                    .legal_moves()
                    .into_iter()
                    .map(|m| {
                        let mut child = pos.clone();
                        child.play_unchecked(m);
                        database.value(&child).expect("no more pieces")
                    })
                    .collect();
                let wins = after.iter().filter_map(|value| match value {
                    CheckersValue::Loss(n) => Some(n + 1),
                    CheckersValue::Draw | CheckersValue::Win(_) => None,
                });
                let losses = after.iter().map(|value| match value {
                    CheckersValue::Win(n) => Some(n + 1),
                    CheckersValue::Draw | CheckersValue::Loss(_) => None,
                });
                let losses: Option<Vec<u32>> = losses.collect();
                let expected = match (wins.min(), losses) {
                    (Some(n), _) => CheckersValue::Win(n),
                    (None, Some(losses)) => {
                        CheckersValue::Loss(losses.into_iter().max().unwrap_or(0))
                    }
                    (None, None) => CheckersValue::Draw,
                };
                assert_eq!(database.value(&pos), Some(expected), "{pos}");
            }
        }
    }

    #[test]
    fn a_slice_of_another_length_or_game_is_not_taken() {
        let mut database = CheckersDatabase::default();
        let slice = Material([0, 1, 0, 1]).slice();
        assert!(!database.insert(slice, vec![0; 3]));
        assert!(!database.insert(Slice::seeds(GameKind::Oware, 3), vec![0; 364]));
        assert!(database.insert(slice, vec![0; CheckersDatabase::length(slice)]));
        assert_eq!(database.pieces(), 0, "two pieces are more than two kings");
    }
}

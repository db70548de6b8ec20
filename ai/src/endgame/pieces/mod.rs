//! The endgame databases of American checkers and of the draughts with flying kings, by the pieces left.
//!
//! A value is win, draw or loss for the side to move, and the number of plies to the end if the winner
//! hurries and the loser delays. It follows the rules that depend on the position alone. The draws by
//! repetition, by a number of quiet plies and by the limits of endings are not considered: they can
//! prevent a win that takes longer, but never turn a draw into a win.

mod game;
mod index;
mod limits;
mod solve;
mod values;

use mawe_rules::GameKind;
use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::games::draughts::DraughtsPosition;

use super::database::{Counts, Database, Progress};
use super::slice::Slice;
pub use game::{Effect, MenAndKings};
use index::Material;
pub use values::{PiecesDatabase, PiecesValue};

/// The endgame database of American checkers.
pub type CheckersDatabase = PiecesDatabase<CheckersPosition>;

/// The endgame database of a game of draughts. That of international draughts is always empty.
pub type DraughtsDatabase<V> = PiecesDatabase<DraughtsPosition<V>>;

impl<P: MenAndKings> PiecesDatabase<P> {
    /// The most pieces with which it has all positions; 0 if it has none.
    pub fn pieces(&self) -> u8 {
        let has_all = |pieces: &u8| {
            let mut slices = Self::plan(*pieces).into_iter().flatten();
            slices.all(|slice| self.data(slice).is_some())
        };
        (2..=Self::LARGEST).take_while(has_all).last().unwrap_or(0)
    }
}

impl<P: MenAndKings> Database for PiecesDatabase<P> {
    const KIND: GameKind = P::KIND;
    const LARGEST: u8 = P::MOST_PIECES;

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
                            plan.push(vec![material.slice(P::KIND), turned.slice(P::KIND)]);
                        } else if material == turned {
                            plan.push(vec![material.slice(P::KIND)]);
                        }
                    }
                }
            }
        }
        plan
    }

    fn length(slice: Slice) -> usize {
        Material(slice.parts).length(P::MOST_PIECES)
    }

    fn data(&self, slice: Slice) -> Option<&[u8]> {
        let data = self.slices.get(Material(slice.parts).place())?;
        data.as_deref()
    }

    fn insert(&mut self, slice: Slice, data: Vec<u8>) -> bool {
        let material = Material(slice.parts);
        let fits = slice.kind == P::KIND
            && material.is_kept(P::MOST_PIECES)
            && data.len() == material.length(P::MOST_PIECES);
        if fits {
            let place = material.place();
            if self.slices.len() <= place {
                self.slices.resize(place + 1, None);
            }
            self.note_longest(material, &data);
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
            .filter_map(|byte| PiecesValue::from_byte(*byte))
        {
            match value {
                PiecesValue::Win(plies) => {
                    counts.won += 1;
                    counts.longest = counts.longest.max(plies);
                }
                PiecesValue::Draw => counts.drawn += 1,
                PiecesValue::Loss(_) => counts.lost += 1,
            }
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests;

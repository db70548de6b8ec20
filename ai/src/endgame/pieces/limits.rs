//! The limits for endings, which the values do not consider: whether one can draw a game that is won.
//!
//! The number of plies to the end falls with every ply of the best play, so a clock that begins to hold
//! later begins in a position that is no farther from the end than the longest win in which it can hold.
//! In many endings such a clock is harmless: the five moves that Russian draughts allow to two kings
//! against one suffice for every win. A clock that holds already has a count, which the game tells.

use mawe_rules::games::draughts::{self, Clock, Counts};
use mawe_rules::{BySide, EndgameClocks, Side};

use super::super::database::Database;
use super::game::MenAndKings;
use super::index::{Board, Material};
use super::values::{Longest, PiecesDatabase, PiecesValue};

impl<P: MenAndKings> PiecesDatabase<P> {
    /// Whether a limit for endings may draw the game before it is won, in this many plies from `pos`.
    /// `clocks` are those of a position `since` plies before.
    pub fn may_be_limited(&self, pos: &P, plies: u32, clocks: &EndgameClocks, since: u32) -> bool {
        let Some(material) = pos.clock_material() else {
            return false;
        };
        let longest = self.longest.get(Board::of(pos).material().place());
        let longest = longest.and_then(|longest| longest.later.as_ref());
        // The last ply wins whether or not it reaches a limit.
        let before_end = plies.saturating_sub(1);
        P::CLOCKS.iter().enumerate().any(|(number, clock)| {
            let longest = longest.map_or(u32::MAX, |longest| longest[number]);
            let later = most_counted(clock, longest.min(before_end).saturating_sub(1));
            let now = match (clock.holds)(&material) {
                true => {
                    let is_counted = |side| counts(clock, &material, side);
                    // The side to move makes the next ply, the other side made the last one.
                    let [next, last] = [pos.turn(), pos.turn().other()].map(is_counted);
                    let begun = clocks.count(number).map_or(0, u32::from);
                    begun + counted(last, next, since) + counted(next, last, before_end)
                }
                false => 0,
            };
            now.max(later) >= u32::from(clock.limit)
        })
    }

    /// Notes the values of another slice.
    pub(super) fn note_longest(&mut self, material: Material, values: &[u8]) {
        if P::CLOCKS.is_empty() {
            return;
        }
        let place = material.place();
        if self.longest.len() <= place {
            self.longest.resize(place + 1, Longest::default());
        }
        let here = P::CLOCKS
            .iter()
            .map(|clock| longest::<P>(clock, material, values));
        self.longest[place].here = Some(here.collect());
        let plan = || Self::plan(P::MOST_PIECES).into_iter().flatten();
        for from in plan().map(|slice| Material(slice.parts)) {
            let materials = plan().map(|slice| Material(slice.parts));
            let reached = materials.filter(|to| from.leads_to(*to) || from.leads_to(to.turned()));
            let mut later = Some(vec![0; P::CLOCKS.len()]);
            for to in reached {
                let here = self.longest.get(to.place());
                let here = here.and_then(|longest| longest.here.as_ref());
                later = later.zip(here).map(|(later, here)| {
                    let pairs = later.into_iter().zip(here);
                    pairs.map(|(later, here)| later.max(*here)).collect()
                });
            }
            if let Some(longest) = self.longest.get_mut(from.place()) {
                longest.later = later;
            }
        }
    }
}

/// The most plies to the end of a position of a slice in which a clock holds.
fn longest<P: MenAndKings>(clock: &Clock, material: Material, values: &[u8]) -> u32 {
    if !may_hold(clock, material) {
        return 0;
    }
    let mut longest = 0;
    for (number, byte) in values.iter().enumerate() {
        let plies = PiecesValue::from_byte(*byte).and_then(PiecesValue::plies);
        let Some(plies) = plies.filter(|plies| *plies > longest) else {
            continue;
        };
        let pos = material.unrank(number).map(|board| board.position::<P>());
        let held = pos.and_then(|pos| pos.clock_material());
        if held.is_some_and(|held| (clock.holds)(&held)) {
            longest = plies;
        }
    }
    longest
}

/// Whether a clock can hold with these men and kings, wherever they stand.
pub(super) fn may_hold(clock: &Clock, material: Material) -> bool {
    let [men, kings, other_men, other_kings] = material.0.map(u32::from);
    (0..=men + kings).any(|own| {
        (0..=other_men + other_kings).any(|other| {
            (clock.holds)(&draughts::Material {
                men: BySide::new(men, other_men),
                kings: BySide::new(kings, other_kings),
                on_road: BySide::new(own, other),
            })
        })
    })
}

/// Whether a clock counts the plies of a side, as far as the material tells.
fn counts(clock: &Clock, material: &draughts::Material, side: Side) -> bool {
    match (clock.counts, material.lone_side()) {
        (Counts::EveryPly, _) | (_, None) => true,
        (Counts::LoneKing, Some(lone)) => lone == side,
        (Counts::StrongerSide, Some(lone)) => lone != side,
    }
}

/// The most counted plies among `plies`.
fn most_counted(clock: &Clock, plies: u32) -> u32 {
    match clock.counts {
        Counts::EveryPly => plies,
        Counts::LoneKing | Counts::StrongerSide => plies.div_ceil(2),
    }
}

/// The number of counted plies among `plies`, which both sides make in turn.
fn counted(first_is_counted: bool, second_is_counted: bool, plies: u32) -> u32 {
    u32::from(first_is_counted) * plies.div_ceil(2) + u32::from(second_is_counted) * (plies / 2)
}

//! The openings of a ply: captures, starts of a takata, and the threat that makes a takasia
//! (RULES-bao.md sections 5, 6 and 9).

use super::board::{Board, Stage};
use super::moves::{BaoMove, Letter};
use super::ring::{PITS, Pit};
use super::step::PlyKind;

/// The most seeds of a start that captures in the mtaji stage: with more, the last seed does not
/// fall beyond the start itself.
const MAX_CAPTURING_START: u8 = PITS as u8 - 1;

impl Board {
    /// Whether a seed put into a front pit captures, in the namua stage.
    #[inline(always)]
    pub(super) const fn captures_at(&self, pit: Pit) -> bool {
        self.mover.get(pit) != 0 && self.facing(pit) != 0
    }

    /// The front pit at which the first lap from a pit captures, in the mtaji stage.
    #[inline(always)]
    pub(super) const fn reaches_capture(&self, pit: Pit, letter: Letter) -> Option<Pit> {
        let seeds = self.mover.get(pit);
        if seeds < 2 || seeds > MAX_CAPTURING_START {
            return None;
        }
        let last = pit.after(seeds, letter.direction(pit));
        if last.is_front() && self.captures_at(last) {
            Some(last)
        } else {
            None
        }
    }

    /// Whether the opening of a move is a capture. Of a legal move this tells the kind of the ply,
    /// because captures are compulsory.
    #[inline(always)]
    pub(super) fn kind_of(&self, m: BaoMove) -> PlyKind {
        match self.captured_first(m) {
            0 => PlyKind::Takata,
            _ => PlyKind::Capture,
        }
    }

    /// Whether the side to move has a capturing opening. Also one that is too long to be legal
    /// counts (RULES-bao.md section 10).
    pub(super) fn has_capture(&self) -> bool {
        match self.stage() {
            Stage::Namua => Pit::front_row().any(|pit| self.captures_at(pit)),
            Stage::Mtaji => self.mtaji_captures().next().is_some(),
        }
    }

    /// The captures of the mtaji stage: the start, the letter, and the front pit at which the first
    /// lap captures.
    fn mtaji_captures(&self) -> impl Iterator<Item = (Pit, Letter, Pit)> {
        Pit::ALL.into_iter().flat_map(move |pit| {
            Letter::BOTH.into_iter().filter_map(move |letter| {
                let at = self.reaches_capture(pit, letter)?;
                Some((pit, letter, at))
            })
        })
    }

    /// The seeds that the opening of a move captures; 0 for a takata.
    #[inline]
    pub(super) fn captured_first(&self, m: BaoMove) -> u8 {
        let at = match (self.stage(), m.letter()) {
            (Stage::Namua, _) if m.pit().is_front() && self.captures_at(m.pit()) => Some(m.pit()),
            (Stage::Mtaji, Some(letter)) => self.reaches_capture(m.pit(), letter),
            (Stage::Namua | Stage::Mtaji, _) => None,
        };
        at.map_or(0, |at| self.facing(at))
    }

    /// The seeds of the largest capture that can open a ply; 0 without one.
    #[inline]
    pub(super) fn largest_capture(&self) -> u8 {
        let captured = match self.stage() {
            Stage::Namua => Pit::front_row()
                .filter(|pit| self.captures_at(*pit))
                .map(|pit| self.facing(pit))
                .max(),
            Stage::Mtaji => self
                .mtaji_captures()
                .map(|(_, _, at)| self.facing(at))
                .max(),
        };
        captured.unwrap_or(0)
    }

    /// The starts of a takata of the namua stage, in order (RULES-bao.md section 5.2).
    pub(super) fn namua_starts(&self) -> impl Iterator<Item = Pit> {
        let filled = |least| move |pit: &Pit| self.mover.get(*pit) >= least;
        let (least, excluded) = if self.mover.has_strong_house() {
            let others = Pit::front_row().filter(filled(1)).count() > 1;
            (1, others.then_some(Pit::HOUSE))
        } else if self.mover.owns_house {
            (1, None)
        } else {
            let has_more = Pit::front_row().any(|pit| self.mover.get(pit) >= 2);
            (if has_more { 2 } else { 1 }, None)
        };
        Pit::front_row()
            .filter(filled(least))
            .filter(move |pit| Some(*pit) != excluded)
    }

    /// Whether a takata of the mtaji stage has to start from the front row.
    pub(super) fn must_start_in_front(&self) -> bool {
        Pit::front_row().any(|pit| self.mover.get(pit) >= 2)
    }

    /// The starts of a takata of the mtaji stage, in order (RULES-bao.md section 6.2).
    pub(super) fn mtaji_starts(&self) -> impl Iterator<Item = Pit> {
        let in_front = self.must_start_in_front();
        Pit::ALL
            .into_iter()
            .filter(move |pit| pit.is_front() == in_front)
            .filter(|pit| self.mover.get(*pit) >= 2 && self.takasia != Some(*pit))
    }

    /// The pit of the side to move that the takata just played takasia-es. Both stores are empty.
    pub(super) fn threatened_pit(&self) -> Option<Pit> {
        if self.has_capture() {
            return None;
        }
        let threats = self.turned();
        let mut captured = threats.mtaji_captures().map(|(_, _, at)| at.facing());
        let pit = captured.next()?;
        (captured.all(|other| other == pit) && !self.is_exempt(pit)).then_some(pit)
    }

    /// Whether a front pit of the side to move cannot be takasia-ed.
    fn is_exempt(&self, pit: Pit) -> bool {
        let is_only = |least| {
            let mut others = Pit::front_row().filter(|other| *other != pit);
            self.mover.get(pit) >= least && others.all(|other| self.mover.get(other) < least)
        };
        pit == Pit::HOUSE && self.mover.owns_house || is_only(1) || is_only(2)
    }
}

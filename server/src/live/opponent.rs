//! A computer opponent at a match with a person: its phrases and their times.
//!
//! Its phrases travel like a player's and are kept nowhere, so only the first owner of a running match greets and answers: after a restart or
//! a takeover nothing is said a second time. The farewell follows the entry that ends the match, which is written once.

use mawe_rules::Side;
use mawe_store::MatchRow;
use mawe_wire::end_reason::is_called_off;
use mawe_wire::ids::MatchId;
use mawe_wire::{MatchResult, Phrase, PlayerKind};

use crate::bots::manner::{self, Ending, Manner};

/// The epoch of a match's first owner.
const FIRST_EPOCH: u64 = 1;

/// A computer opponent at a match with a person, where phrases are on.
#[derive(Debug)]
pub(super) struct Opponent {
    /// Its seat.
    pub(super) side: Side,
    manner: &'static Manner,
    /// Whether it has not greeted yet.
    greets: bool,
    /// The answers that it has left.
    answers: u8,
}

impl Opponent {
    /// Returns the computer opponent of a match that this node opens.
    pub(super) fn of(row: &MatchRow) -> Option<Opponent> {
        let side = Side::ALL
            .into_iter()
            .find(|side| row.players[*side].is_computer())?;
        let level = row.players[side].level?;
        let is_first = row.epoch == FIRST_EPOCH && row.finish.is_none();
        let manner = Manner::of(level);
        let with_person = row.players[side.other()].kind != PlayerKind::Bot;
        (row.options.phrases && with_person).then_some(Opponent {
            side,
            manner,
            greets: is_first,
            answers: if is_first { manner.answers } else { 0 },
        })
    }

    /// Returns the greeting at the arrival of the person; `None` at a later one.
    pub(super) fn greeting(&mut self, id: &MatchId) -> Option<Phrase> {
        std::mem::take(&mut self.greets).then(|| self.manner.greeting(id))
    }

    /// Returns the answer to a phrase of the person's, if there is one.
    pub(super) fn answer(&mut self, phrase: Phrase) -> Option<Phrase> {
        let answer = manner::answer(phrase).filter(|_| self.answers > 0)?;
        self.answers -= 1;
        Some(answer)
    }

    /// Returns the last phrase of a match of this many plies; `None` if it was called off.
    pub(super) fn farewell(
        &self,
        id: &MatchId,
        plies: u32,
        result: &MatchResult,
    ) -> Option<Phrase> {
        if is_called_off(&result.reason) {
            return None;
        }
        let ending = match result.winner {
            None => Ending::Drawn,
            Some(winner) if winner == self.side => Ending::Won,
            Some(_) => Ending::Lost,
        };
        Some(self.manner.farewell(id, plies, ending))
    }
}

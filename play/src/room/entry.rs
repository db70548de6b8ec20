//! The entries of a match's journal. Every change of a match is an entry, and nothing else changes it.

use mawe_rules::clock::TimeLeft;
use mawe_rules::{BySide, Side};
use mawe_wire::ids::ClientId;
use serde::{Deserialize, Serialize};

use crate::Damaged;

/// An entry in the form that the room works with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number of the entry in the journal, from 1.
    pub seq: u64,
    /// The epoch of the owner who wrote it.
    pub epoch: u64,
    /// The time at which it was accepted, in milliseconds since the Unix epoch. A correspondence clock runs from it; in other matches it is
    /// only information.
    pub at_ms: i64,
    /// The id of the command that caused it.
    pub client_id: Option<ClientId>,
    /// The side that acted; `None` if the server or its operator called the match off.
    pub side: Option<Side>,
    /// The action.
    pub action: Action,
    /// The time left of both sides after it.
    pub left: BySide<TimeLeft>,
    /// Whether it calls the match off because it ends a rated match before both sides have made
    /// [`MOVES_TO_COUNT`](super::judge::MOVES_TO_COUNT) moves. It is stored in the journal so that a change of the rule does not affect
    /// finished matches.
    pub early: bool,
}

/// The action of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Action {
    /// A ply, legal in the position before it.
    Move {
        /// The move in the notation of the game.
        #[serde(rename = "move")]
        text: String,
        /// The time taken off the mover's clock.
        spent_ms: u64,
        /// The lag compensation that was given back.
        lag_ms: u64,
    },
    /// The side resigns.
    Resign,
    /// The side offers a draw.
    OfferDraw,
    /// The side accepts the draw.
    AcceptDraw,
    /// The side declines the draw.
    DeclineDraw,
    /// The time of the side has run out.
    Flag,
    /// The match is called off.
    Abort {
        /// Whether the operator did it. An older server ignores the field, and still reads the match as called off.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        closed: bool,
    },
    /// The side asks to take back its last move.
    OfferTakeback,
    /// The last plies are taken back: the side consents, or needs no consent.
    Takeback {
        /// The number of plies.
        plies: u32,
    },
    /// The side refuses the takeback.
    DeclineTakeback,
    /// The side gives time to the other.
    GiveTime {
        /// The amount.
        ms: u64,
    },
    /// The other side has been away for too long: the side claims the win.
    ClaimWin,
    /// The other side has been away for too long: the side claims a draw.
    ClaimDraw,
    /// The side halves its clock, and gets no increment.
    Berserk,
    /// The side was on vacation in this turn, which lasts longer by that.
    Vacation {
        /// The part of the vacation that no earlier entry has given the turn.
        ms: u64,
    },
}

impl Action {
    fn kind(&self) -> &'static str {
        match self {
            Action::Move { .. } => "move",
            Action::Resign => "resign",
            Action::OfferDraw => "offer-draw",
            Action::AcceptDraw => "accept-draw",
            Action::DeclineDraw => "decline-draw",
            Action::Flag => "flag",
            Action::Abort { .. } => "abort",
            Action::OfferTakeback => "offer-takeback",
            Action::Takeback { .. } => "takeback",
            Action::DeclineTakeback => "decline-takeback",
            Action::GiveTime { .. } => "give-time",
            Action::ClaimWin => "claim-win",
            Action::ClaimDraw => "claim-draw",
            Action::Berserk => "berserk",
            Action::Vacation { .. } => "vacation",
        }
    }
}

/// One entry of a journal as stored. Only the room interprets the payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// The number of the entry in its match, from 1.
    pub seq: u64,
    /// The epoch in which it was written.
    pub epoch: u64,
    /// The kind, for operators who read the table.
    pub kind: String,
    /// The entry as JSON.
    pub payload: String,
    /// The command that caused the entry, as `<side>:<client_id>`; unique in its match.
    pub client_id: Option<String>,
    /// The time of the entry.
    pub at_ms: i64,
}

/// The content of the payload column. The names are short because there may be a thousand entries per second.
#[derive(Serialize, Deserialize)]
struct Payload<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<Side>,
    #[serde(flatten)]
    action: std::borrow::Cow<'a, Action>,
    /// The clock and the lag bank of the first side, then of the second.
    left_ms: [u64; 4],
    /// An older server ignores the field, and reads the match as one that counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    early: bool,
}

impl Entry {
    /// Converts the entry to its stored form.
    #[must_use]
    pub fn to_stored(&self) -> StoredEntry {
        let [first, second] = [self.left[Side::First], self.left[Side::Second]];
        let payload = Payload {
            side: self.side,
            action: std::borrow::Cow::Borrowed(&self.action),
            left_ms: [
                first.clock_ms,
                first.lag_bank_ms,
                second.clock_ms,
                second.lag_bank_ms,
            ],
            early: self.early,
        };
        StoredEntry {
            seq: self.seq,
            epoch: self.epoch,
            kind: self.action.kind().to_owned(),
            payload: serde_json::to_string(&payload).expect("a payload is plain JSON"),
            // The side is part of the name, so that a player cannot use up an id that the opponent is about to use.
            client_id: self
                .client_id
                .as_ref()
                .zip(self.side)
                .map(|(id, side)| format!("{side}:{id}")),
            at_ms: self.at_ms,
        }
    }

    /// Reads a stored entry.
    ///
    /// # Errors
    /// [`Damaged`] when this program did not write it.
    pub fn from_stored(stored: &StoredEntry) -> Result<Entry, Damaged> {
        let damaged = |detail: String| Damaged {
            what: "entry",
            detail: format!("seq {}: {detail}", stored.seq),
        };
        let payload: Payload<'_> =
            serde_json::from_str(&stored.payload).map_err(|error| damaged(error.to_string()))?;
        let client_id = match stored
            .client_id
            .as_deref()
            .and_then(|text| text.split_once(':'))
        {
            Some((_, id)) => Some(
                id.parse()
                    .map_err(|error: mawe_wire::ids::IdError| damaged(error.to_string()))?,
            ),
            None => None,
        };
        let [a, b, c, d] = payload.left_ms;
        Ok(Entry {
            seq: stored.seq,
            epoch: stored.epoch,
            at_ms: stored.at_ms,
            client_id,
            side: payload.side,
            early: payload.early,
            action: payload.action.into_owned(),
            left: BySide::new(
                TimeLeft {
                    clock_ms: a,
                    lag_bank_ms: b,
                },
                TimeLeft {
                    clock_ms: c,
                    lag_bank_ms: d,
                },
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_survives_the_store() {
        let moved = Action::Move {
            text: "a1c3".into(),
            spent_ms: 1_250,
            lag_ms: 40,
        };
        let actions = [
            moved,
            Action::Resign,
            Action::OfferDraw,
            Action::AcceptDraw,
            Action::DeclineDraw,
            Action::Flag,
            Action::Abort { closed: false },
            Action::Abort { closed: true },
            Action::OfferTakeback,
            Action::Takeback { plies: 3 },
            Action::DeclineTakeback,
            Action::GiveTime { ms: 15_000 },
            Action::ClaimWin,
            Action::ClaimDraw,
            Action::Berserk,
            Action::Vacation { ms: 86_400_000 },
        ];
        for (seq, action) in (1..).zip(actions) {
            for side in [None, Some(Side::First), Some(Side::Second)] {
                let entry = Entry {
                    seq,
                    epoch: 3,
                    at_ms: 1_700_000_000_000,
                    client_id: side.map(|_| "c-1".parse().expect("a client id")),
                    side,
                    action: action.clone(),
                    early: seq % 2 == 0,
                    left: BySide::new(
                        TimeLeft {
                            clock_ms: 1,
                            lag_bank_ms: 2,
                        },
                        TimeLeft {
                            clock_ms: 3,
                            lag_bank_ms: 4,
                        },
                    ),
                };
                let stored = entry.to_stored();
                assert_eq!(
                    Entry::from_stored(&stored).expect("it was just written"),
                    entry,
                    "{}",
                    stored.payload
                );
            }
        }
    }

    #[test]
    fn an_entry_of_a_closed_match_is_an_abort_to_who_does_not_know_of_closing() {
        let written =
            |closed| serde_json::to_string(&Action::Abort { closed }).expect("plain JSON");
        assert_eq!(written(false), r#"{"kind":"abort"}"#, "as it always was");
        #[derive(Debug, PartialEq, Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        enum Older {
            Abort,
        }
        let read: Older = serde_json::from_str(&written(true)).expect("it reads past the rest");
        assert_eq!(read, Older::Abort);
    }

    #[test]
    fn an_entry_of_an_older_server_is_not_early() {
        let stored = StoredEntry {
            seq: 1,
            epoch: 1,
            kind: "resign".into(),
            payload: r#"{"side":"first","kind":"resign","left_ms":[1,2,3,4]}"#.into(),
            client_id: None,
            at_ms: 0,
        };
        let entry = Entry::from_stored(&stored).expect("as it was written");
        assert!(!entry.early);
        assert_eq!(entry.to_stored(), stored, "and nothing new is written");
    }

    #[test]
    fn a_damaged_row_is_an_error() {
        let entry = StoredEntry {
            seq: 1,
            epoch: 1,
            kind: "move".into(),
            payload: "{}".into(),
            client_id: None,
            at_ms: 0,
        };
        assert!(Entry::from_stored(&entry).is_err());
    }
}

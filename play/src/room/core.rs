//! The match core: a state machine without I/O, clock or chance of its own (`docs/decisions/0003-match-core.md`, `0004-log-first.md`).
//!
//! [`RoomState::handle`] gets the time and one input, and returns effects. A change of the match is returned as entries to append; **the
//! state changes only after the entries are durable**, so it never contains anything that could still be lost, and no effect reveals an
//! entry that is not on disk. Between requesting an append and its completion, the room handles no other input.
//!
//! The same [`RoomState::apply`] rebuilds a room from its journal, so memory and replay can differ only in the duration of the present
//! turn. Commands are judged in `judge.rs`; time is computed in `timing.rs`.

use mawe_rules::Side;
use mawe_rules::clock::Tempo;
use mawe_wire::{Event, EventMsg, PlyView};

use super::entry::{Action, Entry};
use super::io::{BotQuestion, Effects, Input, Now, Wanted};
use super::judge::Given;
use super::results::{by_rules, result_of};
use super::state::{Played, RoomState};
use crate::Damaged;

impl RoomState {
    /// Handles one input.
    pub fn handle(&mut self, now: Now, input: Input) -> Effects {
        let mut effects = match input {
            Input::Open => self.open(now),
            Input::Command {
                side,
                client_id,
                seq,
                command,
                lag_ms,
            } => {
                self.present.lag_ms[side] = lag_ms;
                let given = Given {
                    side,
                    client_id,
                    seq,
                    command,
                };
                self.command(now, given)
            }
            Input::Presence { side, here } => {
                self.note_presence(now, side, here);
                Effects::default()
            }
            Input::Close(closing) => self.close(now, closing),
            Input::Vacation { ms } => self.vacation(now, ms),
            Input::Tick => self.tick(now),
            Input::Durable => self.durable(now),
        };
        effects.wake_at = if effects.append.is_some() {
            None
        } else {
            self.remaining_ms(now).map(|ms| now.mono + ms)
        };
        effects
    }

    fn open(&mut self, now: Now) -> Effects {
        self.take_up_time(now);
        Effects {
            ask: self.question().or_else(|| self.draw_question()),
            ..Effects::default()
        }
    }

    /// Notes the time at which the ply to come has begun.
    fn begin_ply(&mut self, entry: &Entry) {
        self.turn_left_ms = entry.left[self.record.turn()].clock_ms;
        self.turn_since_ms = entry.at_ms;
        self.vacation_ms = 0;
    }

    fn vacation(&mut self, now: Now, ms: u64) -> Effects {
        match self.time_up(now) {
            Some(turn) if ms > 0 => {
                let action = Action::Vacation { ms };
                self.act(now, Some(turn.side), None, action, None)
            }
            Some(_) | None => Effects::default(),
        }
    }

    fn tick(&mut self, now: Now) -> Effects {
        if self.is_time_up(now) {
            self.time_is_up(now, None)
        } else {
            Effects::default()
        }
    }

    fn durable(&mut self, now: Now) -> Effects {
        let Some(pending) = self.present.pending.take() else {
            return Effects::default();
        };
        let mut effects = Effects {
            answer: pending.answer,
            ..Effects::default()
        };
        // The clock runs only from here, so that neither side pays for the duration of the commit.
        self.present.turn_began = now.mono;
        for entry in pending.entries {
            let is_move = matches!(entry.action, Action::Move { .. } | Action::Takeback { .. });
            effects.tell.push(
                self.apply(entry)
                    .expect("a proposed entry has just been judged"),
            );
            effects.ask = if is_move {
                self.question()
            } else {
                self.draw_question()
            };
        }
        effects
    }

    fn question(&self) -> Option<BotQuestion> {
        self.ask(self.record.turn(), Wanted::Move)
    }

    fn draw_question(&self) -> Option<BotQuestion> {
        self.ask(self.draw.by?.other(), Wanted::DrawAnswer)
    }

    fn ask(&self, side: Side, wanted: Wanted) -> Option<BotQuestion> {
        let level = self.setup.bots[side].filter(|_| self.result.is_none())?;
        Some(BotQuestion {
            side,
            level,
            seq: self.head(),
            wanted,
            game: self.record.clone(),
            clock_ms: (self.clock.tempo() != Tempo::Untimed)
                .then(|| self.clock.left()[side].clock_ms),
        })
    }

    /// Applies one durable entry, and returns its event. Nothing else changes the journalled part of the state.
    ///
    /// # Errors
    /// [`Damaged`] when the entry does not follow the journal (a gap, or an illegal move). The state must not be used
    /// afterwards.
    pub fn apply(&mut self, entry: Entry) -> Result<EventMsg, Damaged> {
        let damaged = |detail: String| Damaged {
            what: "journal",
            detail: format!("{} seq {}: {detail}", self.setup.id, entry.seq),
        };
        if entry.seq != self.head() + 1 {
            return Err(damaged(format!("it follows seq {}", self.head())));
        }
        let actor = || {
            entry
                .side
                .ok_or_else(|| damaged("it names no side".to_owned()))
        };
        self.clock.set_left(entry.left);
        let mut position = None;
        let event = match &entry.action {
            Action::Move {
                text,
                spent_ms,
                lag_ms,
            } => {
                let side = actor()?;
                self.record
                    .play(text)
                    .map_err(|error| damaged(error.to_string()))?;
                self.moves[side] += 1;
                self.played.push(Played {
                    side,
                    // Only the server's own moves have no client id.
                    forced: entry.client_id.is_none(),
                });
                // A move by the side that was offered a draw declines the offer; a takeback offer was for the position before.
                self.draw.by = self.draw.by.filter(|offerer| *offerer == side);
                self.takeback.by = None;
                self.begin_ply(&entry);
                Event::Move(PlyView {
                    side,
                    text: text.clone(),
                    position: position.insert(self.record.position().to_string()).clone(),
                    clock_ms: entry.left[side].clock_ms,
                    spent_ms: *spent_ms,
                    lag_ms: *lag_ms,
                })
            }
            Action::Resign => Event::Resign { side: actor()? },
            Action::OfferDraw => {
                let side = actor()?;
                self.draw.made(side, self.record.ply());
                Event::OfferDraw { side }
            }
            Action::AcceptDraw => Event::AcceptDraw { side: actor()? },
            Action::DeclineDraw => {
                self.draw.by = None;
                Event::DeclineDraw { side: actor()? }
            }
            Action::OfferTakeback => {
                let side = actor()?;
                self.takeback.made(side, self.record.ply());
                Event::OfferTakeback { side }
            }
            Action::Takeback { plies } => {
                let side = actor()?;
                if self.record.retreat(*plies) != *plies {
                    return Err(damaged(format!("{plies} plies cannot be taken back")));
                }
                let ply = self.record.ply();
                // The mover has taken it back without the opponent's consent.
                let taken = self.played.get(self.record.moves().len());
                if taken.is_some_and(|played| played.side == side) {
                    self.corrected_at[side] = Some(ply);
                }
                self.played.truncate(self.record.moves().len());
                (self.draw.by, self.takeback.by) = (None, None);
                self.taken_back_at = entry.seq;
                self.begin_ply(&entry);
                Event::Takeback {
                    side,
                    plies: *plies,
                }
            }
            Action::DeclineTakeback => {
                self.takeback.by = None;
                Event::DeclineTakeback { side: actor()? }
            }
            Action::GiveTime { ms } => Event::GiveTime {
                side: actor()?,
                ms: *ms,
            },
            Action::Berserk => {
                let side = actor()?;
                self.clock.forgo_increment(side);
                self.berserk[side] = true;
                self.turn_left_ms = entry.left[self.record.turn()].clock_ms;
                Event::Berserk { side }
            }
            Action::ClaimWin => Event::ClaimWin { side: actor()? },
            Action::ClaimDraw => Event::ClaimDraw { side: actor()? },
            Action::Vacation { ms } => {
                self.vacation_ms = self.vacation_ms.saturating_add(*ms);
                Event::Vacation {
                    side: actor()?,
                    ms: *ms,
                }
            }
            Action::Flag => Event::Flag { side: actor()? },
            Action::Abort { .. } => Event::Abort { side: entry.side },
        };
        self.result = self
            .record
            .outcome()
            .map(by_rules)
            .or_else(|| result_of(&entry.action, entry.side, entry.early));
        if self.result.is_some() {
            (self.draw.by, self.takeback.by) = (None, None);
        }
        if let (Some(side), Some(client_id)) = (entry.side, &entry.client_id) {
            self.done.insert((side, client_id.clone()), entry.seq);
        }
        let (seq, client_id) = (entry.seq, entry.client_id.clone());
        self.journal.push(entry);
        Ok(EventMsg {
            match_id: self.setup.id.clone(),
            seq,
            client_id,
            event,
            state: self.view_with(position.unwrap_or_else(|| self.record.position().to_string())),
        })
    }
}

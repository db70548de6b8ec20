//! Judges commands: whether they are allowed, which entries they become, and whether these end the match.

use mawe_rules::clock::{Clock, Tempo};
use mawe_rules::{BySide, Side};
use mawe_wire::end_reason::is_called_off;
use mawe_wire::ids::ClientId;
use mawe_wire::{Command, MatchResult};

use crate::room::due::due_ms;
use crate::room::entry::{Action, Entry};
use crate::room::io::{Answer, Closing, Effects, Finish, Now, Proposal, Refusal};
use crate::room::results::{by_rules, ends_by_choice, left_by, result_of};
use crate::room::state::{Pending, Played, RoomState};
use crate::room::timing::UNATTENDED_MS;

/// The number of plies between two draw offers by one side: frequent offers would disturb the opponent.
const PLIES_BETWEEN_DRAW_OFFERS: u32 = 10;

/// The time that a player gives the opponent with one command.
const GIFT_MS: u64 = 15_000;

/// The clock value above which no time is given: the longest base time of a match.
const MOST_CLOCK_MS: u64 = 3 * 60 * 60 * 1_000;

/// The number of moves that each side must have made before a rated match can count without an end on the board. Without it, results could
/// be faked as fast as commands are sent.
pub const MOVES_TO_COUNT: u32 = 2;

/// A command with its sender.
pub(super) struct Given {
    pub(super) side: Side,
    pub(super) client_id: ClientId,
    pub(super) seq: u64,
    pub(super) command: Command,
}

enum Judged {
    Move(String),
    Other(Action),
}

/// The state of the match after the proposed entries.
struct After {
    clock: Clock,
    turn: Side,
    /// The result if the match ends, with the number of plies.
    result: Option<(MatchResult, u32)>,
    /// Like [`Entry::early`].
    early: bool,
    /// Like [`Finish::left_by`].
    left_by: Option<Side>,
}

impl RoomState {
    /// Handles the end of the time of the side to move: its flag falls or, before both sides have moved, the match is called off.
    pub(super) fn time_is_up(&mut self, now: Now, answer: Option<Answer>) -> Effects {
        let turn = self.record.turn();
        // Without clocks, no side can lose on time.
        if self.clock_runs() && self.clock.tempo() != Tempo::Untimed {
            self.act(now, Some(turn), None, Action::Flag, answer)
        } else {
            self.act(now, None, None, Action::Abort { closed: false }, answer)
        }
    }

    /// Closes the match for the operator.
    pub(super) fn close(&mut self, now: Now, closing: Closing) -> Effects {
        let (side, action) = match closing {
            _ if self.result.is_some() => return refuse(Refusal::MatchOver),
            Closing::CallOff => (None, Action::Abort { closed: true }),
            Closing::Leave(side) if self.may_abort() => {
                (Some(side), Action::Abort { closed: false })
            }
            Closing::Leave(side) => (Some(side), Action::Resign),
        };
        self.act(now, side, None, action, None)
    }

    /// Whether a player may still call the match off: before the second ply.
    fn may_abort(&self) -> bool {
        self.record.ply() < 2
    }

    /// Whether a match that ends now without an end on the board is called off: it is rated, and one side has made too few moves.
    fn is_early(&self) -> bool {
        let hardly_moved = |side: &Side| self.moves[*side] < MOVES_TO_COUNT;
        self.setup.rated && Side::ALL.iter().any(hardly_moved)
    }

    pub(super) fn command(&mut self, now: Now, given: Given) -> Effects {
        let Given {
            side,
            client_id,
            seq,
            command,
        } = given;
        if let Some(seq) = self.done_as(side, &client_id) {
            return answer(Answer::Again(seq));
        }
        if self.result.is_some() {
            return refuse(Refusal::MatchOver);
        }
        // After the time of the side to move is up, every command of either side finds the match over.
        if self.is_time_up(now) {
            return self.time_is_up(now, Some(Answer::Refused(Refusal::MatchOver)));
        }
        match self.judge(now, side, seq, &command) {
            Err(refusal) => refuse(refusal),
            Ok(Judged::Move(text)) => self.play(now, side, client_id, &text),
            Ok(Judged::Other(action)) => self.act(now, Some(side), Some(client_id), action, None),
        }
    }

    /// Returns the entry that a command has become. A player with both seats may have sent it as either side.
    fn done_as(&self, side: Side, client_id: &ClientId) -> Option<u64> {
        let found = |side| self.done.get(&(side, client_id.clone())).copied();
        found(side).or_else(|| self.setup.one_player.then(|| found(side.other())).flatten())
    }

    /// Whether an answer to a ply is for another position than the present one, from a sender that knew the journal up to `seq`. Plies repeat
    /// after a takeback.
    #[must_use]
    pub fn is_stale(&self, ply: u32, seq: u64) -> bool {
        ply != self.record.ply() || seq < self.taken_back_at
    }

    /// Whether the side may do this now. The legality of a move is checked later, by the rules.
    fn judge(&self, now: Now, side: Side, seq: u64, command: &Command) -> Result<Judged, Refusal> {
        let ply = self.record.ply();
        let action = match command {
            Command::Move { ply: answers, .. } if self.is_stale(*answers, seq) => {
                return Err(Refusal::StalePly(ply));
            }
            Command::Move { .. } if side != self.record.turn() => return Err(Refusal::NotYourTurn),
            Command::Move { text, .. } => return Ok(Judged::Move(text.clone())),
            Command::Resign => Action::Resign,
            Command::Abort if self.may_abort() => Action::Abort { closed: false },
            Command::Abort => return Err(Refusal::CannotAbort),
            Command::OfferDraw | Command::AcceptDraw | Command::DeclineDraw => {
                self.judge_draw(side, command)?
            }
            Command::OfferTakeback | Command::AcceptTakeback | Command::DeclineTakeback => {
                self.judge_takeback(side, command)?
            }
            Command::GiveTime => self.judge_gift(side)?,
            Command::Berserk if self.may_berserk(side) => Action::Berserk,
            Command::Berserk => return Err(Refusal::CannotBerserk),
            Command::ClaimWin | Command::ClaimDraw if !self.may_claim(now, side) => {
                return Err(Refusal::NotGone);
            }
            Command::ClaimWin => Action::ClaimWin,
            Command::ClaimDraw => Action::ClaimDraw,
        };
        Ok(Judged::Other(action))
    }

    fn judge_draw(&self, side: Side, command: &Command) -> Result<Action, Refusal> {
        let offered_by_other = self.draw.by == Some(side.other());
        let lately = |ply: u32| self.record.ply() < ply + PLIES_BETWEEN_DRAW_OFFERS;
        match command {
            // A player with both seats agrees at once.
            Command::OfferDraw if self.setup.one_player => Ok(Action::AcceptDraw),
            Command::OfferDraw | Command::AcceptDraw if offered_by_other => Ok(Action::AcceptDraw),
            Command::OfferDraw if self.draw.by == Some(side) => Err(Refusal::DrawOfferPending),
            Command::OfferDraw if self.draw.last_ply[side].is_some_and(lately) => {
                Err(Refusal::DrawOfferTooSoon)
            }
            Command::OfferDraw => Ok(Action::OfferDraw),
            Command::DeclineDraw if offered_by_other => Ok(Action::DeclineDraw),
            _ => Err(Refusal::NoDrawOffer),
        }
    }

    fn judge_takeback(&self, side: Side, command: &Command) -> Result<Action, Refusal> {
        let asked_by_other = self.takeback.by == Some(side.other());
        let back_to = |side: Side| Action::Takeback {
            plies: self.record.ply() - self.takeback_ply(side).unwrap_or(self.record.ply()),
        };
        match command {
            Command::OfferTakeback if self.may_correct(side) => Ok(back_to(side)),
            Command::OfferTakeback if !self.allows_takebacks() => Err(Refusal::TakebacksOff),
            Command::OfferTakeback if self.takeback_ply(side).is_none() => {
                Err(Refusal::NothingToTakeBack)
            }
            Command::OfferTakeback if self.takes_back_freely(side) => Ok(back_to(side)),
            Command::OfferTakeback if self.takeback.by == Some(side) => {
                Err(Refusal::TakebackOfferPending)
            }
            Command::OfferTakeback if self.takeback.last_ply[side] == Some(self.record.ply()) => {
                Err(Refusal::TakebackOfferTooSoon)
            }
            Command::OfferTakeback => Ok(Action::OfferTakeback),
            Command::AcceptTakeback if asked_by_other => Ok(back_to(side.other())),
            Command::DeclineTakeback if asked_by_other => Ok(Action::DeclineTakeback),
            _ => Err(Refusal::NoTakebackOffer),
        }
    }

    fn allows_takebacks(&self) -> bool {
        // A computer opponent would always consent, so a rated match against one has no takebacks.
        self.setup.one_player
            || (self.setup.options.takebacks && (self.is_among_people() || !self.setup.rated))
    }

    /// Whether a side may take back its last move without asking the opponent: until the opponent has moved, and once at each ply, so that
    /// it cannot keep the opponent from moving.
    fn may_correct(&self, side: Side) -> bool {
        let options = &self.setup.options;
        let Some(last) = self.takeback_ply(side) else {
            return false;
        };
        let is_unanswered = self.played[last as usize..]
            .iter()
            .all(|played| played.forced || played.side == side);
        options.free_takebacks
            && !self.setup.rated
            && self.is_among_people()
            && is_unanswered
            && self.corrected_at[side] != Some(last)
    }

    /// Whether the action takes back the side's own last move without asking. A side that consents takes back the other side's move.
    fn is_correction(&self, side: Side, action: &Action) -> bool {
        let Action::Takeback { plies } = action else {
            return false;
        };
        let back_to = self.record.ply().checked_sub(*plies);
        self.may_correct(side) && self.takeback_ply(side) == back_to
    }

    /// Returns the price of taking a move back without asking, in addition to the opponent's thinking time since: the increment gained by
    /// the move.
    fn correction_ms(&self, side: Side) -> u64 {
        let Some(last) = self.takeback_ply(side) else {
            return 0;
        };
        // The move passed the turn, if only to a forced pass, and the clocks ran before it.
        let passed = self.record.turn() != side || self.played.len() > last as usize + 1;
        let earlier = &self.played[..last as usize];
        let ran = Side::ALL
            .iter()
            .all(|side| earlier.iter().any(|played| played.side == *side));
        if passed && ran {
            self.clock.increment_ms(side)
        } else {
            0
        }
    }

    fn takes_back_freely(&self, side: Side) -> bool {
        self.setup.one_player || self.setup.bots[side.other()].is_some()
    }

    /// Returns the ply at which the last move of `side` was played. A takeback returns to it, and so also takes back the opponent's answer.
    /// A pass played by the server does not count as a move.
    fn takeback_ply(&self, side: Side) -> Option<u32> {
        let of_side =
            |played: &Played| !played.forced && (played.side == side || self.setup.one_player);
        let last = self.played.iter().rposition(of_side)?;
        u32::try_from(last).ok()
    }

    fn judge_gift(&self, side: Side) -> Result<Action, Refusal> {
        let can = self.setup.options.give_time
            && self.setup.time_control.is_realtime()
            && self.is_among_people()
            && self.clock_runs();
        if !can {
            Err(Refusal::CannotGiveTime)
        } else if self.clock.left()[side.other()].clock_ms + GIFT_MS > MOST_CLOCK_MS {
            Err(Refusal::TimeEnough)
        } else {
            Ok(Action::GiveTime { ms: GIFT_MS })
        }
    }

    /// Whether a side may halve its clock: before its first move, also before one that was taken back.
    fn may_berserk(&self, side: Side) -> bool {
        self.setup.options.berserk
            && self.setup.time_control.is_realtime()
            && self.moves[side] == 0
            && !self.berserk[side]
    }

    fn play(&mut self, now: Now, side: Side, client_id: ClientId, text: &str) -> Effects {
        let mut next = self.record.clone();
        let played = match next.play(text) {
            Ok(played) => played.to_string(),
            Err(error) => return refuse(Refusal::IllegalMove(error)),
        };
        let turn_passes = self.clock_runs() && next.turn() != side;
        let mut clock = self.clock.clone();
        let Ok(spent) = clock.spend(
            side,
            self.elapsed_ms(now),
            self.present.lag_ms[side],
            turn_passes,
        ) else {
            return self.time_is_up(now, Some(Answer::Refused(Refusal::MatchOver)));
        };
        if !self.clock_runs() {
            // Nothing is charged yet, but a vacation may have extended the turn that ends.
            clock.begin_turn();
        }
        // A draw offer during the turn has already charged part of its time.
        let given_ms = self.turn_left_ms.saturating_add(self.vacation_ms);
        let charged_ms = if self.clock_runs() {
            given_ms.saturating_sub(self.clock.left()[side].clock_ms)
        } else {
            0
        };
        let action = Action::Move {
            text: played,
            spent_ms: charged_ms + spent.spent_ms,
            lag_ms: spent.lag_ms,
        };
        let mut acts = vec![(Some(side), Some(client_id), action)];
        // The server plays the forced pass of Reversi, as a ply of its own.
        if let Some(pass) = next.forced_pass() {
            let passer = next.turn();
            let text = pass.to_string();
            next.play(&text).expect("a forced pass is legal");
            acts.push((
                Some(passer),
                None,
                Action::Move {
                    text,
                    spent_ms: 0,
                    lag_ms: 0,
                },
            ));
        }
        let result = next.outcome().map(by_rules);
        self.propose(
            now,
            acts,
            After {
                clock,
                turn: next.turn(),
                result: result.map(|result| (result, next.ply())),
                early: false,
                left_by: None,
            },
            None,
        )
    }

    /// Proposes an action that is not a move. The clock of the side to move is charged up to now, so that every entry has the time left.
    pub(super) fn act(
        &mut self,
        now: Now,
        side: Option<Side>,
        client_id: Option<ClientId>,
        action: Action,
        answer: Option<Answer>,
    ) -> Effects {
        let mut clock = self.clock.clone();
        let mut turn = self.record.turn();
        let elapsed_ms = self.elapsed_ms(now);
        match side {
            // Charged also before both sides have moved: the time of a first move is extended as that of any other.
            Some(side) if let Action::Vacation { ms } = action => {
                clock.give(side, ms, u64::MAX);
                clock.charge(side, self.waited_ms(now));
            }
            // The opponent does not pay for the time until the correction.
            Some(side) if self.is_correction(side, &action) => {
                clock.charge(side, elapsed_ms + self.correction_ms(side));
            }
            Some(_) | None => clock.charge(turn, elapsed_ms),
        }
        match action {
            Action::Flag => clock.run_out(turn),
            Action::GiveTime { ms } => {
                if let Some(giver) = side {
                    clock.give(giver.other(), ms, MOST_CLOCK_MS);
                }
            }
            Action::Berserk => {
                if let Some(side) = side {
                    clock.halve(side);
                }
            }
            Action::Takeback { plies } => {
                clock.begin_turn();
                let back_to = self.played.len().saturating_sub(plies as usize);
                turn = self.played.get(back_to).map_or(turn, |played| played.side);
            }
            _ => {}
        }
        let early = self.is_early() && ends_by_choice(&action);
        let result = result_of(&action, side, early);
        let called_off = |result: &MatchResult| is_called_off(&result.reason);
        let after = After {
            clock,
            turn,
            left_by: result
                .as_ref()
                .filter(|result| called_off(result))
                .and_then(|_| left_by(&action, side, self.record.turn())),
            result: result.map(|result| (result, self.record.ply())),
            early,
        };
        self.propose(now, vec![(side, client_id, action)], after, answer)
    }

    fn propose(
        &mut self,
        now: Now,
        acts: Vec<(Option<Side>, Option<ClientId>, Action)>,
        after: After,
        answer: Option<Answer>,
    ) -> Effects {
        let (epoch, head, left) = (self.epoch, self.head(), *after.clock.left());
        let entry = |(seq, (side, client_id, action))| Entry {
            seq,
            epoch,
            at_ms: now.unix_ms,
            client_id,
            side,
            action,
            left,
            early: after.early,
        };
        let entries: Vec<Entry> = (head + 1..).zip(acts).map(entry).collect();
        let turn_ms = match after.clock.tempo() {
            Tempo::PerTurn { .. } => Some(left[after.turn].clock_ms),
            Tempo::Untimed if self.setup.bots != BySide::default() => Some(UNATTENDED_MS),
            Tempo::Increment { .. } | Tempo::Untimed => None,
        };
        let due_ms = due_ms(
            self.setup.time_control,
            turn_ms,
            self.setup.bots[after.turn].is_some(),
            now.unix_ms,
        );
        let finish = after.result.map(|(result, plies)| Finish {
            winner: result.winner,
            uncounted: !is_called_off(&result.reason) && !self.setup.one_player,
            reason: result.reason,
            score: result
                .score
                .map(|score| BySide::new(score.first, score.second)),
            at_ms: now.unix_ms,
            plies,
            left_by: after.left_by,
        });
        self.present.pending = Some(Pending {
            entries: entries.clone(),
            answer,
        });
        Effects {
            append: Some(Proposal {
                head,
                entries,
                finish,
                due_ms,
            }),
            ..Effects::default()
        }
    }
}

fn answer(answer: Answer) -> Effects {
    Effects {
        answer: Some(answer),
        ..Effects::default()
    }
}

fn refuse(refusal: Refusal) -> Effects {
    answer(Answer::Refused(refusal))
}

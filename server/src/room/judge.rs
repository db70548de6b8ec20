//! What players ask for, judged: whether they may, what it becomes, and how the match ends by it.

use mawe_rules::clock::{Clock, Tempo};
use mawe_rules::{BySide, Outcome, Side};

use crate::arrange;
use crate::ids::ClientId;
use crate::protocol::{Command, MatchResult, Seats};
use crate::room::end_reason::{EndReason, is_called_off};
use crate::room::entry::{Action, Entry};
use crate::room::state::{Pending, Played, RoomState};
use crate::room::timing::UNATTENDED_MS;
use crate::room::words::{Answer, Closing, Effects, Now, Proposal, Refusal};
use crate::store::Finish;

/// A side that offered a draw may offer the next one this many plies later: an offer at every ply is a way to disturb.
const PLIES_BETWEEN_DRAW_OFFERS: u32 = 10;

/// What a player gives the opponent at a time.
const GIFT_MS: u64 = 15_000;

/// No gift makes a clock show more than this: the longest a match may begin with.
const MOST_CLOCK_MS: u64 = 3 * 60 * 60 * 1_000;

/// How many moves each side must have made before a rated match counts without being played to its end on the board: otherwise results could
/// be made up as fast as commands are sent.
pub const MOVES_TO_COUNT: u32 = 2;

/// A command and whose it is.
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

/// How the match stands after what is proposed.
struct After {
    clock: Clock,
    turn: Side,
    /// How it ends, and after how many plies.
    result: Option<(MatchResult, u32)>,
    /// As [`Entry::early`].
    early: bool,
    /// As [`Finish::left_by`].
    left_by: Option<Side>,
}

impl RoomState {
    /// The side to move did not move in time: its flag falls, or, before both have moved, the match is called off.
    pub(super) fn time_is_up(&mut self, now: Now, answer: Option<Answer>) -> Effects {
        let turn = self.record.turn();
        // Without clocks nobody can lose by time.
        if self.clock_runs() && self.clock.tempo() != Tempo::Untimed {
            self.act(now, Some(turn), None, Action::Flag, answer)
        } else {
            self.act(now, None, None, Action::Abort { closed: false }, answer)
        }
    }

    /// The operator ends the match.
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

    /// Whether a player may still call the match off.
    fn may_abort(&self) -> bool {
        self.record.ply() < 2
    }

    /// Whether a match that ends now without an end on the board is called off: it is rated, and one side has hardly moved.
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
        // What comes after the time of the side to move is up finds the match over, whoever sends it.
        if self.is_time_up(now) {
            return self.time_is_up(now, Some(Answer::Refused(Refusal::MatchOver)));
        }
        match self.judge(now, side, seq, &command) {
            Err(refusal) => refuse(refusal),
            Ok(Judged::Move(text)) => self.play(now, side, client_id, &text),
            Ok(Judged::Other(action)) => self.act(now, Some(side), Some(client_id), action, None),
        }
    }

    /// The entry that a command has become. One who plays both sides may have given it as either.
    fn done_as(&self, side: Side, client_id: &ClientId) -> Option<u64> {
        let found = |side| self.done.get(&(side, client_id.clone())).copied();
        found(side).or_else(|| self.setup.one_player.then(|| found(side.other())).flatten())
    }

    /// Whether the side may do this now; whether a move is legal is the rules' to say.
    fn judge(&self, now: Now, side: Side, seq: u64, command: &Command) -> Result<Judged, Refusal> {
        let ply = self.record.ply();
        let action = match command {
            // A ply that was taken back comes again: a move that does not know of that answers another position.
            Command::Move { ply: answers, .. } if *answers != ply || seq < self.taken_back_at => {
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
            // Who plays both sides agrees with themselves.
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
        // Against the computer nobody would say no, so a rated match has none.
        self.setup.one_player
            || (self.setup.options.takebacks && (self.is_among_people() || !self.setup.rated))
    }

    /// Whether a side may take its last move back without asking a person: until that has moved, and once at each ply, so that nobody is
    /// kept from moving.
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

    /// Whether the action takes back the side's own last move without asking; a side that consents takes back the other's.
    fn is_correction(&self, side: Side, action: &Action) -> bool {
        let Action::Takeback { plies } = action else {
            return false;
        };
        let back_to = self.record.ply().checked_sub(*plies);
        self.may_correct(side) && self.takeback_ply(side) == back_to
    }

    /// What a side that takes a move back without asking pays beside the time that its opponent has thought meanwhile: the increment that
    /// it had for the move.
    fn correction_ms(&self, side: Side) -> u64 {
        let Tempo::Increment { increment_ms, .. } = self.clock.tempo() else {
            return 0;
        };
        let Some(last) = self.takeback_ply(side) else {
            return 0;
        };
        // The turn passed with the move, if only for a forced pass, and the clocks ran before it.
        let passed = self.record.turn() != side || self.played.len() > last as usize + 1;
        let earlier = &self.played[..last as usize];
        let ran = Side::ALL
            .iter()
            .all(|side| earlier.iter().any(|played| played.side == *side));
        if passed && ran { increment_ms } else { 0 }
    }

    fn takes_back_freely(&self, side: Side) -> bool {
        self.setup.one_player || self.setup.bots[side.other()].is_some()
    }

    /// The ply at which the last move of `side` was played, which a takeback returns to: with it goes whatever the opponent answered. A
    /// pass that the server played is nobody's move.
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
        // A draw offer in mid-turn has charged a part already.
        let charged_ms = self
            .turn_left_ms
            .saturating_sub(self.clock.left()[side].clock_ms);
        let action = Action::Move {
            text: played,
            spent_ms: charged_ms + spent.spent_ms,
            lag_ms: spent.lag_ms,
        };
        let mut acts = vec![(Some(side), Some(client_id), action)];
        // Reversi's pass is played by the server, as a ply of its own.
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

    /// An action that is no move: the clock of the side to move is charged up to now, so that every entry says what was left.
    fn act(
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
            // The opponent's time is not the opponent's cost.
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
        let due_ms = arrange::due_ms(
            self.setup.time_control,
            turn_ms,
            self.setup.bots[after.turn].is_some(),
            now.unix_ms,
        );
        let finish = after.result.map(|(result, plies)| Finish {
            winner: result.winner,
            owed: !is_called_off(&result.reason) && !self.setup.one_player,
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

/// Whether an action ends a match by what a player does or leaves undone rather than on the board.
fn ends_by_choice(action: &Action) -> bool {
    match action {
        Action::Resign
        | Action::AcceptDraw
        | Action::Flag
        | Action::ClaimWin
        | Action::ClaimDraw => true,
        Action::Move { .. }
        | Action::OfferDraw
        | Action::DeclineDraw
        | Action::Abort { .. }
        | Action::OfferTakeback
        | Action::Takeback { .. }
        | Action::DeclineTakeback
        | Action::GiveTime { .. } => false,
    }
}

/// Whose leaving it is when a match is called off by this action of `side`; `turn` is to move.
pub(super) fn left_by(action: &Action, side: Option<Side>, turn: Side) -> Option<Side> {
    match action {
        Action::Resign | Action::Flag => side,
        Action::ClaimWin | Action::ClaimDraw => side.map(Side::other),
        // Without a side it is the server's doing: a first move did not come.
        Action::Abort { closed: false } => Some(side.unwrap_or(turn)),
        Action::Abort { closed: true }
        | Action::AcceptDraw
        | Action::Move { .. }
        | Action::OfferDraw
        | Action::DeclineDraw
        | Action::OfferTakeback
        | Action::Takeback { .. }
        | Action::DeclineTakeback
        | Action::GiveTime { .. } => None,
    }
}

/// How an action that is no move ends the match, if it does; `early` as [`Entry::early`].
pub(super) fn result_of(action: &Action, side: Option<Side>, early: bool) -> Option<MatchResult> {
    let ended = |winner, reason: EndReason| {
        Some(MatchResult {
            winner,
            reason: reason.to_string(),
            score: None,
        })
    };
    match action {
        // Both agreed, and so nobody left.
        Action::AcceptDraw if early => ended(None, EndReason::Aborted),
        Action::Resign | Action::Flag | Action::ClaimWin | Action::ClaimDraw if early => {
            ended(None, EndReason::LeftEarly)
        }
        Action::Resign => ended(side.map(Side::other), EndReason::Resign),
        Action::AcceptDraw => ended(None, EndReason::Agreement),
        Action::Flag => ended(side.map(Side::other), EndReason::Time),
        Action::Abort { closed: true } => ended(None, EndReason::Closed),
        Action::Abort { closed: false } if side.is_some() => ended(None, EndReason::Aborted),
        Action::Abort { closed: false } => ended(None, EndReason::NoShow),
        Action::ClaimWin => ended(side, EndReason::Abandoned),
        Action::ClaimDraw => ended(None, EndReason::Abandoned),
        Action::Move { .. }
        | Action::OfferDraw
        | Action::DeclineDraw
        | Action::OfferTakeback
        | Action::Takeback { .. }
        | Action::DeclineTakeback
        | Action::GiveTime { .. } => None,
    }
}

pub(super) fn by_rules(outcome: Outcome) -> MatchResult {
    MatchResult {
        winner: outcome.winner,
        reason: EndReason::ByRules(outcome.reason).to_string(),
        score: outcome.score.map(|score| Seats {
            first: score[Side::First],
            second: score[Side::Second],
        }),
    }
}

//! The effect of an entry on the state. A replay trusts no number in a journal: an entry that could not follow is refused.

use mawe_rules::{BySide, Side};
use mawe_wire::events::{EventGameSkipped, EventPlayerState, EventState};

use super::entry::{Bye, Entry, PairedGame, Points, Seat};
use super::state::{Entrant, Event, Game, GameOutcome};
use super::terms::Format;
use crate::Damaged;

fn damaged(detail: impl Into<String>) -> Damaged {
    Damaged {
        what: "event",
        detail: detail.into(),
    }
}

impl Event {
    /// Replays the entries of a journal, each with its time.
    ///
    /// # Errors
    /// [`Damaged`] if the journal is not one of such an event.
    pub fn replay<'a>(
        terms: super::Terms,
        entries: impl IntoIterator<Item = (i64, &'a Entry)>,
    ) -> Result<Event, Damaged> {
        let mut event = Event::new(terms);
        for (at_ms, entry) in entries {
            event.apply(at_ms, entry)?;
        }
        Ok(event)
    }

    /// Applies an entry of the journal. A refused entry changes nothing.
    ///
    /// # Errors
    /// [`Damaged`] if the entry cannot follow.
    pub fn apply(&mut self, at_ms: i64, entry: &Entry) -> Result<(), Damaged> {
        match entry {
            Entry::Joined {
                player,
                rating,
                bot,
                group,
            } => {
                self.expect_open()?;
                if self.seats.contains_key(player) || !rating.is_finite() {
                    return Err(damaged(format!("the player {player} cannot join")));
                }
                let seat = Seat::try_from(self.entrants.len()).map_err(|_| damaged("too long"))?;
                self.seats.insert(player.clone(), seat);
                self.entrants.push(Entrant {
                    player: player.clone(),
                    rating: *rating,
                    bot: *bot,
                    group: *group,
                    games: Vec::new(),
                    state: EventPlayerState::In,
                    pending: 0,
                    free_ms: at_ms,
                    asked: Vec::new(),
                    changes: 0,
                });
                self.moved_ms = at_ms;
                Ok(())
            }
            Entry::Rejoined { seat } => self.change(
                at_ms,
                *seat,
                EventPlayerState::Withdrawn,
                EventPlayerState::In,
            ),
            Entry::Resumed { seat } => {
                self.change(at_ms, *seat, EventPlayerState::Paused, EventPlayerState::In)
            }
            Entry::Paused { seat } => {
                self.change(at_ms, *seat, EventPlayerState::In, EventPlayerState::Paused)
            }
            Entry::Withdrawn { seat } => {
                let from = self.seated(*seat)?.state;
                self.change(at_ms, *seat, from, EventPlayerState::Withdrawn)
            }
            Entry::ByeAsked { seat, round } => {
                self.expect_open()?;
                let is_late = *round <= self.round;
                let entrant = self.seated_mut(*seat)?;
                if is_late || entrant.asked.contains(round) {
                    return Err(damaged(format!("a bye in round {round}")));
                }
                entrant.asked.push(*round);
                Ok(())
            }
            Entry::Began { order, top } => self.begin(at_ms, order, *top),
            Entry::Cancelled { reason } => {
                self.expect_open()?;
                self.state = EventState::Cancelled;
                self.cancelled = Some(*reason);
                self.finished_ms = Some(at_ms);
                Ok(())
            }
            Entry::Paired { round, games, byes } => self.pair(at_ms, *round, games, byes),
            Entry::Berserk { game, side } => {
                self.expect_running()?;
                let game = self.pending_mut(*game)?;
                if game.berserk[*side] {
                    return Err(damaged("a second berserk"));
                }
                game.berserk[*side] = true;
                Ok(())
            }
            Entry::Ended {
                game,
                result,
                forfeit,
            } => {
                let outcome = GameOutcome::Ended {
                    result: *result,
                    forfeit: *forfeit,
                };
                self.settle(at_ms, *game, outcome)
            }
            Entry::Skipped { game, reason, side } => {
                let outcome = GameOutcome::Skipped {
                    reason: *reason,
                    side: *side,
                };
                self.settle(at_ms, *game, outcome)?;
                if *reason == EventGameSkipped::Apart
                    && let Some(game) = self.game(*game)
                {
                    let BySide { first, second } = game.seats;
                    self.apart.insert((first.min(second), first.max(second)));
                }
                Ok(())
            }
            Entry::Corrected { game, result } => {
                if !matches!(self.state, EventState::Running | EventState::Finished) {
                    return Err(damaged("a correction in an event without results"));
                }
                let game = self.game_mut(*game)?;
                if game.is_pending() {
                    return Err(damaged("a correction of a pending game"));
                }
                game.outcome = GameOutcome::Ended {
                    result: *result,
                    forfeit: false,
                };
                Ok(())
            }
            Entry::Closed => {
                self.expect_running()?;
                if self.closed || !matches!(self.terms.format, Format::Arena { .. }) {
                    return Err(damaged("the end of pairings that do not end so"));
                }
                self.closed = true;
                Ok(())
            }
            Entry::Finished => {
                self.expect_running()?;
                self.state = EventState::Finished;
                self.finished_ms = Some(at_ms);
                Ok(())
            }
        }
    }

    fn begin(&mut self, at_ms: i64, order: &[Seat], top: Option<Side>) -> Result<(), Damaged> {
        if self.state != EventState::Coming {
            return Err(damaged("a second beginning"));
        }
        let mut seats = order.to_vec();
        seats.sort_unstable();
        seats.dedup();
        let last = seats.last().copied();
        if seats.len() != order.len() || last.is_some_and(|seat| self.entrant(seat).is_none()) {
            return Err(damaged("an order that is none"));
        }
        self.state = EventState::Running;
        self.began_ms = Some(at_ms);
        self.ended_ms = at_ms;
        self.paired_ms = at_ms;
        self.order = order.to_vec();
        self.top = top;
        for entrant in &mut self.entrants {
            entrant.free_ms = at_ms;
        }
        Ok(())
    }

    fn pair(
        &mut self,
        at_ms: i64,
        round: u32,
        games: &[PairedGame],
        byes: &[Bye],
    ) -> Result<(), Damaged> {
        self.expect_running()?;
        if self.closed {
            return Err(damaged("a pairing after the last one"));
        }
        let again = self.terms.format == Format::Knockout && round == self.round && round > 0;
        if round != self.round.wrapping_add(1) && !again {
            return Err(damaged(format!("round {round} after {}", self.round)));
        }
        for (place, game) in games.iter().enumerate() {
            if game.number as usize != self.games.len() + place + 1 {
                return Err(damaged(format!("a game with the number {}", game.number)));
            }
            self.seated(game.first)?;
            self.seated(game.second)?;
            if game.first == game.second {
                return Err(damaged("a game of a player alone"));
            }
        }
        for bye in byes {
            self.seated(bye.seat)?;
            if bye.points > Points::ONE {
                return Err(damaged("a bye of more than a point"));
            }
        }
        self.round = round;
        self.paired_ms = at_ms;
        self.ended_ms = at_ms;
        self.byes.extend(byes.iter().map(|bye| (round, *bye)));
        for game in games {
            for seat in [game.first, game.second] {
                let entrant = &mut self.entrants[seat as usize];
                entrant.games.push(game.number);
                entrant.pending += 1;
            }
            self.pending += 1;
            self.games.push(Game {
                number: game.number,
                round,
                seats: BySide::new(game.first, game.second),
                time_control: game.time_control,
                berserk: BySide::default(),
                outcome: GameOutcome::Pending,
            });
        }
        Ok(())
    }

    fn settle(&mut self, at_ms: i64, number: u32, outcome: GameOutcome) -> Result<(), Damaged> {
        self.expect_running()?;
        let game = self.pending_mut(number)?;
        game.outcome = outcome;
        let seats = game.seats;
        for seat in [seats.first, seats.second] {
            let entrant = &mut self.entrants[seat as usize];
            entrant.pending -= 1;
            entrant.free_ms = at_ms;
        }
        self.pending -= 1;
        self.ended_ms = at_ms;
        Ok(())
    }

    fn change(
        &mut self,
        at_ms: i64,
        seat: Seat,
        from: EventPlayerState,
        to: EventPlayerState,
    ) -> Result<(), Damaged> {
        self.expect_open()?;
        let entrant = self.seated_mut(seat)?;
        if entrant.state != from || from == to {
            return Err(damaged(format!("seat {seat} is not {from}")));
        }
        entrant.state = to;
        entrant.free_ms = at_ms;
        entrant.changes += 1;
        self.moved_ms = at_ms;
        Ok(())
    }

    fn expect_open(&self) -> Result<(), Damaged> {
        match self.state {
            EventState::Coming | EventState::Running => Ok(()),
            EventState::Finished | EventState::Cancelled => Err(damaged("the event is over")),
        }
    }

    fn expect_running(&self) -> Result<(), Damaged> {
        if self.state == EventState::Running {
            Ok(())
        } else {
            Err(damaged("the event is not running"))
        }
    }

    fn seated(&self, seat: Seat) -> Result<&Entrant, Damaged> {
        let entrant = self.entrants.get(seat as usize);
        entrant.ok_or_else(|| damaged(format!("there is no seat {seat}")))
    }

    fn seated_mut(&mut self, seat: Seat) -> Result<&mut Entrant, Damaged> {
        let entrant = self.entrants.get_mut(seat as usize);
        entrant.ok_or_else(|| damaged(format!("there is no seat {seat}")))
    }

    fn game_mut(&mut self, number: u32) -> Result<&mut Game, Damaged> {
        let index = number.checked_sub(1).map(|index| index as usize);
        let game = index.and_then(|index| self.games.get_mut(index));
        game.ok_or_else(|| damaged(format!("there is no game {number}")))
    }

    fn pending_mut(&mut self, number: u32) -> Result<&mut Game, Damaged> {
        let game = self.game_mut(number)?;
        if game.is_pending() {
            Ok(game)
        } else {
            Err(damaged(format!("game {number} is over")))
        }
    }
}

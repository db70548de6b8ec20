//! The answers to inputs: the entries that an input adds to the journal, or a refusal.

use mawe_rules::Side;
use mawe_wire::events::{
    EventCancelled, EventGameResult, EventGameSkipped, EventPlayerState, EventState,
};
use mawe_wire::ids::PlayerId;

use super::bounds::{FEWEST_PLAYERS, MOST_BYES, MOST_CHANGES};
use super::chance::{Chance, drawn_side, shuffle};
use super::entry::{Entry, Seat};
use super::state::{Event, GameOutcome};
use super::terms::{Format, Start};
use super::{arena, knockout, round_robin, series, simul, swiss};
use crate::rating::START_RATING;

/// One input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input<'a> {
    /// A person joins, or comes back.
    Join {
        /// The player.
        player: &'a PlayerId,
        /// The player's rating in the game and at the speed of the event.
        rating: f64,
        /// The group, if the event has groups: players of one are not paired with each other.
        group: Option<u32>,
    },
    /// A computer player is there to fill in; it joins if the event wants one ([`Event::wanted_fill_ins`]).
    FillIn {
        /// The player.
        player: &'a PlayerId,
        /// The player's rating in the game and at the speed of the event.
        rating: f64,
    },
    /// A player withdraws.
    Withdraw(&'a PlayerId),
    /// A player pauses.
    Pause(&'a PlayerId),
    /// A player's pause is over.
    Resume(&'a PlayerId),
    /// A player of a Swiss asks for a bye of half a point.
    AskBye {
        /// The player.
        player: &'a PlayerId,
        /// The round.
        round: u32,
    },
    /// The event is cancelled.
    Cancel(EventCancelled),
    /// A player has halved the clock in a game that is not over.
    Berserk {
        /// The game's number.
        game: u32,
        /// The player's side.
        side: Side,
    },
    /// The time of [`Event::due_ms`] has come.
    Tick,
    /// A game has ended.
    GameEnded {
        /// The game's number.
        game: u32,
        /// The result.
        result: EventGameResult,
        /// Whether the loser had not come: the match was called off because of one side.
        forfeit: bool,
    },
    /// A game could not be seated.
    GameSkipped {
        /// The game's number.
        game: u32,
        /// The reason.
        reason: EventGameSkipped,
        /// The side of the player with whom the reason lies; `None` if it is neither or both.
        side: Option<Side>,
    },
    /// The result of a game has changed after its end.
    Correct {
        /// The game's number.
        game: u32,
        /// The new result.
        result: EventGameResult,
    },
}

/// The reason for which an input is refused. The event is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The player has joined before.
    #[error("you have joined this event")]
    AlreadyIn,
    /// The player has not joined, or has withdrawn.
    #[error("you are not in this event")]
    NotIn,
    /// All places are taken.
    #[error("all places of this event are taken")]
    Full,
    /// The event is finished or cancelled.
    #[error("this event is over")]
    Over,
    /// The event has not begun.
    #[error("this event has not begun")]
    NotBegun,
    /// The event has begun, and its kind admits nobody later.
    #[error("this event has begun")]
    Begun,
    /// The kind of event, or its terms, do not have this.
    #[error("this event does not allow that")]
    NotAllowed,
    /// The player is not paused.
    #[error("you are not paused")]
    NotPaused,
    /// The player is paused.
    #[error("you are paused")]
    AlreadyPaused,
    /// There is no such game in the state that the change needs.
    #[error("there is no such game, or it is too early or too late for this")]
    NoSuchGame,
    /// The player has halved the clock in this game.
    #[error("you have halved your clock in this game")]
    AlreadyBerserk,
    /// The player has come and gone too often.
    #[error("you have joined, left, paused or resumed too often in this event")]
    TooManyChanges,
    /// The round is paired, is the last one, or does not exist.
    #[error("a bye can be asked for a coming round that is not the last one")]
    NoSuchRound,
    /// The player has asked for this bye, or for as many as there may be.
    #[error("you have asked for as many byes as you may")]
    TooManyByes,
}

impl Event {
    /// Decides about an input. The entries are to be appended to the journal in one piece behind the entries of this state; applied in
    /// order, they follow it. No entries mean that the input changes nothing, as an end of a game that is known.
    ///
    /// # Errors
    /// The refusal. Inputs of the clock and of games ([`Input::Tick`], [`Input::GameEnded`], [`Input::GameSkipped`]) and fill-ins are never
    /// refused for being late.
    pub fn decide(
        &self,
        now_ms: i64,
        input: &Input,
        chance: Chance,
    ) -> Result<Vec<Entry>, Refusal> {
        match *input {
            Input::Join {
                player,
                rating,
                group,
            } => self.join(player, rating, group),
            Input::FillIn { player, rating } => Ok(self.fill_in(now_ms, player, rating)),
            Input::Withdraw(player) => {
                let seat = self.present(player)?;
                self.may_change(seat)?;
                Ok(vec![Entry::Withdrawn { seat }])
            }
            Input::Pause(player) => {
                let seat = self.may_pause(player)?;
                match self.entrants[seat as usize].state {
                    EventPlayerState::Paused => Err(Refusal::AlreadyPaused),
                    _ => Ok(vec![Entry::Paused { seat }]),
                }
            }
            Input::Resume(player) => {
                let seat = self.may_pause(player)?;
                match self.entrants[seat as usize].state {
                    EventPlayerState::Paused => Ok(vec![Entry::Resumed { seat }]),
                    _ => Err(Refusal::NotPaused),
                }
            }
            Input::AskBye { player, round } => self.ask_bye(player, round),
            Input::Cancel(reason) => {
                self.expect_going()?;
                Ok(vec![Entry::Cancelled { reason }])
            }
            Input::Berserk { game, side } => self.berserk(game, side),
            Input::Tick => Ok(self.tick(now_ms, chance)),
            Input::GameEnded {
                game,
                result,
                forfeit,
            } => {
                let entry = Entry::Ended {
                    game,
                    result,
                    forfeit,
                };
                let absent = match result {
                    EventGameResult::First if forfeit => Some(Side::Second),
                    EventGameResult::Second if forfeit => Some(Side::First),
                    _ => None,
                };
                self.settled(game, entry, absent, false)
            }
            Input::GameSkipped { game, reason, side } => {
                let entry = Entry::Skipped { game, reason, side };
                let leaves = reason == EventGameSkipped::Absent;
                self.settled(game, entry, side, leaves)
            }
            Input::Correct { game, result } => self.correct(game, result),
        }
    }

    /// The time at which [`Input::Tick`] has work, in milliseconds since the Unix epoch; it may be past. `None` while the event waits for
    /// games alone, or is over.
    #[must_use]
    pub fn due_ms(&self) -> Option<i64> {
        match self.state {
            EventState::Coming => Some(match self.terms.start {
                Start::At { at_ms } => at_ms,
                Start::Full { players, .. } if self.players() >= players => self.moved_ms,
                Start::Full { until_ms, .. } => until_ms,
            }),
            EventState::Running => match self.terms.format {
                Format::Arena { .. } => arena::due_ms(self),
                Format::Swiss { .. } => swiss::due_ms(self),
                Format::RoundRobin { .. } => round_robin::due_ms(self),
                Format::Knockout => knockout::due_ms(self),
                Format::Simul => simul::due_ms(self),
                Format::Series { .. } => series::due_ms(self),
            },
            EventState::Finished | EventState::Cancelled => None,
        }
    }

    fn tick(&self, now_ms: i64, chance: Chance) -> Vec<Entry> {
        if self.due_ms().is_none_or(|due| now_ms < due) {
            return Vec::new();
        }
        match self.state {
            EventState::Coming => vec![self.begin_or_cancel(chance)],
            EventState::Running => match self.terms.format {
                Format::Arena { .. } => arena::tick(self, now_ms, chance),
                Format::Swiss { rounds } => swiss::tick(self, rounds),
                Format::RoundRobin { cycles } => round_robin::tick(self, cycles),
                Format::Knockout => knockout::tick(self, now_ms, chance),
                Format::Simul => simul::tick(self),
                Format::Series { games, best_of } => series::tick(self, games, best_of),
            },
            EventState::Finished | EventState::Cancelled => Vec::new(),
        }
    }

    fn begin_or_cancel(&self, chance: Chance) -> Entry {
        let wanted = match self.terms.start {
            Start::At { .. } => FEWEST_PLAYERS,
            Start::Full { players, .. } => players,
        };
        let host_is_there = self.entrants.first().is_some_and(super::Entrant::is_there);
        if self.players() < wanted || (self.terms.format == Format::Simul && !host_is_there) {
            return Entry::Cancelled {
                reason: EventCancelled::TooFewPlayers,
            };
        }
        let mut order = Vec::new();
        let mut top = None;
        match self.terms.format {
            Format::Arena { .. } | Format::Simul => {}
            Format::Swiss { .. } => top = Some(drawn_side(chance)),
            Format::RoundRobin { .. } => {
                order = self.active().collect();
                shuffle(&mut order, chance);
            }
            Format::Knockout => {
                order = self.active().collect();
                order.sort_by(|a, b| self.by_rating(*a, *b));
            }
            Format::Series { .. } => {
                order = self.active().collect();
                order.sort_by(|a, b| self.by_rating(*a, *b));
                top = Some(drawn_side(chance));
            }
        }
        Entry::Began { order, top }
    }

    fn join(
        &self,
        player: &PlayerId,
        rating: f64,
        group: Option<u32>,
    ) -> Result<Vec<Entry>, Refusal> {
        self.expect_going()?;
        let seat = self.seat_of(player);
        let state = seat
            .and_then(|seat| self.entrant(seat))
            .map(|one| one.state);
        if state.is_some_and(|state| state != EventPlayerState::Withdrawn) {
            return Err(Refusal::AlreadyIn);
        }
        if self.state == EventState::Running && !self.admits_late() {
            return Err(Refusal::Begun);
        }
        // Fill-ins take no place from people.
        if self.people() >= self.terms.max_players {
            return Err(Refusal::Full);
        }
        if let Some(seat) = seat {
            self.may_change(seat)?;
            return Ok(vec![Entry::Rejoined { seat }]);
        }
        // Every entrant keeps a seat, so that joining and leaving under many names has an end, too.
        if self.entrants.len() >= 2 * self.terms.max_players as usize + 100 {
            return Err(Refusal::Full);
        }
        // JSON keeps whole numbers exactly, so the state is the same after a replay.
        let rating = if rating.is_finite() {
            rating.round()
        } else {
            START_RATING
        };
        Ok(vec![Entry::Joined {
            player: player.clone(),
            rating,
            bot: false,
            group,
        }])
    }

    fn admits_late(&self) -> bool {
        match self.terms.format {
            Format::Arena { .. } => !self.closed,
            Format::Swiss { rounds } => self.round < rounds,
            Format::RoundRobin { .. }
            | Format::Knockout
            | Format::Simul
            | Format::Series { .. } => false,
        }
    }

    fn may_pause(&self, player: &PlayerId) -> Result<Seat, Refusal> {
        let seat = self.present(player)?;
        match self.terms.format {
            Format::Arena { .. } | Format::Swiss { .. } => self.may_change(seat).map(|()| seat),
            Format::RoundRobin { .. }
            | Format::Knockout
            | Format::Simul
            | Format::Series { .. } => Err(Refusal::NotAllowed),
        }
    }

    fn ask_bye(&self, player: &PlayerId, round: u32) -> Result<Vec<Entry>, Refusal> {
        let seat = self.present(player)?;
        let Format::Swiss { rounds } = self.terms.format else {
            return Err(Refusal::NotAllowed);
        };
        let asked = &self.entrants[seat as usize].asked;
        if round <= self.round || round >= rounds {
            Err(Refusal::NoSuchRound)
        } else if asked.contains(&round) || asked.len() >= MOST_BYES {
            Err(Refusal::TooManyByes)
        } else {
            Ok(vec![Entry::ByeAsked { seat, round }])
        }
    }

    fn berserk(&self, number: u32, side: Side) -> Result<Vec<Entry>, Refusal> {
        if !matches!(self.terms.format, Format::Arena { berserk: true, .. }) {
            return Err(Refusal::NotAllowed);
        }
        // A match goes on after its event was cancelled.
        self.expect_going()?;
        let game = self.game(number).filter(|game| game.is_pending());
        let game = game.ok_or(Refusal::NoSuchGame)?;
        if game.berserk[side] {
            return Err(Refusal::AlreadyBerserk);
        }
        Ok(vec![Entry::Berserk { game: number, side }])
    }

    /// The entries for a game that is over. A player who did not come is not paired again before coming back: `absent` has the side, and
    /// `leaves` whether the player cannot come back.
    fn settled(
        &self,
        game: u32,
        entry: Entry,
        absent: Option<Side>,
        leaves: bool,
    ) -> Result<Vec<Entry>, Refusal> {
        let game = self.game(game).ok_or(Refusal::NoSuchGame)?;
        if !game.is_pending() || self.state != EventState::Running {
            return Ok(Vec::new());
        }
        let mut entries = vec![entry];
        let gone = match absent {
            Some(side) => vec![game.seats[side]],
            // Nobody is named: it lies with both.
            None if leaves => vec![game.seats.first, game.seats.second],
            None => Vec::new(),
        };
        for seat in gone {
            let state = self.entrants[seat as usize].state;
            // Nobody would resume for a fill-in.
            let pauses = !self.is_fill_in(seat)
                && matches!(
                    self.terms.format,
                    Format::Arena { .. } | Format::Swiss { .. }
                );
            if leaves && state != EventPlayerState::Withdrawn {
                entries.push(Entry::Withdrawn { seat });
            } else if pauses && state == EventPlayerState::In {
                entries.push(Entry::Paused { seat });
            }
        }
        Ok(entries)
    }

    fn correct(&self, number: u32, result: EventGameResult) -> Result<Vec<Entry>, Refusal> {
        let game = self.game(number).ok_or(Refusal::NoSuchGame)?;
        if !matches!(self.state, EventState::Running | EventState::Finished) {
            return Err(Refusal::Over);
        }
        let corrected = GameOutcome::Ended {
            result,
            forfeit: false,
        };
        match game.outcome {
            GameOutcome::Pending => Err(Refusal::NoSuchGame),
            outcome if outcome == corrected => Ok(Vec::new()),
            GameOutcome::Ended { .. } | GameOutcome::Skipped { .. } => Ok(vec![Entry::Corrected {
                game: number,
                result,
            }]),
        }
    }

    fn expect_going(&self) -> Result<(), Refusal> {
        match self.state {
            EventState::Coming | EventState::Running => Ok(()),
            EventState::Finished | EventState::Cancelled => Err(Refusal::Over),
        }
    }

    /// The seat of a player who has not withdrawn, in an event that is not over.
    fn present(&self, player: &PlayerId) -> Result<Seat, Refusal> {
        self.expect_going()?;
        let seat = self.seat_of(player).ok_or(Refusal::NotIn)?;
        if self.entrants[seat as usize].is_there() {
            Ok(seat)
        } else {
            Err(Refusal::NotIn)
        }
    }

    fn may_change(&self, seat: Seat) -> Result<(), Refusal> {
        // The last change is kept for leaving.
        if self.entrants[seat as usize].changes < MOST_CHANGES {
            Ok(())
        } else {
            Err(Refusal::TooManyChanges)
        }
    }

    /// The number of the next game.
    pub(super) fn next_number(&self) -> u32 {
        u32::try_from(self.games.len() + 1).unwrap_or(u32::MAX)
    }

    /// The order by rating, the strongest first, and by seat.
    pub(super) fn by_rating(&self, a: Seat, b: Seat) -> std::cmp::Ordering {
        let rating = |seat: Seat| self.entrants[seat as usize].rating;
        rating(b).total_cmp(&rating(a)).then(a.cmp(&b))
    }
}

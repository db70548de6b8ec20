//! The state of an event: entrants, games, byes.

use std::collections::{BTreeMap, BTreeSet};

use mawe_rules::{BySide, Side};
use mawe_wire::TimeControl;
use mawe_wire::events::{
    EventCancelled, EventGameResult, EventGameSkipped, EventPlayerState, EventState,
};
use mawe_wire::ids::PlayerId;

use super::entry::{Bye, Points, Seat};
use super::terms::{Format, Terms};

/// The state of an event, a cache of its journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub(super) terms: Terms,
    pub(super) state: EventState,
    pub(super) cancelled: Option<EventCancelled>,
    pub(super) entrants: Vec<Entrant>,
    pub(super) seats: BTreeMap<PlayerId, Seat>,
    pub(super) games: Vec<Game>,
    /// The byes with their rounds, in the order of the rounds.
    pub(super) byes: Vec<(u32, Bye)>,
    /// Pairs of seats, the lower first, whose players do not play each other.
    pub(super) apart: BTreeSet<(Seat, Seat)>,
    /// The order of the draw ([`Entry::Began`](super::Entry::Began)).
    pub(super) order: Vec<Seat>,
    /// The side of the strongest player in the first round of a Swiss or the first game of a series.
    pub(super) top: Option<Side>,
    /// The latest round that was paired.
    pub(super) round: u32,
    /// The number of games that have neither ended nor been skipped.
    pub(super) pending: u32,
    /// Whether an arena pairs no more.
    pub(super) closed: bool,
    pub(super) began_ms: Option<i64>,
    /// The time of the latest entry by which players came or went.
    pub(super) moved_ms: i64,
    /// The time of the latest pairing.
    pub(super) paired_ms: i64,
    /// The time at which the latest game ended or was skipped.
    pub(super) ended_ms: i64,
    pub(super) finished_ms: Option<i64>,
}

/// A player of an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Entrant {
    /// The player.
    pub player: PlayerId,
    /// The rating at the time of joining.
    pub rating: f64,
    /// Whether it is a computer player that fills in.
    pub bot: bool,
    /// The group: players of one are not paired with each other.
    pub group: Option<u32>,
    /// The numbers of the player's games, in the order of the pairings.
    pub games: Vec<u32>,
    /// The state without regard to the results; [`Event::player_state`] knows the eliminated players.
    pub(super) state: EventPlayerState,
    /// The number of the player's games that have neither ended nor been skipped.
    pub(super) pending: u32,
    /// The time since which the player could be paired.
    pub(super) free_ms: i64,
    /// The rounds for which the player has asked for a bye.
    pub(super) asked: Vec<u32>,
    /// The number of times that the player has come, gone, paused or resumed.
    pub(super) changes: u32,
}

/// A game of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The number in the event, from 1.
    pub number: u32,
    /// The round.
    pub round: u32,
    /// The players.
    pub seats: BySide<Seat>,
    /// The time control, where it differs from the terms.
    pub time_control: Option<TimeControl>,
    /// The players who have halved their clocks.
    pub berserk: BySide<bool>,
    /// The state with the result.
    pub outcome: GameOutcome,
}

/// The outcome of a game of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameOutcome {
    /// It is about to begin, or is played.
    Pending,
    /// It has ended.
    Ended {
        /// The result.
        result: EventGameResult,
        /// Whether the loser had not come.
        forfeit: bool,
    },
    /// It is not played.
    Skipped {
        /// The reason.
        reason: EventGameSkipped,
        /// The side with which the reason lies.
        side: Option<Side>,
    },
}

impl Game {
    /// The side of a seat.
    #[must_use]
    pub fn side_of(&self, seat: Seat) -> Side {
        if self.seats.first == seat {
            Side::First
        } else {
            Side::Second
        }
    }

    /// The opponent of a seat.
    #[must_use]
    pub fn opponent_of(&self, seat: Seat) -> Seat {
        self.seats[self.side_of(seat).other()]
    }

    /// Whether the game has neither ended nor been skipped.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.outcome == GameOutcome::Pending
    }

    /// Whether both players have come and the result counts.
    #[must_use]
    pub fn is_played(&self) -> bool {
        match self.outcome {
            GameOutcome::Ended { result, forfeit } => {
                !forfeit && result != EventGameResult::CalledOff
            }
            GameOutcome::Pending | GameOutcome::Skipped { .. } => false,
        }
    }

    /// The points of a side by the usual count, one for a win; `None` while the game is pending. A game that is not played because its
    /// players do not play each other gives half a point to both; one that is not played because of one of them gives the other a point.
    #[must_use]
    pub fn points(&self, side: Side) -> Option<Points> {
        let winner = match self.outcome {
            GameOutcome::Pending => return None,
            GameOutcome::Ended { result, .. } => match result {
                EventGameResult::First => Side::First,
                EventGameResult::Second => Side::Second,
                EventGameResult::Drawn => return Some(Points::HALF),
                EventGameResult::CalledOff => return Some(Points::ZERO),
            },
            GameOutcome::Skipped { reason, side } => match (reason, side) {
                (EventGameSkipped::Apart, _) => return Some(Points::HALF),
                (_, Some(loser)) => loser.other(),
                (_, None) => return Some(Points::ZERO),
            },
        };
        Some(if winner == side {
            Points::ONE
        } else {
            Points::ZERO
        })
    }
}

impl Event {
    /// Makes an event with an empty journal.
    #[must_use]
    pub fn new(terms: Terms) -> Event {
        Event {
            terms,
            state: EventState::Coming,
            cancelled: None,
            entrants: Vec::new(),
            seats: BTreeMap::new(),
            games: Vec::new(),
            byes: Vec::new(),
            apart: BTreeSet::new(),
            order: Vec::new(),
            top: None,
            round: 0,
            pending: 0,
            closed: false,
            began_ms: None,
            moved_ms: 0,
            paired_ms: 0,
            ended_ms: 0,
            finished_ms: None,
        }
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> EventState {
        self.state
    }

    /// The reason for which the event was cancelled.
    #[must_use]
    pub fn cancelled(&self) -> Option<EventCancelled> {
        self.cancelled
    }

    /// The time of the beginning, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn began_ms(&self) -> Option<i64> {
        self.began_ms
    }

    /// The time at which the event was finished or cancelled, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn finished_ms(&self) -> Option<i64> {
        self.finished_ms
    }

    /// The time after which an arena that has begun pairs no more, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn closes_ms(&self) -> Option<i64> {
        let Format::Arena { duration_ms, .. } = self.terms.format else {
            return None;
        };
        Some(self.began_ms?.saturating_add(duration_ms))
    }

    /// The latest round that was paired, 0 before the first.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The seat of a player, also of one who has withdrawn.
    #[must_use]
    pub fn seat_of(&self, player: &PlayerId) -> Option<Seat> {
        self.seats.get(player).copied()
    }

    /// All entrants; the index is the seat.
    #[must_use]
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The entrant of a seat.
    #[must_use]
    pub fn entrant(&self, seat: Seat) -> Option<&Entrant> {
        self.entrants.get(seat as usize)
    }

    /// The number of players who have not withdrawn.
    #[must_use]
    pub fn players(&self) -> u32 {
        let there = self.entrants.iter().filter(|one| one.is_there());
        u32::try_from(there.count()).unwrap_or(u32::MAX)
    }

    /// All games, in the order of their numbers.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// The game with a number.
    #[must_use]
    pub fn game(&self, number: u32) -> Option<&Game> {
        self.games.get(number.checked_sub(1)? as usize)
    }

    /// The byes, with their rounds.
    #[must_use]
    pub fn byes(&self) -> &[(u32, Bye)] {
        &self.byes
    }

    /// The pending game of a player with the lowest number.
    #[must_use]
    pub fn pending_game_of(&self, seat: Seat) -> Option<&Game> {
        let entrant = self.entrant(seat)?;
        if entrant.pending == 0 {
            return None;
        }
        let mut games = entrant.games.iter().filter_map(|number| self.game(*number));
        games.find(|game| game.is_pending())
    }

    /// The reason, with the side, for which a pending game is not to be seated any more: a player has withdrawn since the pairing.
    #[must_use]
    pub fn skip_before_seating(&self, number: u32) -> Option<(EventGameSkipped, Option<Side>)> {
        let game = self.game(number).filter(|game| game.is_pending())?;
        let gone = game.seats.map(|seat| {
            self.entrant(seat)
                .is_none_or(|one| one.state == EventPlayerState::Withdrawn)
        });
        let side = match (gone.first, gone.second) {
            (false, false) => return None,
            (true, true) => None,
            (true, false) => Some(Side::First),
            (false, true) => Some(Side::Second),
        };
        Some((EventGameSkipped::Withdrawn, side))
    }

    /// The games of a seat, in the order of the pairings.
    pub(super) fn games_of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = &Game> {
        let numbers = self.entrant(seat).map_or(&[][..], |one| &one.games);
        numbers.iter().filter_map(|number| self.game(*number))
    }

    /// Whether the players of two seats do not play each other: they are of one group, or it was found at an earlier pairing.
    pub(super) fn are_apart(&self, a: Seat, b: Seat) -> bool {
        self.are_of_one_group(a, b) || self.were_apart(a, b)
    }

    /// Whether the players of two seats were found not to play each other.
    pub(super) fn were_apart(&self, a: Seat, b: Seat) -> bool {
        self.apart.contains(&(a.min(b), a.max(b)))
    }

    /// Whether the players of two seats are of one group.
    pub(super) fn are_of_one_group(&self, a: Seat, b: Seat) -> bool {
        let group = |seat| self.entrant(seat).and_then(|one| one.group);
        group(a).is_some_and(|of_a| group(b) == Some(of_a))
    }

    /// The seats of players who may be paired, whether or not they play at the moment.
    pub(super) fn active(&self) -> impl Iterator<Item = Seat> {
        let seats = (0..).zip(&self.entrants);
        seats.filter_map(|(seat, one)| (one.state == EventPlayerState::In).then_some(seat))
    }
}

impl Entrant {
    /// Whether the player has not withdrawn.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.state != EventPlayerState::Withdrawn
    }
}

//! A player as the Dutch system sees one: points, sides and floats of the rounds before.

use mawe_rules::Side;
use mawe_wire::events::{EventGameSkipped, EventPlayerState};

use crate::events::entry::{Points, Seat};
use crate::events::state::{Event, Game, GameOutcome};

/// A player who is to be paired.
#[derive(Debug, Clone)]
pub(super) struct Player {
    pub(super) seat: Seat,
    /// The number in the initial order by rating, from 1.
    pub(super) number: usize,
    pub(super) points: Points,
    /// The opponents who are not to be met again.
    pub(super) met: Vec<Seat>,
    /// The sides of the games that were played.
    pub(super) sides: Vec<Side>,
    /// The floats of the latest round and of the one before.
    pub(super) floats: [Float; 2],
    /// Whether the player may get a bye: nobody gets a point without a game twice.
    pub(super) may_have_bye: bool,
    /// The number of rounds without a game.
    pub(super) unplayed: u32,
}

/// A game in another score group, or points without a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float {
    None,
    Up,
    Down,
}

/// The strength of a preference for a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    None,
    Mild,
    Strong,
    Absolute,
}

impl Player {
    /// The games on the first side less those on the second.
    pub(super) fn difference(&self) -> i32 {
        let each = self.sides.iter().map(|side| match side {
            Side::First => 1,
            Side::Second => -1,
        });
        each.sum()
    }

    /// The side that the player should have next.
    pub(super) fn preference(&self) -> Option<Side> {
        match self.difference() {
            1.. => Some(Side::Second),
            ..=-1 => Some(Side::First),
            0 => self.sides.last().map(|side| side.other()),
        }
    }

    /// The strength of the preference.
    pub(super) fn strength(&self) -> Strength {
        let latest = self.sides.iter().rev();
        let repeated = matches!(latest.take(2).collect::<Vec<_>>()[..], [a, b] if a == b);
        match self.difference().abs() {
            2.. => Strength::Absolute,
            _ if repeated => Strength::Absolute,
            1 => Strength::Strong,
            _ if self.sides.is_empty() => Strength::None,
            _ => Strength::Mild,
        }
    }
}

/// The players of these seats, in the order of the pairing: by points, then by number.
pub(super) fn players(event: &Event, seats: &[Seat]) -> Vec<Player> {
    let numbers = numbers(event);
    let points = points_by_round(event);
    let mut players: Vec<Player> = seats
        .iter()
        .map(|seat| {
            let history = &points[*seat as usize];
            Player {
                seat: *seat,
                number: numbers[*seat as usize],
                points: history.last().copied().unwrap_or_default(),
                met: event
                    .games_of(*seat)
                    .filter(|game| counts_as_met(game))
                    .map(|game| game.opponent_of(*seat))
                    .collect(),
                sides: event
                    .games_of(*seat)
                    .filter(|game| game.is_played())
                    .map(|game| game.side_of(*seat))
                    .collect(),
                floats: [1, 2].map(|back| float(event, &points, *seat, back)),
                may_have_bye: !has_point_without_game(event, *seat),
                unplayed: unplayed(event, *seat),
            }
        })
        .collect();
    players.sort_by_key(|player| (std::cmp::Reverse(player.points), player.number));
    players
}

/// The number of each seat in the order by rating, from 1. Late players take their places, as FIDE allows; players who have left before they
/// took part have none.
fn numbers(event: &Event) -> Vec<usize> {
    let took_part = |seat: &Seat| {
        let entrant = event.entrant(*seat);
        entrant.is_some_and(|one| one.state == EventPlayerState::In || !one.games.is_empty())
            || event.byes.iter().any(|(_, bye)| bye.seat == *seat)
    };
    let seats = (0..).zip(event.entrants()).map(|(seat, _)| seat);
    let mut order: Vec<Seat> = seats.filter(took_part).collect();
    order.sort_by(|a, b| event.by_rating(*a, *b));
    let mut numbers = vec![0; event.entrants.len()];
    for (place, seat) in order.into_iter().enumerate() {
        numbers[seat as usize] = place + 1;
    }
    numbers
}

/// The points of each seat before the first round, after it, and so on to the latest one.
fn points_by_round(event: &Event) -> Vec<Vec<Points>> {
    let rounds = event.round as usize;
    let mut gains = vec![vec![0; rounds + 1]; event.entrants.len()];
    for game in &event.games {
        for side in Side::ALL {
            let points = game.points(side).unwrap_or_default();
            gains[game.seats[side] as usize][game.round as usize] += points.halves();
        }
    }
    for (round, bye) in &event.byes {
        gains[bye.seat as usize][*round as usize] += bye.points.halves();
    }
    let sums = gains.into_iter().map(|gains| {
        let sum = gains.into_iter().scan(0, |sum, gain| {
            *sum += gain;
            Some(Points::from_halves(*sum))
        });
        sum.collect()
    });
    sums.collect()
}

/// Whether the two are not to be paired again. A game to which one did not come was not played.
fn counts_as_met(game: &Game) -> bool {
    match game.outcome {
        GameOutcome::Pending => true,
        GameOutcome::Ended { forfeit, .. } => !forfeit,
        GameOutcome::Skipped { reason, .. } => reason == EventGameSkipped::Apart,
    }
}

fn float(event: &Event, points: &[Vec<Points>], seat: Seat, back: u32) -> Float {
    let Some(round) = (event.round + 1)
        .checked_sub(back)
        .filter(|round| *round > 0)
    else {
        return Float::None;
    };
    let before = |seat: Seat| points[seat as usize][round as usize - 1];
    let mut games = event.games_of(seat).rev();
    let game = games.find(|game| game.round == round && game.is_played());
    if let Some(game) = game {
        return match before(seat).cmp(&before(game.opponent_of(seat))) {
            std::cmp::Ordering::Greater => Float::Down,
            std::cmp::Ordering::Less => Float::Up,
            std::cmp::Ordering::Equal => Float::None,
        };
    }
    if points[seat as usize][round as usize] > before(seat) {
        Float::Down
    } else {
        Float::None
    }
}

/// Whether the player has had the points of a win without a game.
fn has_point_without_game(event: &Event, seat: Seat) -> bool {
    let byes = event.byes.iter().filter(|(_, bye)| bye.seat == seat);
    let mut games = event.games_of(seat).filter(|game| !game.is_played());
    byes.map(|(_, bye)| bye.points)
        .any(|points| points >= Points::ONE)
        || games.any(|game| game.points(game.side_of(seat)) == Some(Points::ONE))
}

fn unplayed(event: &Event, seat: Seat) -> u32 {
    let played = event.games_of(seat).filter(|game| game.is_played()).count();
    let played = u32::try_from(played).unwrap_or(u32::MAX);
    event.round.saturating_sub(played)
}

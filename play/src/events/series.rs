//! Series: two players meet in a number of games with the sides exchanged, and the games have one score.
//!
//! The sides of the first game are drawn at the beginning. A game is paired as soon as the one before it is over, also after one that was
//! called off or could not be seated, so the number of games bounds the series. A best of n ends when a player cannot be caught any more.

use mawe_rules::{BySide, Side};
use mawe_wire::events::EventGameSkipped;

use super::entry::{Entry, PairedGame, Points, Seat};
use super::state::{Event, GameOutcome};

/// The time of the next pairing, or of the end.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    (event.pending == 0).then_some(event.ended_ms)
}

/// Pairs the next game, or finishes.
pub(super) fn tick(event: &Event, games: u32, best_of: bool) -> Vec<Entry> {
    let [strong, weak] = event.order[..] else {
        return vec![Entry::Finished];
    };
    let players = BySide::new(strong, weak);
    let left = games.saturating_sub(event.round);
    let is_decided = left == 0 || (best_of && lead(event, players) > left * Points::ONE.halves());
    if is_decided
        || event.are_apart(strong, weak)
        || [strong, weak].into_iter().any(|seat| has_left(event, seat))
    {
        return vec![Entry::Finished];
    }
    let seats = seats_of_game(event, players);
    vec![Entry::Paired {
        round: event.round + 1,
        games: vec![PairedGame {
            number: event.next_number(),
            first: seats.first,
            second: seats.second,
            time_control: None,
        }],
        byes: Vec::new(),
    }]
}

/// Whether a player has lost the series whatever the score: by withdrawal, or by a game that was not seated because of this player.
pub(super) fn has_left(event: &Event, seat: Seat) -> bool {
    let is_there = event.entrant(seat).is_some_and(super::Entrant::is_there);
    let missed = event.games_of(seat).any(|game| match game.outcome {
        GameOutcome::Skipped { reason, side } => {
            reason != EventGameSkipped::Apart && side == Some(game.side_of(seat))
        }
        GameOutcome::Pending | GameOutcome::Ended { .. } => false,
    });
    !is_there || missed
}

/// The difference of the points of the two, in halves.
fn lead(event: &Event, players: BySide<Seat>) -> u32 {
    let points = players.map(|seat| {
        let games = event.games_of(seat);
        let points = games.filter_map(|game| game.points(game.side_of(seat)));
        points.map(Points::halves).sum::<u32>()
    });
    points.first.abs_diff(points.second)
}

/// The seats of the next game: the sides change with each game.
fn seats_of_game(event: &Event, players: BySide<Seat>) -> BySide<Seat> {
    let is_exchanged = event.round % 2 == 1;
    let starts_first = event.top.unwrap_or(Side::First) == Side::First;
    if starts_first == is_exchanged {
        BySide::new(players.second, players.first)
    } else {
        players
    }
}

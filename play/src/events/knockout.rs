//! Knockout: mini-matches; the loser is eliminated.
//!
//! A mini-match has two games with the sides exchanged. If they leave it even, two more games with half the time follow, and then a last
//! one whose sides are drawn: its draw wins for the second side, which moves later. The stronger player by the draw of the beginning
//! advances where none of it decides, because the last game was called off.

use mawe_rules::{BySide, Side};
use mawe_wire::TimeControl;
use mawe_wire::events::EventGameSkipped;

use super::bounds::PAUSE_MS;
use super::chance::{Chance, drawn_seats};
use super::entry::{Bye, Entry, PairedGame, Points, Seat};
use super::state::{Event, Game, GameOutcome};

/// The number of games of a mini-match after which an uneven score decides it.
const STAGES: [usize; 2] = [2, 4];

/// The course of a mini-match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    /// A game is pending.
    Playing,
    /// The next game, by its index, is to be paired.
    Next(usize),
    /// It is over; `None` if both players have left.
    Won(Option<Seat>),
}

/// The players of a place in the bracket, the stronger first; one alone has no opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    strong: Seat,
    weak: Option<Seat>,
}

/// The time of the next pairing, or of the end.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    if event.round == 0 {
        return Some(event.ended_ms);
    }
    let nodes = nodes(event);
    let next = nodes.iter().filter_map(|node| ready_ms(event, node)).min();
    if next.is_some() || event.pending > 0 {
        next
    } else if is_final(event) {
        Some(event.ended_ms)
    } else {
        Some(event.ended_ms.saturating_add(PAUSE_MS))
    }
}

/// Pairs the next games of the mini-matches that have had their pause, or the next round; or finishes.
pub(super) fn tick(event: &Event, now_ms: i64, chance: Chance) -> Vec<Entry> {
    if event.round == 0 {
        return vec![pair_round(event, &event.order)];
    }
    let nodes = nodes(event);
    let mut games = Vec::new();
    for node in &nodes {
        let (Course::Next(index), Some(weak)) = (course(event, node), node.weak) else {
            continue;
        };
        if ready_ms(event, node).is_some_and(|ready| ready <= now_ms) {
            let number = event.next_number() + u32::try_from(games.len()).unwrap_or(0);
            games.push(next_game(event, number, node.strong, weak, index, chance));
        }
    }
    if !games.is_empty() {
        return vec![Entry::Paired {
            round: event.round,
            games,
            byes: Vec::new(),
        }];
    }
    if is_final(event) {
        return vec![Entry::Finished];
    }
    let winners: Vec<Seat> = nodes
        .iter()
        .filter_map(|node| match course(event, node) {
            Course::Won(winner) => winner,
            Course::Playing | Course::Next(_) => None,
        })
        .collect();
    if winners.is_empty() {
        return vec![Entry::Finished];
    }
    vec![pair_round(event, &winners)]
}

/// Whether the player has lost a mini-match.
pub(super) fn is_eliminated(event: &Event, seat: Seat) -> bool {
    let last = last_round(event, seat);
    if last == 0 {
        return false;
    }
    last < event.round
        || matches!(course_of(event, seat), Course::Won(winner) if winner != Some(seat))
}

/// The last round that the player has reached, one more with a won mini-match there.
pub(super) fn reached(event: &Event, seat: Seat) -> u32 {
    let last = last_round(event, seat);
    let won = last > 0 && last == event.round && course_of(event, seat) == Course::Won(Some(seat));
    last + u32::from(won)
}

/// Whether the latest round is the final.
fn is_final(event: &Event) -> bool {
    size(event) >> event.round.min(u32::BITS - 1) <= 1
}

/// The number of places of the bracket.
fn size(event: &Event) -> usize {
    event.order.len().next_power_of_two()
}

/// The round of the player's last game or bye; 0 without one.
fn last_round(event: &Event, seat: Seat) -> u32 {
    let game = event
        .games_of(seat)
        .next_back()
        .map_or(0, |game| game.round);
    let byes = event.byes.iter().filter(|(_, bye)| bye.seat == seat);
    byes.map(|(round, _)| *round).fold(game, u32::max)
}

/// The course of the mini-match that the player has in the latest round.
fn course_of(event: &Event, seat: Seat) -> Course {
    let games = event
        .games_of(seat)
        .filter(|game| game.round == event.round);
    let opponent = games.map(|game| game.opponent_of(seat)).next();
    let Some(other) = opponent else {
        return Course::Won(Some(seat));
    };
    let node = if place(event, seat) < place(event, other) {
        Node {
            strong: seat,
            weak: Some(other),
        }
    } else {
        Node {
            strong: other,
            weak: Some(seat),
        }
    };
    course(event, &node)
}

/// The place of a seat in the order of the draw, the strongest first.
fn place(event: &Event, seat: Seat) -> usize {
    let found = event.order.iter().position(|other| *other == seat);
    found.unwrap_or(usize::MAX)
}

/// The nodes of the latest round.
fn nodes(event: &Event) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let games = event.games.iter().filter(|game| game.round == event.round);
    for game in games {
        let BySide { first, second } = game.seats;
        let (strong, weak) = if place(event, first) < place(event, second) {
            (first, second)
        } else {
            (second, first)
        };
        let node = Node {
            strong,
            weak: Some(weak),
        };
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    let byes = event.byes.iter().filter(|(round, _)| *round == event.round);
    nodes.extend(byes.map(|(_, bye)| Node {
        strong: bye.seat,
        weak: None,
    }));
    nodes
}

fn course(event: &Event, node: &Node) -> Course {
    let Some(weak) = node.weak else {
        return Course::Won(Some(node.strong));
    };
    let games: Vec<&Game> = event
        .games_of(node.strong)
        .filter(|game| game.round == event.round && game.opponent_of(node.strong) == weak)
        .collect();
    if games.iter().any(|game| game.is_pending()) {
        return Course::Playing;
    }
    let total = |seat: Seat, games: &[&Game]| {
        let points = games
            .iter()
            .filter_map(|game| game.points(game.side_of(seat)));
        points.map(Points::halves).sum::<u32>()
    };
    for stage in STAGES {
        if let Some(played) = games.get(..stage) {
            let (strong, weaker) = (total(node.strong, played), total(weak, played));
            if strong != weaker {
                let winner = if strong > weaker { node.strong } else { weak };
                return Course::Won(Some(winner));
            }
        }
    }
    if let Some(last) = games.get(STAGES[1]) {
        return Course::Won(Some(winner_of_last(last, node.strong)));
    }
    let strong_left = has_left(event, node.strong, &games);
    match (strong_left, has_left(event, weak, &games)) {
        (true, true) => Course::Won(None),
        (true, false) => Course::Won(Some(weak)),
        (false, true) => Course::Won(Some(node.strong)),
        (false, false) => Course::Next(games.len()),
    }
}

/// The winner of the last game of a mini-match.
fn winner_of_last(game: &Game, strong: Seat) -> Seat {
    let points = [Side::First, Side::Second].map(|side| game.points(side).unwrap_or_default());
    match points[0].cmp(&points[1]) {
        std::cmp::Ordering::Greater => game.seats.first,
        std::cmp::Ordering::Less => game.seats.second,
        std::cmp::Ordering::Equal if game.is_played() => game.seats.second,
        std::cmp::Ordering::Equal => strong,
    }
}

/// Whether a player has withdrawn, or could not come to a game of the mini-match.
fn has_left(event: &Event, seat: Seat, games: &[&Game]) -> bool {
    let is_there = event.entrant(seat).is_some_and(super::Entrant::is_there);
    let missed = |game: &&Game| match game.outcome {
        GameOutcome::Skipped { reason, side } => {
            reason != EventGameSkipped::Apart && side == Some(game.side_of(seat))
        }
        GameOutcome::Pending | GameOutcome::Ended { .. } => false,
    };
    !is_there || games.iter().any(missed)
}

/// The time at which the next game of a mini-match is paired; `None` if there is none, or one is pending.
fn ready_ms(event: &Event, node: &Node) -> Option<i64> {
    let (Course::Next(_), Some(weak)) = (course(event, node), node.weak) else {
        return None;
    };
    let free = [node.strong, weak].map(|seat| event.entrant(seat).map_or(0, |one| one.free_ms));
    Some(free[0].max(free[1]).saturating_add(PAUSE_MS))
}

/// Pairs a round among these players: those whose places in the bracket are neighbours. One without an opponent has a bye. If
/// all have left, the event is finished.
fn pair_round(event: &Event, players: &[Seat]) -> Entry {
    let slots = slots(size(event));
    let round = event.round + 1;
    let mut meeting: Vec<(usize, Vec<Seat>)> = Vec::new();
    let mut ranked = players.to_vec();
    ranked.sort_by_key(|seat| (place(event, *seat), *seat));
    // In a damaged journal a player may have won two mini-matches of a round.
    ranked.dedup();
    for seat in ranked {
        let slot = slots.get(place(event, seat)).copied().unwrap_or(0);
        let node = slot >> round.min(u32::BITS - 1);
        match meeting.iter_mut().find(|(other, _)| *other == node) {
            Some((_, there)) => there.push(seat),
            None => meeting.push((node, vec![seat])),
        }
    }
    let (mut games, mut byes) = (Vec::new(), Vec::new());
    for (_, players) in meeting {
        let there = |seat: &Seat| event.entrant(*seat).is_some_and(super::Entrant::is_there);
        let here: Vec<Seat> = players.iter().copied().filter(there).collect();
        match here[..] {
            [strong, weak, ..] => games.push(PairedGame {
                number: event.next_number() + u32::try_from(games.len()).unwrap_or(0),
                first: strong,
                second: weak,
                time_control: None,
            }),
            [seat] => byes.push(Bye {
                seat,
                points: Points::ZERO,
            }),
            [] => {}
        }
    }
    if games.is_empty() && byes.is_empty() {
        return Entry::Finished;
    }
    Entry::Paired { round, games, byes }
}

/// The slot in the bracket of each place of the order: the best two can meet in the final alone, the best four in the semifinals.
fn slots(size: usize) -> Vec<usize> {
    let mut ranks = vec![0];
    while ranks.len() < size {
        let all = 2 * ranks.len() - 1;
        ranks = ranks.iter().flat_map(|rank| [*rank, all - rank]).collect();
    }
    let mut slots = vec![0; ranks.len()];
    for (slot, rank) in ranks.into_iter().enumerate() {
        slots[rank] = slot;
    }
    slots
}

fn next_game(
    event: &Event,
    number: u32,
    strong: Seat,
    weak: Seat,
    index: usize,
    chance: Chance,
) -> PairedGame {
    let seats = match index {
        0 | 3 => BySide::new(strong, weak),
        1 | 2 => BySide::new(weak, strong),
        _ => drawn_seats(strong, weak, chance),
    };
    let shorter = (index >= STAGES[0]).then(|| shorter(event.terms.time_control));
    PairedGame {
        number,
        first: seats.first,
        second: seats.second,
        time_control: shorter.filter(|control| *control != event.terms.time_control),
    }
}

/// Half of the time, as far as it may be played.
fn shorter(control: TimeControl) -> TimeControl {
    match control {
        TimeControl::Realtime {
            base_ms,
            increment_ms,
        } => {
            let base_ms = base_ms / 2_000 * 1_000;
            TimeControl::Realtime {
                base_ms: base_ms.max(*TimeControl::BASE_MS.start()),
                increment_ms: increment_ms / 2_000 * 1_000,
            }
        }
        TimeControl::Correspondence { days } => TimeControl::Correspondence {
            days: (days / 2).max(*TimeControl::DAYS.start()),
        },
        TimeControl::Unlimited => TimeControl::Unlimited,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_late() {
        // The ranks in the order of their slots.
        let ranks = |size: usize| {
            let slots = slots(size);
            let mut ranks: Vec<usize> = (0..size).collect();
            ranks.sort_by_key(|rank| slots[*rank]);
            ranks
        };
        assert_eq!(ranks(1), [0]);
        assert_eq!(ranks(2), [0, 1]);
        assert_eq!(ranks(4), [0, 3, 1, 2]);
        assert_eq!(ranks(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn shorter_games_have_half_the_time_within_the_limits() {
        let table = [
            ((180_000, 2_000), (90_000, 1_000)),
            ((15_000, 3_000), (10_000, 1_000)),
            ((10_000, 0), (10_000, 0)),
        ];
        for (from, to) in table {
            let realtime = |(base_ms, increment_ms)| TimeControl::Realtime {
                base_ms,
                increment_ms,
            };
            assert_eq!(shorter(realtime(from)), realtime(to));
            assert!(shorter(realtime(from)).check().is_ok());
        }
        let days = |days| TimeControl::Correspondence { days };
        assert_eq!([1, 3, 14].map(days).map(shorter), [1, 1, 7].map(days));
    }
}

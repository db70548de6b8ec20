//! Swiss: a number of rounds, each among players with similar points who have not met, by the Dutch system of FIDE (Handbook C.04.3).

use mawe_rules::Side;
use mawe_wire::events::EventGameSkipped;

use self::dutch::Pairing;
use self::player::Player;
use super::bounds::PAUSE_MS;
use super::entry::{Bye, Entry, PairedGame, Points, Seat};
use super::state::Event;
use super::terms::Format;

mod bracket;
mod dutch;
mod field;
mod matching;
mod player;
mod sides;
mod weights;

/// The time of the next pairing, or of the end.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    let Format::Swiss { rounds } = event.terms.format else {
        return None;
    };
    let pause = if event.round == 0 || event.round >= rounds {
        0
    } else {
        PAUSE_MS
    };
    (event.pending == 0).then(|| event.ended_ms.saturating_add(pause))
}

/// Pairs the next round; finishes after the last one, or if no pairing is possible by the absolute criteria.
pub(super) fn tick(event: &Event, rounds: u32) -> Vec<Entry> {
    let is_empty = event.active().all(|seat| event.is_fill_in(seat));
    if event.round >= rounds || is_empty || event.active().nth(1).is_none() {
        return vec![Entry::Finished];
    }
    let round = event.round + 1;
    let asks = |seat: &Seat| {
        event
            .entrant(*seat)
            .is_some_and(|one| one.asked.contains(&round))
    };
    let (excused, seats): (Vec<Seat>, Vec<Seat>) = event.active().partition(asks);
    let mut byes: Vec<Bye> = excused
        .into_iter()
        .map(|seat| Bye {
            seat,
            points: Points::HALF,
        })
        .collect();
    let Some((players, pairing)) = pairing(event, seats) else {
        return vec![Entry::Finished];
    };
    let top = event.top.unwrap_or(Side::First);
    let numbers = event.next_number()..;
    let games = numbers.zip(&pairing.pairs).map(|(number, (high, low))| {
        let seats = sides::seated(&players[*high], &players[*low], top);
        PairedGame {
            number,
            first: seats.first,
            second: seats.second,
            time_control: None,
        }
    });
    let games: Vec<PairedGame> = games.collect();
    byes.extend(pairing.bye.map(|bye| Bye {
        seat: players[bye].seat,
        points: Points::ONE,
    }));
    let skipped = not_played(event, &games);
    let mut entries = vec![Entry::Paired { round, games, byes }];
    entries.extend(skipped);
    entries
}

/// The games of a round that are not played because both players are of one group: there was no other pairing.
fn not_played(event: &Event, games: &[PairedGame]) -> Vec<Entry> {
    let of_one_group = |game: &&PairedGame| event.are_of_one_group(game.first, game.second);
    let skipped = games
        .iter()
        .filter(of_one_group)
        .map(|game| Entry::Skipped {
            game: game.number,
            reason: EventGameSkipped::Apart,
            side: None,
        });
    skipped.collect()
}

/// The players of the round, with their pairs: those of one group meet only if there is no other pairing.
fn pairing(event: &Event, seats: Vec<Seat>) -> Option<(Vec<Player>, Pairing)> {
    let (mut fill_ins, people): (Vec<Seat>, Vec<Seat>) =
        seats.into_iter().partition(|seat| event.is_fill_in(*seat));
    // Those with the fewest games play first.
    fill_ins.sort_by_key(|seat| (event.games_of(*seat).count(), *seat));
    let has_groups = event.entrants.iter().any(|one| one.group.is_some());
    let strict = pairing_of(event, &people, &fill_ins, |a, b| event.are_apart(a, b));
    if strict.is_some() || !has_groups {
        return strict;
    }
    pairing_of(event, &people, &fill_ins, |a, b| event.were_apart(a, b))
}

/// The players of the round, with their pairs. Of the fill-ins some sit out: one if it makes the number even, and two more each time that there
/// is no pairing in which each of them meets a person. `None` if there is no pairing without them either.
fn pairing_of(
    event: &Event,
    people: &[Seat],
    fill_ins: &[Seat],
    are_apart: impl Fn(Seat, Seat) -> bool,
) -> Option<(Vec<Player>, Pairing)> {
    let apart = |a: &Player, b: &Player| {
        let are_fill_ins = event.is_fill_in(a.seat) && event.is_fill_in(b.seat);
        are_fill_ins || are_apart(a.seat, b.seat)
    };
    let most = fill_ins.len().min(people.len());
    let mut playing = most.saturating_sub((people.len() + most) % 2);
    loop {
        for chosen in choices(fill_ins, playing, people.len() <= FEW_PEOPLE) {
            let mut seats = people.to_vec();
            seats.extend(chosen);
            seats.sort_unstable();
            let players = player::players(event, &seats);
            if let Some(pairing) = dutch::pair(&players, apart) {
                return Some((players, pairing));
            }
        }
        if playing == 0 {
            return None;
        }
        playing = playing.saturating_sub(2);
    }
}

/// Up to so many people every choice of fill-ins is tried: one of few games may have met all whom another one has not. Of more people none
/// has met nearly all, and each try takes long.
const FEW_PEOPLE: usize = 32;

/// The choices of `count` fill-ins, the first ones first; without `all` these alone.
fn choices(fill_ins: &[Seat], count: usize, all: bool) -> impl Iterator<Item = Vec<Seat>> {
    let sets = 1_u32 << fill_ins.len();
    let sets = (0..sets).filter(move |set| set.count_ones() as usize == count);
    let chosen = move |set: u32| {
        let seats = (0..).zip(fill_ins);
        let seats = seats.filter(|(place, _): &(u32, _)| set >> place & 1 == 1);
        seats.map(|(_, seat)| *seat).collect()
    };
    sets.map(chosen).take(if all { usize::MAX } else { 1 })
}

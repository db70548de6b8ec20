//! Swiss: a number of rounds, each among players with similar points who have not met, by the Dutch system of FIDE (Handbook C.04.3).

use mawe_rules::Side;

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
    let games = games.collect();
    byes.extend(pairing.bye.map(|bye| Bye {
        seat: players[bye].seat,
        points: Points::ONE,
    }));
    vec![Entry::Paired { round, games, byes }]
}

/// The players of the round, with their pairs. Of the fill-ins some sit out: one if it makes the number even, and two more each time that there is no pairing in
/// which each of them meets a person. `None` if there is no pairing without them either.
fn pairing(event: &Event, seats: Vec<Seat>) -> Option<(Vec<Player>, Pairing)> {
    let (mut fill_ins, people): (Vec<Seat>, Vec<Seat>) =
        seats.into_iter().partition(|seat| event.is_fill_in(*seat));
    // Those with the fewest games play first.
    fill_ins.sort_by_key(|seat| (event.games_of(*seat).count(), *seat));
    let apart = |a: &Player, b: &Player| {
        let are_fill_ins = event.is_fill_in(a.seat) && event.is_fill_in(b.seat);
        are_fill_ins || event.are_apart(a.seat, b.seat)
    };
    let most = fill_ins.len().min(people.len());
    let mut playing = most.saturating_sub((people.len() + most) % 2);
    loop {
        let mut seats = people.clone();
        seats.extend(&fill_ins[..playing]);
        seats.sort_unstable();
        let players = player::players(event, &seats);
        if let Some(pairing) = dutch::pair(&players, apart) {
            return Some((players, pairing));
        }
        if playing == 0 {
            return None;
        }
        playing = playing.saturating_sub(2);
    }
}

//! The rules of fill-ins: their number, their opponents, and the places of people.

use std::collections::BTreeSet;

use super::ledger::Ledger;
use super::rules::{may_be_next, may_meet_once};
use crate::events::{Bye, Event, Format, Input, PairedGame, Points, Refusal, Seat, Start};

/// The greatest number of fill-ins of an event.
const MOST: usize = 8;

/// The time for which a person of an arena waits for people.
const WAIT_MS: i64 = 10_000;

/// A person is refused a place only where people have all of them.
pub(super) fn check_refusal(event: &Event, input: &Input, refusal: Refusal) {
    if !matches!(input, Input::Join { .. }) || refusal != Refusal::Full {
        return;
    }
    let entrants = event.entrants().iter();
    let people = entrants.filter(|one| one.is_there() && !one.bot).count();
    let places = event.terms().max_players as usize;
    assert_eq!(people, places, "a fill-in has the place of a person");
}

/// Checks a fill-in that is about to join.
pub(super) fn check_join(ledger: &Ledger, at_ms: i64) {
    let fill_to = ledger.fill_to.expect("an event with fill-ins") as usize;
    assert!(all(ledger) < MOST, "one fill-in too many");
    let makes_even = is_swiss(ledger) && has_odd_round(ledger);
    if ledger.began_with > 0 {
        let has_one = fill_ins(ledger).next().is_some();
        assert!(makes_even && !has_one, "a late fill-in without need");
        return;
    }
    assert!(ledger.people() >= least_people(ledger), "too few have come");
    if let Start::At { at_ms: start_ms } = ledger.start {
        assert!(at_ms >= start_ms, "a fill-in before the start");
    }
    assert!(
        ledger.present().count() < fill_to || makes_even,
        "a fill-in without need"
    );
}

/// Fill-ins begin no event, and all that are wanted have come to one that begins. In a Swiss one fewer may come, for an even number.
pub(super) fn check_begin(ledger: &Ledger) {
    let people = ledger.people();
    assert!(people >= least_people(ledger), "too few people");
    let Some(fill_to) = ledger.fill_to else {
        return;
    };
    let wanted = (fill_to as usize).min(people + MOST);
    let here = ledger.present().count() + usize::from(is_swiss(ledger));
    assert!(here >= wanted, "{here} of {wanted} players");
}

/// Checks a pairing before it is entered.
pub(super) fn check_pairing(ledger: &Ledger, at_ms: i64, games: &[PairedGame], byes: &[Bye]) {
    for game in games {
        let mut seats = [game.first, game.second].into_iter();
        let are_two = seats.all(|seat| ledger.is_fill_in(seat));
        assert!(!are_two, "two fill-ins in {game:?}");
    }
    let mut without = byes.iter().map(|bye| bye.seat);
    assert!(!without.any(|seat| ledger.is_fill_in(seat)), "{byes:?}");
    match ledger.format {
        Format::Arena { .. } => check_arena(ledger, at_ms, games),
        Format::Swiss { .. } => check_swiss(ledger, games, byes),
        Format::RoundRobin { .. } | Format::Knockout | Format::Simul | Format::Series { .. } => {
            assert_eq!(all(ledger), 0, "a kind without fill-ins");
        }
    }
}

/// People are paired with people first, and one plays a fill-in after a wait, or if there is nobody else.
fn check_arena(ledger: &Ledger, at_ms: i64, games: &[PairedGame]) {
    let (filled, of_people): (Vec<&PairedGame>, Vec<&PairedGame>) = games
        .iter()
        .partition(|game| ledger.is_fill_in(game.first) || ledger.is_fill_in(game.second));
    let playing: BTreeSet<Seat> = of_people
        .iter()
        .flat_map(|game| [game.first, game.second])
        .collect();
    let left = people(ledger).filter(|seat| !playing.contains(seat) && !ledger.is_playing(*seat));
    let left: Vec<Seat> = left.collect();
    for (place, a) in left.iter().enumerate() {
        for b in &left[place + 1..] {
            let might = may_be_next(ledger, *a, *b);
            assert!(!might, "seats {a} and {b} are not paired with each other");
        }
    }
    for game in filled {
        let seats = [game.first, game.second].into_iter();
        for person in seats.filter(|seat| !ledger.is_fill_in(*seat)) {
            let has_waited = at_ms >= ledger.players[person as usize].free_ms + WAIT_MS;
            let mut others = people(ledger).filter(|other| *other != person);
            let is_expected = others.any(|other| may_be_next(ledger, person, other));
            assert!(has_waited || !is_expected, "{game:?} is too early");
        }
    }
}

/// Nobody has a bye who might have met a fill-in.
fn check_swiss(ledger: &Ledger, games: &[PairedGame], byes: &[Bye]) {
    let playing = games.iter().flat_map(|game| [game.first, game.second]);
    let playing: BTreeSet<Seat> = playing.filter(|seat| ledger.is_fill_in(*seat)).collect();
    check_first_round(ledger, &playing, byes);
    let Some(bye) = byes.iter().find(|bye| bye.points == Points::ONE) else {
        return;
    };
    assert!(playing.is_empty(), "a bye beside games of fill-ins");
    let has_come = fill_ins(ledger).next().is_some() || all(ledger) == MOST;
    assert!(ledger.fill_to.is_none() || has_come, "no fill-in has come");
    let might = fill_ins(ledger).find(|seat| may_meet_once(ledger, *seat, bye.seat));
    assert_eq!(might, None, "seat {} has a bye", bye.seat);
}

/// In the first round nothing but groups keeps fill-ins from playing: one each at most for the people, so that the number is even.
fn check_first_round(ledger: &Ledger, playing: &BTreeSet<Seat>, byes: &[Bye]) {
    let has_groups = ledger.players.iter().any(|player| player.group.is_some());
    if ledger.round > 0 || has_groups {
        return;
    }
    let excused = byes.iter().filter(|bye| bye.points == Points::HALF).count();
    let people = people(ledger).count() - excused;
    let most = fill_ins(ledger).count().min(people);
    let even = most.saturating_sub((people + most) % 2);
    assert_eq!(playing.len(), even, "the fill-ins of {people} people");
}

/// The number of fill-ins, also of those who have left.
fn all(ledger: &Ledger) -> usize {
    let players = ledger.players.iter();
    players.filter(|player| player.is_fill_in).count()
}

/// The fill-ins that may be paired.
fn fill_ins(ledger: &Ledger) -> impl Iterator<Item = Seat> {
    ledger.active().filter(|seat| ledger.is_fill_in(*seat))
}

/// The people who may be paired.
fn people(ledger: &Ledger) -> impl Iterator<Item = Seat> {
    ledger.active().filter(|seat| !ledger.is_fill_in(*seat))
}

fn is_swiss(ledger: &Ledger) -> bool {
    matches!(ledger.format, Format::Swiss { .. })
}

/// The fewest people with whom the event begins.
fn least_people(ledger: &Ledger) -> usize {
    match ledger.start {
        Start::At { .. } => 1,
        Start::Full { players, .. } => players as usize,
    }
}

/// Whether the number of players of the next round is odd.
fn has_odd_round(ledger: &Ledger) -> bool {
    let asks = |seat: &Seat| ledger.asked.contains(&(ledger.round + 1, *seat));
    ledger.active().filter(|seat| !asks(seat)).count() % 2 == 1
}

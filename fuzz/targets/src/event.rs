//! Journals of events: the terms in the first line, and then an entry a line behind its time.

use std::collections::BTreeSet;

use mawe_play::events::{Entry, Event, Game, Input, Terms};
use mawe_wire::events::EventState;

/// Reads and applies each entry: one that cannot follow is refused and changes nothing, and the invariants hold after each other one. A
/// replay of what was applied gives the same state. Returns whether any entry was applied.
pub(crate) fn replay(text: &str) -> bool {
    let mut lines = text.lines();
    let terms = lines.next().map(serde_json::from_str::<Terms>);
    let Some(Ok(terms)) = terms else { return false };
    if terms.check().is_err() {
        return false;
    }
    let mut event = Event::new(terms);
    let mut applied: Vec<(i64, Entry)> = Vec::new();
    for (at_ms, entry) in lines.filter_map(parse) {
        let before = event.clone();
        if event.apply(at_ms, &entry).is_ok() {
            applied.push((at_ms, entry));
            check(&event);
        } else {
            assert_eq!(event, before, "{entry:?} was refused");
        }
    }
    check_next_step(&event);
    check_replay(&event, &applied);
    !applied.is_empty()
}

fn parse(line: &str) -> Option<(i64, Entry)> {
    let (at_ms, entry) = line.split_once(' ')?;
    Some((at_ms.parse().ok()?, Entry::read(entry).ok()?))
}

fn check(event: &Event) {
    let there = event.entrants().iter().filter(|one| one.is_there()).count();
    assert_eq!(event.players() as usize, there);
    for (place, game) in event.games().iter().enumerate() {
        assert_eq!(game.number as usize, place + 1);
        assert_ne!(game.seats.first, game.seats.second);
        check_players(event, game);
    }
    let is_over = matches!(event.state(), EventState::Finished | EventState::Cancelled);
    assert_eq!(event.finished_ms().is_some(), is_over);
}

/// Both players of a game know it.
fn check_players(event: &Event, game: &Game) {
    for seat in [game.seats.first, game.seats.second] {
        let entrant = event.entrant(seat).expect("a player");
        assert!(entrant.games.contains(&game.number));
        let pending = event.pending_game_of(seat).map(|game| game.number);
        let is_earlier = pending.is_some_and(|number| number <= game.number);
        assert!(is_earlier || !game.is_pending());
        assert!(event.player_state(seat).is_some());
    }
}

/// The standings can be computed, and the entries of the next step of the clock follow the state.
fn check_next_step(event: &Event) {
    let standings = event.standings();
    let seats: BTreeSet<u32> = standings.iter().map(|row| row.seat).collect();
    assert_eq!(seats.len(), standings.len());
    assert!(standings.is_sorted_by_key(|row| row.place));
    let now_ms = event.due_ms().unwrap_or(0);
    let entries = event.decide(now_ms, &Input::Tick, &mut |_| 0);
    let mut after = event.clone();
    for entry in entries.expect("a step of the clock is not refused") {
        assert_eq!(after.apply(now_ms, &entry), Ok(()), "{entry:?}");
    }
}

/// The entries as they are written again give the same state.
fn check_replay(event: &Event, applied: &[(i64, Entry)]) {
    let written = applied.iter().map(|(at_ms, entry)| {
        let again = Entry::read(&entry.write());
        (*at_ms, again.expect("our own entry"))
    });
    let written: Vec<(i64, Entry)> = written.collect();
    let entries = written.iter().map(|(at_ms, entry)| (*at_ms, entry));
    let again = Event::replay(event.terms().clone(), entries);
    assert_eq!(again.as_ref(), Ok(event));
}

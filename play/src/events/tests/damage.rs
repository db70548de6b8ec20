//! Journals that this program has not written: refused, or replayed to a state that can be read and decided about.

use fastrand::Rng;
use mawe_wire::ids::PlayerId;

use super::kinds::all_kinds;
use super::run::{Run, player};
use super::swiss::random_swiss;
use crate::events::{Entry, Event, Input, Terms};

/// Reads and applies the lines; a refused entry changes nothing. Then everything that reads a state is called.
fn read(terms: &Terms, lines: &[(i64, String)]) -> u32 {
    let mut event = Event::new(terms.clone());
    let mut accepted = 0;
    for (at_ms, line) in lines {
        let Ok(entry) = Entry::read(line) else {
            continue;
        };
        let before = event.clone();
        match event.apply(*at_ms, &entry) {
            Ok(()) => accepted += 1,
            Err(_) => assert_eq!(event, before, "{line} was refused"),
        }
    }
    let _ = event.standings();
    let seats = u32::try_from(event.entrants().len()).expect("few");
    for seat in 0..=seats {
        let _ = (event.player_state(seat), event.pending_game_of(seat));
    }
    for game in event.games() {
        let _ = event.skip_before_seating(game.number);
    }
    let ids: Vec<PlayerId> = (0..3).map(player).collect();
    let now = event.due_ms().unwrap_or(0);
    for input in [
        Input::Tick,
        Input::Withdraw(&ids[0]),
        Input::Pause(&ids[1]),
        Input::Berserk {
            game: 1,
            side: mawe_rules::Side::Second,
        },
        Input::GameEnded {
            game: 1,
            result: mawe_wire::events::EventGameResult::First,
            forfeit: true,
        },
    ] {
        let Ok(entries) = event.decide(now, &input, &mut |_| 0) else {
            continue;
        };
        let mut after = event.clone();
        for entry in entries {
            assert_eq!(after.apply(now, &entry), Ok(()), "{input:?}");
        }
    }
    accepted
}

/// Changes lines as a fault of a disk or a program might.
fn damage(rng: &mut Rng, lines: &mut Vec<(i64, String)>) {
    for _ in 0..rng.usize(1..4) {
        if lines.is_empty() {
            return;
        }
        let place = rng.usize(0..lines.len());
        match rng.u32(0..6) {
            0 => drop(lines.remove(place)),
            1 => lines.insert(place, lines[rng.usize(0..lines.len())].clone()),
            2 => {
                let other = rng.usize(0..lines.len());
                lines.swap(place, other);
            }
            3 => lines[place].0 = rng.i64(..),
            // A number within the entry.
            4 => {
                let number = [rng.u32(0..40), u32::MAX, 0, rng.u32(..)][rng.usize(0..4)];
                let text = &lines[place].1;
                let digits: Vec<usize> = text
                    .char_indices()
                    .filter(|(_, c)| c.is_ascii_digit())
                    .map(|(at, _)| at)
                    .collect();
                if let Some(at) = rng.choice(digits) {
                    lines[place].1 = format!("{}{number}{}", &text[..at], &text[at + 1..]);
                }
            }
            _ => {
                let text = &mut lines[place].1;
                let at = rng.usize(0..text.len());
                text.replace_range(at..=at, ["x", "{", "\"", "-", ""][rng.usize(0..5)]);
            }
        }
    }
}

#[test]
fn a_damaged_journal_never_panics() {
    let mut runs = Vec::new();
    for (seed, format) in (0..).zip(all_kinds()) {
        let mut run = Run::with_players(format, format.most_players().min(9), seed);
        run.replays = false;
        run.play(12, 20);
        runs.push(run);
    }
    runs.push(random_swiss(3, 20));
    let mut rng = Rng::with_seed(8);
    let mut accepted = 0;
    for run in &runs {
        let lines: Vec<(i64, String)> = run
            .journal
            .iter()
            .map(|(at_ms, entry)| (*at_ms, entry.write()))
            .collect();
        let whole = u32::try_from(lines.len()).expect("few");
        assert_eq!(read(run.event.terms(), &lines), whole);
        for _ in 0..120 {
            let mut damaged = lines.clone();
            damage(&mut rng, &mut damaged);
            accepted += read(run.event.terms(), &damaged);
        }
    }
    assert!(accepted > 0);
}

#[test]
fn the_journal_and_the_state_have_bounds() {
    let mut run = Run::with_players(crate::events::Format::Swiss { rounds: 3 }, 4, 1);
    run.replays = false;
    let id = player(0);
    let mut changes = 0;
    while run.input(&Input::Pause(&id)).is_ok() && run.input(&Input::Resume(&id)).is_ok() {
        changes += 2;
    }
    assert_eq!(changes, crate::events::MOST_CHANGES);
    // Players who come and go under new names end, too.
    let mut terms = super::run::terms(crate::events::Format::Knockout);
    terms.max_players = 4;
    let mut run = Run::new(terms, 1);
    run.replays = false;
    let mut joined = 0;
    for number in 0.. {
        let id = player(number);
        let join = Input::Join {
            player: &id,
            rating: f64::NAN,
            group: None,
        };
        if run.input(&join).is_err() {
            break;
        }
        joined += 1;
        run.input(&Input::Withdraw(&id)).expect("a player");
    }
    assert_eq!(joined, 108);
}

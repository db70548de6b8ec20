//! Simul: the host, seat 0, plays all others at the same time.

use super::entry::{Entry, PairedGame, Seat};
use super::state::Event;

/// The host's seat: the creator joins first.
pub const HOST: Seat = 0;

/// The time of the only pairing, or of the end.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    (event.round == 0 || event.pending == 0).then_some(event.ended_ms)
}

/// Pairs the host with all others, with the sides in turn; or finishes.
pub(super) fn tick(event: &Event) -> Vec<Entry> {
    if event.round > 0 {
        return vec![Entry::Finished];
    }
    let others = event.active().filter(|seat| *seat != HOST);
    let games = (event.next_number()..).zip(others).map(|(number, seat)| {
        let (first, second) = if number.is_multiple_of(2) {
            (seat, HOST)
        } else {
            (HOST, seat)
        };
        PairedGame {
            number,
            first,
            second,
            time_control: None,
        }
    });
    vec![Entry::Paired {
        round: 1,
        games: games.collect(),
        byes: Vec::new(),
    }]
}

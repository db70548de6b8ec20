//! Simul: the host, seat 0, plays all others at the same time.

use super::entry::{Entry, PairedGame, Seat};
use super::state::Event;

/// The host's seat: the creator joins first.
pub const HOST: Seat = 0;

/// The time of the only pairing, or of the end.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    (event.round == 0 || event.pending == 0).then_some(event.ended_ms)
}

/// Pairs the host with all others, with the sides in turn; or finishes, also if the host or all others have left before the pairing.
pub(super) fn tick(event: &Event) -> Vec<Entry> {
    let (host, others): (Vec<Seat>, Vec<Seat>) = event.active().partition(|seat| *seat == HOST);
    if event.round > 0 || host.is_empty() || others.is_empty() {
        return vec![Entry::Finished];
    }
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

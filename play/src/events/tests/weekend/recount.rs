//! The points of an event counted from the ledger, as `docs/events.md` has them.

use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventGameSkipped};

use super::ledger::{Course, Ledger, LedgerGame, Presence};
use crate::events::{Format, Seat};

/// The halves of points of each seat.
pub(super) fn points(ledger: &Ledger) -> Vec<Option<u32>> {
    let seats = 0..u32::try_from(ledger.players.len()).expect("few");
    let count = |seat| match ledger.format {
        Format::Arena { .. } => 2 * arena(ledger, seat),
        Format::RoundRobin { cycles } => round_robin(ledger, seat, cycles),
        Format::Swiss { .. } | Format::Knockout | Format::Simul | Format::Series { .. } => {
            usual(ledger, seat, |_| true)
        }
    };
    seats.map(|seat| Some(count(seat))).collect()
}

/// The points of an arena: two for a win, one for a draw, doubled after two wins in a row, and one more for a win with half of the time.
fn arena(ledger: &Ledger, seat: Seat) -> u32 {
    let (mut points, mut streak) = (0, 0);
    for game in ledger.games_of(seat) {
        let side = usize::from(game.seats[1] == seat);
        let (result, came) = match game.course {
            Course::Played(result) => (result, true),
            Course::Forfeit(result) => (result, false),
            Course::Running | Course::Skipped(..) => continue,
        };
        let factor = if streak > 1 { 2 } else { 1 };
        match (result, side) {
            (EventGameResult::CalledOff, _) => {}
            (EventGameResult::Drawn, _) => {
                points += factor;
                streak = 0;
            }
            (EventGameResult::First, 0) | (EventGameResult::Second, 1) => {
                points += 2 * factor;
                if came && game.berserk[side] {
                    points += 1;
                }
                streak += 1;
            }
            (EventGameResult::First | EventGameResult::Second, _) => streak = 0,
        }
    }
    points
}

/// One point for a win and half a point for a draw, over the games that count, and the byes.
fn usual(ledger: &Ledger, seat: Seat, counts: impl Fn(&LedgerGame) -> bool) -> u32 {
    let games = ledger.games_of(seat).filter(|game| counts(game));
    let byes = ledger.byes.iter().filter(|(_, player, _)| *player == seat);
    games.map(|game| halves(game, seat)).sum::<u32>()
        + byes.map(|(_, _, halves)| halves).sum::<u32>()
}

fn halves(game: &LedgerGame, seat: Seat) -> u32 {
    let is_first = game.seats[0] == seat;
    let won = |first: bool| if first == is_first { 2 } else { 0 };
    match game.course {
        Course::Played(result) | Course::Forfeit(result) => match result {
            EventGameResult::First => won(true),
            EventGameResult::Second => won(false),
            EventGameResult::Drawn => 1,
            EventGameResult::CalledOff => 0,
        },
        Course::Skipped(EventGameSkipped::Apart, _) => 1,
        Course::Skipped(_, Some(loser)) => won(loser == Side::Second),
        Course::Running | Course::Skipped(_, None) => 0,
    }
}

/// The games of a player who has left before the half of them count for nobody.
fn round_robin(ledger: &Ledger, seat: Seat, cycles: u32) -> u32 {
    let all = ledger.began_with.saturating_sub(1) * cycles as usize;
    let is_annulled = |seat: Seat| {
        let has_left = ledger.players[seat as usize].presence == Presence::Withdrawn;
        let played = ledger.games_of(seat).filter(|game| game.is_played());
        has_left && played.count() * 2 < all
    };
    usual(ledger, seat, |game| {
        !game.seats.into_iter().any(is_annulled)
    })
}

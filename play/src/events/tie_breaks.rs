//! The tie-breaks of Swiss and round robin (FIDE Handbook C.07).

use super::entry::{Points, Seat};
use super::standing::{Standing, TieBreak};
use super::state::Event;
use super::terms::Format;

/// The outcome of a round for a player, as the tie-breaks see it.
#[derive(Debug, Clone, Copy)]
struct Round {
    /// The opponent, if the game was played.
    opponent: Option<Seat>,
    points: Points,
}

/// Rows with the tie-breaks of the event. In a round robin the games of a player who has withdrawn before the half of them count for
/// nobody, as FIDE has it (Handbook C.06).
pub(super) fn rows(event: &Event) -> Vec<Standing> {
    let mut rows = event.rows_by(|_| Vec::new());
    let annulled: Vec<bool> = rows
        .iter()
        .map(|row| is_annulled(event, row.seat))
        .collect();
    let cards: Vec<Vec<Round>> = rows
        .iter()
        .map(|row| card(event, row.seat, &annulled))
        .collect();
    for row in &mut rows {
        row.points = sum(&cards[row.seat as usize]);
    }
    let points: Vec<Points> = rows.iter().map(|row| row.points).collect();
    for rule in event.tie_breaks() {
        let values: Vec<f64> = rows
            .iter()
            .map(|row| {
                let card = &cards[row.seat as usize];
                match rule {
                    TieBreak::Buchholz => buchholz(row, card, &points),
                    TieBreak::SonnebornBerger => sonneborn_berger(row, card, &points),
                    TieBreak::DirectEncounter => direct_encounter(row, &rows, &cards),
                    TieBreak::Wins => f64::from(row.won),
                    TieBreak::Performance | TieBreak::Round => 0.0,
                }
            })
            .collect();
        for (row, value) in rows.iter_mut().zip(values) {
            row.tie_breaks.push(value);
        }
    }
    rows
}

fn sum(card: &[Round]) -> Points {
    Points::from_halves(card.iter().map(|round| round.points.halves()).sum())
}

/// The rounds of a player. In a Swiss a round without a game or a bye has no points.
fn card(event: &Event, seat: Seat, annulled: &[bool]) -> Vec<Round> {
    let games = event.games_of(seat).filter_map(|game| {
        let opponent = game.opponent_of(seat);
        let counts = !annulled[opponent as usize] && !annulled[seat as usize];
        Some(Round {
            opponent: game.is_played().then_some(opponent),
            points: game.points(game.side_of(seat)).filter(|_| counts)?,
        })
    });
    let byes = event.byes.iter().filter(|(_, bye)| bye.seat == seat);
    let byes = byes.map(|(_, bye)| Round {
        opponent: None,
        points: bye.points,
    });
    let mut card: Vec<Round> = games.chain(byes).collect();
    if matches!(event.terms.format, Format::Swiss { .. }) {
        let missed = Round {
            opponent: None,
            points: Points::ZERO,
        };
        let pending = event.entrant(seat).map_or(0, |one| one.pending);
        card.resize(
            (event.round.saturating_sub(pending) as usize).max(card.len()),
            missed,
        );
    }
    card
}

/// Whether the games of a player of a round robin do not count.
fn is_annulled(event: &Event, seat: Seat) -> bool {
    let is_round_robin = matches!(event.terms.format, Format::RoundRobin { .. });
    let has_left = event.entrant(seat).is_some_and(|one| !one.is_there());
    if !is_round_robin || !has_left {
        return false;
    }
    let played = event.games_of(seat).filter(|game| game.is_played()).count();
    let super::Format::RoundRobin { cycles } = event.terms.format else {
        return false;
    };
    let all = event.order.len().saturating_sub(1) * cycles as usize;
    2 * played < all
}

/// The sum of values. That of none is 0: `sum` would make it the negative zero, which people read as "-0".
fn total(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |total, value| total + value)
}

/// The sum of the opponents' points. A round that the player has not played counts as one against an opponent with the player's own points.
fn buchholz(row: &Standing, card: &[Round], points: &[Points]) -> f64 {
    let of = |round: &Round| {
        round
            .opponent
            .map_or(row.points, |seat| points[seat as usize])
    };
    total(card.iter().map(|round| of(round).as_f64()))
}

/// The sum of the opponents' points, each times the points won against them; rounds without a game as for [`buchholz`].
fn sonneborn_berger(row: &Standing, card: &[Round], points: &[Points]) -> f64 {
    let of = |round: &Round| {
        round
            .opponent
            .map_or(row.points, |seat| points[seat as usize])
    };
    let terms = card
        .iter()
        .map(|round| of(round).as_f64() * round.points.as_f64());
    total(terms)
}

/// The points from the games among the players who are equal by the points and the tie-breaks before this one. If not all of them have met,
/// the rule does not tell them apart.
fn direct_encounter(row: &Standing, rows: &[Standing], cards: &[Vec<Round>]) -> f64 {
    let equal = |other: &&Standing| {
        other.seat != row.seat && other.points == row.points && other.tie_breaks == row.tie_breaks
    };
    let others: Vec<Seat> = rows.iter().filter(equal).map(|other| other.seat).collect();
    let all: Vec<Seat> = others.iter().copied().chain([row.seat]).collect();
    let met = |a: Seat, b: Seat| {
        cards[a as usize]
            .iter()
            .any(|round| round.opponent == Some(b))
    };
    let all_met = all
        .iter()
        .all(|a| all.iter().all(|b| a == b || met(*a, *b)));
    if others.is_empty() || !all_met {
        return 0.0;
    }
    let mine = cards[row.seat as usize].iter();
    let among = mine.filter(|round| round.opponent.is_some_and(|seat| others.contains(&seat)));
    total(among.map(|round| round.points.as_f64()))
}

//! Round robin: everybody plays everybody else, by the Berger tables of FIDE (Handbook C.05, annex 1).

use mawe_rules::{BySide, Side};
use mawe_wire::events::EventGameSkipped;

use super::bounds::PAUSE_MS;
use super::entry::{Entry, PairedGame, Seat};
use super::state::Event;

/// The time of the next pairing, or of the end. By correspondence the rounds are paired without waiting for each other.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    let all = all_rounds(event);
    if event.round < all && (event.round == 0 || !event.terms.time_control.is_realtime()) {
        Some(event.paired_ms)
    } else if event.pending > 0 {
        None
    } else if event.round < all {
        Some(event.ended_ms.saturating_add(PAUSE_MS))
    } else {
        Some(event.ended_ms)
    }
}

/// Pairs the next round, or finishes.
pub(super) fn tick(event: &Event, cycles: u32) -> Vec<Entry> {
    let here = event.order.iter().filter(|seat| is_there(event, **seat));
    if event.round >= all_rounds(event) || (event.pending == 0 && here.count() < 2) {
        return vec![Entry::Finished];
    }
    let round = event.round + 1;
    let mut games = Vec::new();
    for pair in pairs_of_round(event.order.len(), cycles, round) {
        let BySide { first, second } = pair.map(|place| event.order[place]);
        let number = event.next_number() + u32::try_from(games.len()).unwrap_or(0);
        games.push(PairedGame {
            number,
            first,
            second,
            time_control: None,
        });
    }
    let mut skipped = Vec::new();
    for game in &games {
        let side = match [game.first, game.second].map(|seat| is_there(event, seat)) {
            [true, true] => continue,
            [false, true] => Some(Side::First),
            [true, false] => Some(Side::Second),
            [false, false] => None,
        };
        skipped.push(Entry::Skipped {
            game: game.number,
            reason: EventGameSkipped::Withdrawn,
            side,
        });
    }
    let paired = Entry::Paired {
        round,
        games,
        byes: Vec::new(),
    };
    std::iter::once(paired).chain(skipped).collect()
}

fn is_there(event: &Event, seat: Seat) -> bool {
    event.entrant(seat).is_some_and(super::Entrant::is_there)
}

/// The number of rounds of a cycle.
fn rounds_of_cycle(players: usize) -> u32 {
    let even = players + players % 2;
    u32::try_from(even.saturating_sub(1)).unwrap_or(u32::MAX)
}

/// The number of rounds of all cycles.
pub(super) fn all_rounds(event: &Event) -> u32 {
    let super::Format::RoundRobin { cycles } = event.terms.format else {
        return 0;
    };
    rounds_of_cycle(event.order.len()).saturating_mul(cycles)
}

/// The pairs of a round, from 1, as places from 0. The second cycle is the first one with the sides exchanged. FIDE recommends to exchange the
/// last two rounds of the first cycle then: nobody has the same side three times in a row.
fn pairs_of_round(players: usize, cycles: u32, round: u32) -> Vec<BySide<usize>> {
    let each = rounds_of_cycle(players).max(1);
    let (cycle, place) = ((round - 1) / each, (round - 1) % each);
    let place = match each - place {
        1 if cycle == 0 && cycles > 1 && each >= 3 => place - 1,
        2 if cycle == 0 && cycles > 1 && each >= 3 => place + 1,
        _ => place,
    };
    let pairs = berger(players, place).into_iter();
    if cycle == 0 {
        pairs.collect()
    } else {
        pairs
            .map(|pair| BySide::new(pair.second, pair.first))
            .collect()
    }
}

/// The pairs of a round of the Berger table, as places from 0; rounds count from 0. With an odd number of players, the pair of the player
/// who has no opponent is left out.
fn berger(players: usize, round: u32) -> Vec<BySide<usize>> {
    let even = players + players % 2;
    if players < 2 {
        return Vec::new();
    }
    // All but the last player turn around a circle: in each round the places move by half of its length.
    let circle = even - 1;
    let half = even / 2;
    let start = round as usize * half % circle;
    let mut pairs = Vec::new();
    let fixed = even - 1;
    if round.is_multiple_of(2) {
        pairs.push(BySide::new(start, fixed));
    } else {
        pairs.push(BySide::new(fixed, start));
    }
    for step in 1..half {
        pairs.push(BySide::new(
            (start + step) % circle,
            (start + circle - step) % circle,
        ));
    }
    pairs.retain(|pair| pair.first < players && pair.second < players);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of FIDE, as published: a line for each round.
    const TABLES: [(usize, &str); 4] = [
        (4, "1-4 2-3|4-3 1-2|2-4 3-1"),
        (
            6,
            "1-6 2-5 3-4|6-4 5-3 1-2|2-6 3-1 4-5|6-5 1-4 2-3|3-6 4-2 5-1",
        ),
        (
            8,
            "1-8 2-7 3-6 4-5|8-5 6-4 7-3 1-2|2-8 3-1 4-7 5-6|8-6 7-5 1-4 2-3|3-8 4-2 5-1 6-7|8-7 1-6 2-5 3-4|4-8 5-3 6-2 7-1",
        ),
        (
            10,
            "1-10 2-9 3-8 4-7 5-6|10-6 7-5 8-4 9-3 1-2|2-10 3-1 4-9 5-8 6-7|10-7 8-6 9-5 1-4 2-3|3-10 4-2 5-1 6-9 7-8|10-8 9-7 1-6 2-5 3-4|4-10 5-3 6-2 7-1 8-9|10-9 1-8 2-7 3-6 4-5|5-10 6-4 7-3 8-2 9-1",
        ),
    ];

    #[test]
    fn the_tables_are_those_of_fide() {
        for (players, table) in TABLES {
            for (round, line) in (0..).zip(table.split('|')) {
                let written: Vec<String> = berger(players, round)
                    .iter()
                    .map(|pair| format!("{}-{}", pair.first + 1, pair.second + 1))
                    .collect();
                assert_eq!(written.join(" "), line, "{players} players, round {round}");
            }
        }
    }

    #[test]
    fn in_two_cycles_nobody_has_a_side_three_times_in_a_row() {
        for players in 3..=16 {
            let mut sides = vec![Vec::new(); players];
            let mut met = std::collections::BTreeSet::new();
            for round in 1..=2 * rounds_of_cycle(players) {
                for BySide { first, second } in pairs_of_round(players, 2, round) {
                    sides[first].push(Side::First);
                    sides[second].push(Side::Second);
                    assert!(met.insert((first, second)));
                }
            }
            assert_eq!(met.len(), players * (players - 1));
            for sides in sides {
                let first = sides.iter().filter(|side| **side == Side::First);
                assert_eq!(2 * first.count(), sides.len());
                if players.is_multiple_of(2) {
                    assert!(
                        !sides
                            .windows(3)
                            .any(|last| last[0] == last[1] && last[1] == last[2])
                    );
                }
            }
        }
    }

    #[test]
    fn everybody_meets_everybody_once_and_sides_are_even() {
        for players in 2..=16 {
            let mut met = std::collections::BTreeSet::new();
            let mut balance = vec![0i32; players];
            for round in 0..rounds_of_cycle(players) {
                let mut busy = std::collections::BTreeSet::new();
                for BySide { first, second } in berger(players, round) {
                    assert!(busy.insert(first) && busy.insert(second));
                    assert!(met.insert((first.min(second), first.max(second))));
                    balance[first] += 1;
                    balance[second] -= 1;
                }
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            let most = balance.iter().map(|one| one.abs()).max();
            assert!(most <= Some(1), "{players} players: {balance:?}");
        }
    }
}

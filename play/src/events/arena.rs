//! Arena: a fixed length of time, in which free players are paired by their standing again and again.

use std::cmp::Reverse;

use mawe_wire::TimeControl;
use mawe_wire::events::{EventGameResult, EventPlayerState};

use super::bounds::MOST_GAMES;
use super::chance::Chance;
use super::entry::{Entry, PairedGame, Points, Seat};
use super::standings::arena_sheets;
use super::state::{Event, Game};
use crate::pairing::{SideHistory, seat};

/// The time between two pairings, in milliseconds: players become free in the meantime, and find opponents nearer to them.
const PAIR_EVERY_MS: i64 = 2_000;

/// The longest time that the games of the end are waited for, in milliseconds.
const LONGEST_GRACE_MS: i64 = 10 * 60_000;

/// The number of entries that end games after the grace, in one append.
const CLOSED_AT_ONCE: usize = 500;

/// The number of opponents below a player that are considered.
const NEIGHBOURS: usize = 12;

/// The number of latest opponents that are avoided if others are near.
const REMEMBERED: usize = 3;

/// The cost of an opponent among the latest ones, in places of the standings; an earlier one costs less.
const AGAIN: usize = 6;

/// The time for which a person is kept for other people before a fill-in is the opponent, in milliseconds: people come to play people, and
/// a fill-in is always free.
const WAIT_FOR_PEOPLE_MS: i64 = 10_000;

/// The number of free players of one group among whom an opponent is looked for, to know whether there is a pair: a whole school may be one.
const OF_A_GROUP: usize = 32;

/// The number of pairs of left players for whom other pairs are split.
const MOST_SPLITS: usize = 64;

/// The cost of a game in excess on the same side for both, in places, and the number of such games that count.
const CLASH: usize = 1;
const MOST_CLASHES: i32 = 3;

/// The time of the next pairing, or of the end.
pub(super) fn due_ms(event: &Event) -> Option<i64> {
    let closes = event.closes_ms()?;
    if event.closed {
        return Some(if event.pending == 0 {
            event.ended_ms
        } else {
            closes.saturating_add(grace_ms(event))
        });
    }
    let pause = if event.round == 0 { 0 } else { PAIR_EVERY_MS };
    let next = event.paired_ms.saturating_add(pause);
    let pairs = (event.games.len() < MOST_GAMES)
        .then(|| pair_ms(event))
        .flatten();
    Some(pairs.map_or(closes, |from_ms| next.max(from_ms).min(closes)))
}

/// Pairs the free players; after the end, finishes when all games are over or the grace is.
pub(super) fn tick(event: &Event, now_ms: i64, chance: Chance) -> Vec<Entry> {
    let closes = event.closes_ms().unwrap_or(now_ms);
    if now_ms < closes && !event.closed {
        let games = pair(event, now_ms, chance);
        return if games.is_empty() {
            Vec::new()
        } else {
            vec![Entry::Paired {
                round: event.round.saturating_add(1),
                games,
                byes: Vec::new(),
            }]
        };
    }
    if !event.closed {
        return vec![Entry::Closed];
    }
    if event.pending == 0 {
        return vec![Entry::Finished];
    }
    let left = event.games.iter().filter(|game| game.is_pending());
    let mut entries: Vec<Entry> = left
        .take(CLOSED_AT_ONCE)
        .map(|game| Entry::Ended {
            game: game.number,
            result: EventGameResult::CalledOff,
            forfeit: false,
        })
        .collect();
    if entries.len() == event.pending as usize {
        entries.push(Entry::Finished);
    }
    entries
}

/// The time that the games of the end are waited for: both clocks with the increments of an average game.
fn grace_ms(event: &Event) -> i64 {
    let TimeControl::Realtime {
        base_ms,
        increment_ms,
    } = event.terms.time_control
    else {
        return LONGEST_GRACE_MS;
    };
    let each = base_ms.saturating_add(increment_ms.saturating_mul(40));
    i64::try_from(each.saturating_mul(2)).map_or(LONGEST_GRACE_MS, |ms| ms.min(LONGEST_GRACE_MS))
}

/// A free player.
struct Free {
    seat: Seat,
    /// The latest opponents, the last one first.
    latest: Vec<Seat>,
    sides: SideHistory,
    /// The time since which the player has been free.
    since: i64,
}

impl Free {
    /// Whether the latest game of one of the two was against the other.
    fn played_last(&self, other: &Free) -> bool {
        self.latest.first() == Some(&other.seat) || other.latest.first() == Some(&self.seat)
    }
}

fn is_free(event: &Event, seat: Seat) -> bool {
    let entrant = event.entrant(seat);
    entrant.is_some_and(|one| one.state == EventPlayerState::In && one.pending == 0)
}

/// Whether two free players may be paired. Two may meet again at once only if there is nobody else in the event.
fn may_meet(event: &Event, alone: bool, a: &Free, b: &Free) -> bool {
    !event.are_apart(a.seat, b.seat) && (alone || !a.played_last(b))
}

/// Whether only two players are in the event.
fn are_alone(event: &Event) -> bool {
    event.active().nth(2).is_none()
}

/// The time from which any two free players may be paired; `None` if it does not come by itself.
fn pair_ms(event: &Event) -> Option<i64> {
    let alone = are_alone(event);
    let mut before: Vec<Free> = Vec::new();
    // The places of the compared players: not all of a large group.
    let mut compared: Vec<usize> = Vec::new();
    // Each has one last opponent and few players apart, so the first players decide it, as a rule.
    for seat in free_seats(event, false) {
        let one = free(event, seat);
        let mut of_group = 0;
        for place in &compared {
            let other = &before[*place];
            if may_meet(event, alone, &one, other) {
                return Some(i64::MIN);
            }
            of_group += usize::from(event.are_of_one_group(seat, other.seat));
        }
        if of_group < OF_A_GROUP {
            compared.push(before.len());
        }
        before.push(one);
    }
    let fill_ins: Vec<Free> = free_seats(event, true)
        .map(|seat| free(event, seat))
        .collect();
    let meets_one = |one: &&Free| {
        let mut fill_ins = fill_ins.iter();
        fill_ins.any(|other| may_meet(event, alone, one, other))
    };
    let people = before.iter().filter(meets_one);
    people.map(|one| fill_in_ms(event, one)).min()
}

/// The free people, or the free fill-ins.
fn free_seats(event: &Event, fill_ins: bool) -> impl Iterator<Item = Seat> {
    let of_kind = move |seat: &Seat| event.is_fill_in(*seat) == fill_ins;
    let seats = event.active().filter(of_kind);
    seats.filter(|seat| is_free(event, *seat))
}

/// The time from which a free person is paired with a fill-in: at once where no other person in the event can be met.
fn fill_in_ms(event: &Event, one: &Free) -> i64 {
    let mut others = event
        .active()
        .filter(|seat| *seat != one.seat && !event.is_fill_in(*seat));
    let waits = others.any(|other| {
        let was_last = event
            .games_of(other)
            .next_back()
            .is_some_and(|game| game.opponent_of(other) == one.seat);
        !event.are_apart(one.seat, other) && one.latest.first() != Some(&other) && !was_last
    });
    if waits {
        one.since.saturating_add(WAIT_FOR_PEOPLE_MS)
    } else {
        i64::MIN
    }
}

fn free(event: &Event, seat: Seat) -> Free {
    let games = || event.games_of(seat).rev();
    Free {
        seat,
        latest: games()
            .take(REMEMBERED)
            .map(|game: &Game| game.opponent_of(seat))
            .collect(),
        sides: SideHistory::new(
            games()
                .filter(|game| game.is_played())
                .map(|game| game.side_of(seat)),
        ),
        since: event.entrant(seat).map_or(0, |one| one.free_ms),
    }
}

/// Pairs the free people with each other, and the rest, after a wait, with fill-ins.
fn pair(event: &Event, now_ms: i64, chance: Chance) -> Vec<PairedGame> {
    let points: Vec<Points> = arena_sheets(event)
        .iter()
        .map(|sheet| sheet.points)
        .collect();
    let by_standing = |seats: &mut Vec<Seat>| {
        seats.sort_by(|a, b| {
            let by_points = points[*b as usize].cmp(&points[*a as usize]);
            by_points.then_with(|| event.by_rating(*a, *b))
        });
    };
    let mut seats: Vec<Seat> = free_seats(event, false).collect();
    by_standing(&mut seats);
    let mut players: Vec<Free> = seats.into_iter().map(|seat| free(event, seat)).collect();
    let mut pairs = match_all(event, &players);
    let people = players.len();
    let mut seats: Vec<Seat> = free_seats(event, true).collect();
    by_standing(&mut seats);
    players.extend(seats.into_iter().map(|seat| free(event, seat)));
    pairs.extend(fill(event, now_ms, &players, people, &pairs));
    let room = MOST_GAMES.saturating_sub(event.games.len());
    let numbers = event.next_number()..;
    let games = numbers.zip(pairs).take(room).map(|(number, (a, b))| {
        let (a, b) = (&players[a], &players[b]);
        let seats = seat((a.seat, a.sides), (b.seat, b.sides), || chance(2) == 0);
        PairedGame {
            number,
            first: seats.first,
            second: seats.second,
            time_control: None,
        }
    });
    games.collect()
}

/// Pairs all players, as far as they may meet. Of an odd number, the player with the shortest wait stays free if the others can all be paired;
/// of several, the last of the standings.
fn match_all(event: &Event, players: &[Free]) -> Vec<(usize, usize)> {
    let alone = are_alone(event);
    let meet = |a: usize, b: usize| may_meet(event, alone, &players[a], &players[b]);
    if players.len().is_multiple_of(2) {
        return match_by_standing(players, None, meet);
    }
    let last = (0..players.len()).max_by_key(|place| (players[*place].since, *place));
    let pairs = match_by_standing(players, last, meet);
    if pairs.len() == players.len() / 2 {
        pairs
    } else {
        match_by_standing(players, None, meet)
    }
}

/// Pairs the rest of the people with fill-ins, which stand behind the `people`: each gets the one with the least cost.
fn fill(
    event: &Event,
    now_ms: i64,
    players: &[Free],
    people: usize,
    pairs: &[(usize, usize)],
) -> Vec<(usize, usize)> {
    let alone = are_alone(event);
    let mut fill_ins: Vec<usize> = (people..players.len()).collect();
    if fill_ins.is_empty() {
        return Vec::new();
    }
    let mut is_left = vec![true; people];
    for (a, b) in pairs {
        is_left[*a] = false;
        is_left[*b] = false;
    }
    let mut filled = Vec::new();
    for a in (0..people).filter(|a| is_left[*a]) {
        let one = &players[a];
        if fill_in_ms(event, one) > now_ms {
            continue;
        }
        let may =
            (0..fill_ins.len()).filter(|at| may_meet(event, alone, one, &players[fill_ins[*at]]));
        let best = may.min_by_key(|at| (cost(one, &players[fill_ins[*at]]), *at));
        if let Some(at) = best {
            filled.push((a, fill_ins.remove(at)));
        }
    }
    filled
}

/// Pairs the players except one, the best of the standings first: each gets the opponent with the least cost among the next ones.
fn match_by_standing(
    players: &[Free],
    except: Option<usize>,
    meet: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    // An unpaired player is the own partner.
    let mut partner: Vec<Option<usize>> = (0..players.len())
        .map(|place| except.filter(|except| *except == place))
        .collect();
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for a in 0..players.len() {
        if partner[a].is_some() {
            continue;
        }
        let others = (a + 1..players.len()).filter(|b| partner[*b].is_none() && meet(a, *b));
        let near = others.take(NEIGHBOURS).enumerate();
        let best = near.min_by_key(|(place, b)| (place + cost(&players[a], &players[*b]), *b));
        if let Some((_, b)) = best {
            partner[a] = Some(b);
            partner[b] = Some(a);
            pairs.push((a, b));
        } else {
            left.push(a);
        }
    }
    // Two players left over may not meet: each gets one of a pair, the nearest first.
    let mut splits = 0;
    while let [a, b, ..] = left[..] {
        left.drain(..2);
        splits += 1;
        if splits > MOST_SPLITS {
            break;
        }
        let by_distance = |pair: &(usize, usize)| Reverse(pair.1.max(pair.0));
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|index| by_distance(&pairs[*index]));
        for index in order {
            let (c, d) = pairs[index];
            let split = [(c, d), (d, c)];
            let split = split.into_iter().find(|(c, d)| meet(a, *c) && meet(b, *d));
            if let Some((c, d)) = split {
                pairs[index] = (a.min(c), a.max(c));
                pairs.push((b.min(d), b.max(d)));
                break;
            }
        }
    }
    // The best of the standings get the lowest numbers.
    pairs.sort_unstable();
    pairs
}

/// The cost of a pair, in places of the standings.
fn cost(a: &Free, b: &Free) -> usize {
    let again = |one: &Free, other: &Free| {
        let place = one.latest.iter().position(|seat| *seat == other.seat);
        place.map_or(0, |place| (REMEMBERED - place) * AGAIN)
    };
    let same_side = a.sides.balance.signum() == b.sides.balance.signum();
    let clash = a.sides.balance.abs().min(b.sides.balance.abs());
    let clash = if same_side {
        clash.min(MOST_CLASHES)
    } else {
        0
    };
    again(a, b).max(again(b, a)) + usize::try_from(clash).unwrap_or(0) * CLASH
}

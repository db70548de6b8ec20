//! The rules of each pairing and of the end.

use std::collections::{BTreeMap, BTreeSet};

use mawe_wire::events::EventGameSkipped;

use super::ledger::{Course, Ledger, LedgerGame, Presence};
use super::recount::points;
use crate::events::{Bye, Entry, Format, HOST, PairedGame, Points, Seat};

/// The time between two pairings of an arena.
const ARENA_PAUSE_MS: i64 = 2_000;

/// The games of a mini-match at most.
const MINI_MATCH: usize = 5;

/// Checks a pairing before it is entered; `next` are the entries behind it in the same append.
pub(super) fn check_pairing(
    ledger: &Ledger,
    at_ms: i64,
    round: u32,
    games: &[PairedGame],
    byes: &[Bye],
    next: &[Entry],
) {
    assert!(
        !games.is_empty() || !byes.is_empty(),
        "an empty pairing of {:?}",
        ledger.format
    );
    assert!(round <= most_rounds(ledger), "round {round}");
    check_players(ledger, games, byes, next);
    match ledger.format {
        Format::Arena { .. } => {
            assert!(
                ledger
                    .paired_ms
                    .is_none_or(|last| at_ms >= last + ARENA_PAUSE_MS)
            );
            games.iter().for_each(|game| check_rematch(ledger, game));
        }
        Format::Swiss { .. } => check_swiss(ledger, games, byes),
        Format::RoundRobin { cycles } => {
            for game in games {
                let met = meetings(ledger, game.first, game.second).count();
                assert!(met < cycles as usize, "{game:?} is one too many");
            }
        }
        Format::Knockout => check_knockout(ledger, round, games, byes),
        Format::Simul => assert!(
            games
                .iter()
                .all(|game| [game.first, game.second].contains(&HOST))
        ),
        Format::Series {
            games: all,
            best_of,
        } => {
            assert!(byes.is_empty());
            check_series(ledger, games, all, best_of);
        }
    }
}

/// The number of rounds of the event at most.
fn most_rounds(ledger: &Ledger) -> u32 {
    let players = u32::try_from(ledger.began_with).expect("few");
    match ledger.format {
        Format::Arena { duration_ms, .. } => {
            u32::try_from(duration_ms / ARENA_PAUSE_MS + 1).expect("few")
        }
        Format::Swiss { rounds } => rounds,
        Format::RoundRobin { cycles } => (players.next_multiple_of(2) - 1) * cycles,
        Format::Knockout => players.next_power_of_two().ilog2(),
        Format::Simul => 1,
        Format::Series { games, .. } => games,
    }
}

/// Nobody is in two games at once, and nobody who has left is paired; in a round robin such a game is skipped in the same append.
fn check_players(ledger: &Ledger, games: &[PairedGame], byes: &[Bye], next: &[Entry]) {
    let pausing = matches!(ledger.format, Format::Arena { .. } | Format::Swiss { .. });
    let may_play = |seat: Seat| match ledger.players[seat as usize].presence {
        Presence::In => true,
        Presence::Paused => !pausing,
        Presence::Withdrawn => false,
    };
    let mut seen = BTreeSet::new();
    for game in games {
        let seats = [game.first, game.second];
        let left = EventGameSkipped::Withdrawn;
        let is_skipped = next.iter().any(|entry| {
            matches!(entry, Entry::Skipped { game: number, reason, .. } if *number == game.number && *reason == left)
        });
        assert_eq!(seats.into_iter().all(may_play), !is_skipped, "{game:?}");
        for seat in seats {
            let is_host = ledger.format == Format::Simul && seat == HOST;
            assert!(seen.insert(seat) || is_host, "seat {seat} twice");
            assert!(
                ledger.plays_at_once || !ledger.is_playing(seat),
                "seat {seat} is playing"
            );
        }
    }
    for bye in byes {
        assert!(seen.insert(bye.seat), "a bye beside a game");
        assert!(
            may_play(bye.seat),
            "a bye for seat {} that has left",
            bye.seat
        );
    }
}

fn meetings(ledger: &Ledger, a: Seat, b: Seat) -> impl Iterator<Item = &LedgerGame> {
    ledger
        .games_of(a)
        .filter(move |game| game.opponent_of(a) == b)
}

/// Whether it was found that two do not play each other.
fn were_apart(ledger: &Ledger, a: Seat, b: Seat) -> bool {
    ledger.apart.contains(&[a, b]) || ledger.apart.contains(&[b, a])
}

fn are_apart(ledger: &Ledger, game: &PairedGame) -> bool {
    were_apart(ledger, game.first, game.second)
}

/// Whether two do not play each other: it was found, or they are of one group, or fill-ins.
fn keep_apart(ledger: &Ledger, a: Seat, b: Seat) -> bool {
    let are_fill_ins = ledger.is_fill_in(a) && ledger.is_fill_in(b);
    are_fill_ins || ledger.are_of_one_group(a, b) || were_apart(ledger, a, b)
}

/// Whether two may be the next opponents of each other in an arena, also if they are not alone.
pub(super) fn may_be_next(ledger: &Ledger, a: Seat, b: Seat) -> bool {
    let was_last = |a: Seat, b: Seat| {
        let last = ledger.games_of(a).next_back();
        last.is_some_and(|last| last.opponent_of(a) == b)
    };
    !keep_apart(ledger, a, b) && !was_last(a, b) && !was_last(b, a)
}

/// Whether two may meet in a Swiss whatever sides they had: one of them has played too little to need a side.
pub(super) fn may_meet_once(ledger: &Ledger, a: Seat, b: Seat) -> bool {
    let played = |seat: Seat| {
        ledger
            .games_of(seat)
            .filter(|game| game.is_played())
            .count()
    };
    let may_have_any_side = played(a) < 2 || played(b) < 2;
    may_have_any_side && !keep_apart(ledger, a, b) && !have_met(ledger, a, b)
}

/// Whether there was a game of two to which both came.
fn have_met(ledger: &Ledger, a: Seat, b: Seat) -> bool {
    let mut games = meetings(ledger, a, b);
    games.any(|game| matches!(game.course, Course::Played(_) | Course::Running))
}

/// The last opponent is not the next one, unless the two are alone.
fn check_rematch(ledger: &Ledger, game: &PairedGame) {
    let active = ledger.players.iter();
    let active = active.filter(|player| player.presence == Presence::In);
    let alone = active.count() == 2;
    for (a, b) in [(game.first, game.second), (game.second, game.first)] {
        let last = ledger.games_of(a).next_back();
        let again = last.is_some_and(|last| last.opponent_of(a) == b);
        assert!(!again || alone, "seats {a} and {b} at once again");
    }
    assert!(
        !are_apart(ledger, game),
        "{game:?} of two who do not play each other"
    );
}

/// Nobody meets twice, every person who is there has a game or a bye, and a point without a game comes once.
fn check_swiss(ledger: &Ledger, games: &[PairedGame], byes: &[Bye]) {
    for game in games {
        let met = have_met(ledger, game.first, game.second);
        assert!(
            !met && !are_apart(ledger, game),
            "{game:?} is a second meeting"
        );
    }
    let full: Vec<&Bye> = byes
        .iter()
        .filter(|bye| bye.points == Points::ONE)
        .collect();
    assert!(full.len() <= 1, "{full:?}");
    for bye in full {
        let mut before = ledger.byes.iter();
        let again =
            before.any(|(_, seat, halves)| *seat == bye.seat && *halves == Points::ONE.halves());
        assert!(!again, "a second bye for seat {}", bye.seat);
    }
    let paired = games.iter().flat_map(|game| [game.first, game.second]);
    let paired = paired.chain(byes.iter().map(|bye| bye.seat));
    // A fill-in may sit out.
    let paired: BTreeSet<Seat> = paired.filter(|seat| !ledger.is_fill_in(*seat)).collect();
    let there = ledger.active().filter(|seat| !ledger.is_fill_in(*seat));
    assert_eq!(paired, there.collect(), "all are paired");
}

/// A mini-match has the same two players and five games at most, and one of them at most goes on.
fn check_knockout(ledger: &Ledger, round: u32, games: &[PairedGame], byes: &[Bye]) {
    let goes_on = games.iter().flat_map(|game| [game.first, game.second]);
    let goes_on: BTreeSet<Seat> = goes_on.chain(byes.iter().map(|bye| bye.seat)).collect();
    if round == ledger.round {
        assert!(byes.is_empty());
        for game in games {
            let of_round = |seat: Seat| ledger.games_of(seat).filter(|game| game.round == round);
            for (seat, other) in [(game.first, game.second), (game.second, game.first)] {
                assert!(of_round(seat).all(|game| game.opponent_of(seat) == other));
            }
            assert!((1..MINI_MATCH).contains(&of_round(game.first).count()));
        }
        return;
    }
    let before = ledger
        .games
        .iter()
        .filter(|game| game.round == ledger.round);
    for game in before {
        let both = game.seats.iter().all(|seat| goes_on.contains(seat));
        assert!(!both, "both of {:?} go on", game.seats);
    }
    if round > 1 {
        for seat in &goes_on {
            let had_bye = ledger
                .byes
                .iter()
                .any(|(of, player, _)| (*of, *player) == (ledger.round, *seat));
            let mut played = ledger.games_of(*seat);
            assert!(
                had_bye || played.any(|game| game.round == ledger.round),
                "seat {seat} is out"
            );
        }
    }
}

/// A series has one game at a time, each with the sides of the last one exchanged, and none after a best of n is decided.
fn check_series(ledger: &Ledger, games: &[PairedGame], all: u32, best_of: bool) {
    let [game] = games else {
        panic!("{games:?} at once");
    };
    if let Some(last) = ledger.games.last() {
        assert_eq!(last.seats, [game.second, game.first], "the sides change");
    }
    assert!(!are_apart(ledger, game), "{game:?} of two apart");
    assert!(
        !best_of || !is_decided(ledger, all),
        "{game:?} is one too many"
    );
}

/// Whether the player behind could not even draw level by winning all games that are left.
fn is_decided(ledger: &Ledger, all: u32) -> bool {
    let left = all as usize - ledger.games.len();
    let mut points: Vec<u32> = points(ledger).into_iter().flatten().collect();
    points.sort_unstable();
    let [.., behind, ahead] = points[..] else {
        return false;
    };
    behind as usize + 2 * left < ahead as usize
}

/// Checks an event that is about to finish.
pub(super) fn check_end(ledger: &Ledger) {
    match ledger.format {
        Format::RoundRobin { cycles } => check_end_of_round_robin(ledger, cycles),
        Format::Series { games, best_of } => check_end_of_series(ledger, games, best_of),
        Format::Arena { .. } | Format::Swiss { .. } | Format::Knockout | Format::Simul => {}
    }
}

/// All games were played, or one player has left or could not come, or the two are apart, or a best of n is decided.
fn check_end_of_series(ledger: &Ledger, all: u32, best_of: bool) {
    let missed = |game: &LedgerGame| matches!(game.course, Course::Skipped(_, Some(_)));
    let is_complete = ledger.games.len() == all as usize;
    let is_broken_off =
        ledger.present().count() < 2 || ledger.games.iter().any(missed) || !ledger.apart.is_empty();
    assert!(
        is_complete || is_broken_off || (best_of && is_decided(ledger, all)),
        "games are missing"
    );
}

fn check_end_of_round_robin(ledger: &Ledger, cycles: u32) {
    let mut met: BTreeMap<[Seat; 2], u32> = BTreeMap::new();
    for game in &ledger.games {
        let [a, b] = game.seats;
        *met.entry([a.min(b), a.max(b)]).or_default() += 1;
    }
    // With fewer than two players left it ends early.
    if ledger.present().count() >= 2 {
        let pairs = ledger.began_with * (ledger.began_with - 1) / 2;
        assert_eq!(met.len(), pairs, "all have met");
        assert!(met.values().all(|games| *games == cycles));
    }
}

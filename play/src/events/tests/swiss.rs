//! Random Swiss tournaments against a checker of the absolute criteria that shares no code with the pairing.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventGameSkipped, EventState};

use super::run::{Run, player};
use crate::events::{Entry, Format, Input, Points, Seat};

/// What the checker knows of a player.
#[derive(Debug, Default)]
struct Card {
    met: BTreeSet<Seat>,
    sides: Vec<Side>,
    byes: u32,
    has_withdrawn: bool,
}

/// Reads a journal and checks each pairing by the absolute criteria: nobody plays twice in a round or meets an opponent again, nobody gets a
/// point without a game twice, nobody has a side three times in a row or three times more often than the other, and nobody who has left is
/// paired. Returns the number of pairings.
fn check_journal(journal: &[(i64, Entry)]) -> u32 {
    let mut cards: Vec<Card> = Vec::new();
    let mut games: BTreeMap<u32, (Seat, Seat)> = BTreeMap::new();
    let mut rounds = 0;
    for (_, entry) in journal {
        match entry {
            Entry::Joined { .. } => cards.push(Card::default()),
            Entry::Withdrawn { seat } | Entry::Paused { seat } => {
                cards[*seat as usize].has_withdrawn = true;
            }
            Entry::Rejoined { seat } | Entry::Resumed { seat } => {
                cards[*seat as usize].has_withdrawn = false;
            }
            Entry::Paired {
                round,
                games: paired,
                byes,
            } => {
                rounds += 1;
                assert_eq!(*round, rounds);
                let mut seen = BTreeSet::new();
                for game in paired {
                    let (first, second) = (game.first, game.second);
                    assert!(
                        seen.insert(first) && seen.insert(second),
                        "twice in round {round}"
                    );
                    assert!(
                        !cards[first as usize].met.contains(&second),
                        "a second meeting"
                    );
                    for seat in [first, second] {
                        assert!(!cards[seat as usize].has_withdrawn, "a player who has left");
                    }
                    games.insert(game.number, (first, second));
                }
                for bye in byes {
                    assert!(seen.insert(bye.seat), "a bye beside a game");
                    if bye.points == Points::ONE {
                        cards[bye.seat as usize].byes += 1;
                        assert_eq!(cards[bye.seat as usize].byes, 1, "a second bye");
                    }
                }
                assert!(byes.iter().filter(|bye| bye.points == Points::ONE).count() <= 1);
                let away = |card: &&Card| !card.has_withdrawn;
                assert_eq!(
                    seen.len(),
                    cards.iter().filter(away).count(),
                    "all are paired"
                );
            }
            Entry::Ended {
                game,
                result,
                forfeit,
            } => {
                let (first, second) = games[game];
                if *forfeit {
                    let winner = if *result == EventGameResult::First {
                        first
                    } else {
                        second
                    };
                    cards[winner as usize].byes += 1;
                    continue;
                }
                for (seat, other, side) in
                    [(first, second, Side::First), (second, first, Side::Second)]
                {
                    let card = &mut cards[seat as usize];
                    card.met.insert(other);
                    if *result != EventGameResult::CalledOff {
                        card.sides.push(side);
                        check_sides(&card.sides);
                    }
                }
            }
            Entry::Skipped { game, reason, side } => {
                let (first, second) = games[game];
                match (reason, side) {
                    (EventGameSkipped::Apart, _) => {
                        cards[first as usize].met.insert(second);
                        cards[second as usize].met.insert(first);
                    }
                    (_, Some(Side::First)) => cards[second as usize].byes += 1,
                    (_, Some(Side::Second)) => cards[first as usize].byes += 1,
                    (_, None) => {}
                }
            }
            Entry::ByeAsked { .. }
            | Entry::Began { .. }
            | Entry::Cancelled { .. }
            | Entry::Berserk { .. }
            | Entry::Corrected { .. }
            | Entry::Closed
            | Entry::Finished => {}
        }
    }
    rounds
}

fn check_sides(sides: &[Side]) {
    let first = sides.iter().filter(|side| **side == Side::First).count();
    let second = sides.len() - first;
    assert!(first.abs_diff(second) <= 2, "the sides {sides:?}");
    let thrice = |last: &[Side]| last[0] == last[1] && last[1] == last[2];
    assert!(!sides.windows(3).any(thrice), "the sides {sides:?}");
}

/// Plays a Swiss whose players come late, leave, pause, ask for byes and do not come to games.
pub(super) fn random_swiss(seed: u64, most: u32) -> Run {
    let mut rng = Rng::with_seed(seed);
    let rounds = rng.u32(3..=11);
    let players = rng.u32(4..=most);
    let mut run = Run::with_players(Format::Swiss { rounds }, players, seed);
    run.replays = false;
    let faults = rng.u32(0..4) > 0;
    let mut next = players;
    assert!(run.tick());
    while run.event.state() == EventState::Running {
        assert!(run.tick());
        if faults {
            change(&mut run, &mut rng, &mut next, most);
        }
        for game in run.pending() {
            settle(&mut run, &mut rng, game, faults);
        }
        if faults {
            change(&mut run, &mut rng, &mut next, most);
        }
    }
    run
}

fn change(run: &mut Run, rng: &mut Rng, next: &mut u32, most: u32) {
    for _ in 0..rng.u32(0..3) {
        let id = player(rng.u32(0..*next));
        let round = run.event.round() + rng.u32(1..3);
        let late = player(*next);
        // A refused change is none.
        let _ = match rng.u32(0..12) {
            0 => run.input(&Input::Withdraw(&id)),
            1 => run.input(&Input::Pause(&id)),
            2..4 => run.input(&Input::Resume(&id)),
            4..8 => run.input(&Input::AskBye { player: &id, round }),
            _ if *next < most + 3 => {
                *next += 1;
                let join = Input::Join {
                    player: &late,
                    rating: f64::from(rng.u32(1_000..2_600)),
                    group: None,
                };
                run.input(&join)
            }
            _ => continue,
        };
    }
}

fn settle(run: &mut Run, rng: &mut Rng, game: u32, faults: bool) {
    let seats = run.event.game(game).expect("a game").seats;
    // The stronger player wins more often, so that the score groups look like those of real tournaments.
    let gap = run.event.entrants()[seats.first as usize].rating
        - run.event.entrants()[seats.second as usize].rating;
    let expected = 1.0 / (1.0 + 10f64.powf(-gap / 400.0));
    let result = match rng.f64() {
        luck if luck < expected * 0.8 => EventGameResult::First,
        luck if luck < expected * 0.8 + 0.2 => EventGameResult::Drawn,
        _ => EventGameResult::Second,
    };
    let side = if rng.bool() {
        Side::First
    } else {
        Side::Second
    };
    let input = match rng.u32(0..100) {
        0 if faults => Input::GameEnded {
            game,
            result: EventGameResult::CalledOff,
            forfeit: false,
        },
        1 | 2 if faults => Input::GameEnded {
            game,
            result: if side == Side::First {
                EventGameResult::First
            } else {
                EventGameResult::Second
            },
            forfeit: true,
        },
        3 if faults => Input::GameSkipped {
            game,
            reason: EventGameSkipped::Busy,
            side: Some(side),
        },
        4 if faults => Input::GameSkipped {
            game,
            reason: EventGameSkipped::Apart,
            side: None,
        },
        _ => Input::GameEnded {
            game,
            result,
            forfeit: false,
        },
    };
    run.input(&input).expect("a game");
}

#[test]
fn five_hundred_tournaments_keep_the_absolute_criteria() {
    let mut pairings = 0;
    let mut early = 0;
    for seed in 0..500 {
        // Most are small, where few pairings are possible.
        let most = match seed % 25 {
            0 => 100,
            1..5 => 50,
            _ => 24,
        };
        let run = random_swiss(seed, most);
        pairings += check_journal(&run.journal);
        let Format::Swiss { rounds } = run.event.terms().format else {
            unreachable!("a Swiss");
        };
        early += u32::from(run.event.round() < rounds);
        assert_eq!(run.replayed().standings(), run.event.standings());
    }
    assert!(pairings > 2_500, "{pairings} rounds");
    // A few have more rounds than their players can play without meeting again.
    assert!(early < 100, "{early} ended early");
}

#[test]
fn the_first_round_pairs_the_upper_half_with_the_lower_one() {
    for (players, expected) in [
        (6, vec![(0, 3), (1, 4), (2, 5)]),
        (7, vec![(0, 3), (1, 4), (2, 5)]),
    ] {
        let mut run = Run::with_players(Format::Swiss { rounds: 3 }, players, 2);
        assert!(run.tick() && run.tick());
        let pairs: Vec<(Seat, Seat)> = run.round(1);
        let sorted: Vec<(Seat, Seat)> = pairs.iter().map(|(a, b)| (*a.min(b), *a.max(b))).collect();
        assert_eq!(sorted, expected);
        // The sides alternate down the boards.
        let first: Vec<bool> = pairs.iter().map(|(a, b)| a < b).collect();
        assert!(first.windows(2).all(|two| two[0] != two[1]));
        let byes: Vec<Seat> = run.event.byes().iter().map(|(_, bye)| bye.seat).collect();
        assert_eq!(byes, if players == 7 { vec![6] } else { vec![] });
    }
}

/// The pairs and byes of a line of the file, without the results.
fn paired(line: &str) -> BTreeSet<String> {
    let words = line.split(", ").map(|pair| pair.split(' ').next());
    words.flatten().map(str::to_owned).collect()
}

#[test]
fn the_pairings_are_those_of_another_program() {
    let mut rounds = 0;
    let file = include_str!("dutch.txt");
    let tournaments = file.split("\n\n").filter(|part| !part.starts_with('#'));
    for tournament in tournaments {
        let mut lines = tournament.lines();
        let head = lines.next().expect("a first line");
        let players = head
            .split(' ')
            .next()
            .and_then(|number| number.parse().ok());
        let top = if head.ends_with("first") {
            Side::First
        } else {
            Side::Second
        };
        let format = Format::Swiss { rounds: 15 };
        let mut run = Run::with_players(format, players.expect("a number"), 1);
        run.replays = false;
        let began = Entry::Began {
            order: Vec::new(),
            top: Some(top),
        };
        run.now += 60_000;
        run.event.apply(run.now, &began).expect("a beginning");
        for line in lines {
            assert!(run.tick());
            let round = run.event.round();
            let games = run.event.games().iter().filter(|game| game.round == round);
            let games: Vec<(u32, Seat, Seat)> = games
                .map(|game| (game.number, game.seats.first + 1, game.seats.second + 1))
                .collect();
            let byes = run.event.byes().iter().filter(|(of, _)| *of == round);
            let made = games
                .iter()
                .map(|(_, first, second)| format!("{first}-{second}"));
            let made = made.chain(byes.map(|(_, bye)| (bye.seat + 1).to_string()));
            assert_eq!(
                made.collect::<BTreeSet<String>>(),
                paired(line),
                "{head}, round {round}"
            );
            for (number, first, second) in games {
                let pair = format!("{first}-{second} ");
                let found = line.split(", ").find_map(|one| one.strip_prefix(&pair));
                let result = match found {
                    Some("1") => EventGameResult::First,
                    Some("0") => EventGameResult::Second,
                    Some("=") => EventGameResult::Drawn,
                    other => unreachable!("the result {other:?}"),
                };
                run.end(number, result);
            }
            rounds += 1;
        }
    }
    assert_eq!(rounds, 59);
}

use std::collections::{BTreeMap, BTreeSet};

use mawe_rules::{GameKind, Side};
use mawe_wire::pool::PoolId;
use proptest::prelude::*;

use super::*;

const RATED_BLITZ: (usize, bool) = (2, true);

fn key((pool, rated): (usize, bool)) -> PoolKey {
    PoolKey {
        game: GameKind::ALL[0],
        pool: PoolId::all().nth(pool).expect("there are five"),
        rated,
    }
}

fn id(number: u64) -> PlayerId {
    format!("{number:012}").parse().expect("12 digits")
}

fn entrant(number: u64, rating: f64) -> Entrant {
    Entrant {
        player: id(number),
        rating,
        deviation: 60.0,
        sides: SideHistory::default(),
        last_opponent: None,
        not_before: 0,
    }
}

/// Pools with these people in the rated 5+0 pool since time 0.
fn pools(people: impl IntoIterator<Item = Entrant>) -> Pools {
    let mut pools = Pools::new(Some(20_000));
    for (socket, entrant) in (0..).zip(people) {
        let joined = pools.join(0, key(RATED_BLITZ), entrant, socket);
        assert_eq!(joined, Ok(()));
    }
    pools
}

fn pairs(effects: &[Effect]) -> Vec<[PlayerId; 2]> {
    let pair = |effect: &Effect| match effect {
        Effect::Pair { players, .. } => {
            let mut pair = [players.first.clone(), players.second.clone()];
            pair.sort();
            Some(pair)
        }
        Effect::OfferBot { .. } => None,
    };
    let mut pairs: Vec<_> = effects.iter().filter_map(pair).collect();
    pairs.sort();
    pairs
}

/// Runs a round at this time and returns its pairs; the coin always gives `true`.
fn paired(pools: &mut Pools, now: Millis) -> Vec<[PlayerId; 2]> {
    pairs(&pools.tick(now, || true))
}

#[test]
fn the_nearest_ratings_play() {
    let mut pools = pools([
        entrant(1, 1_500.0),
        entrant(2, 1_550.0),
        entrant(3, 1_510.0),
        entrant(4, 1_560.0),
    ]);
    assert_eq!(paired(&mut pools, 0), [[id(1), id(3)], [id(2), id(4)]]);
    assert_eq!(
        paired(&mut pools, 1_000),
        [] as [[PlayerId; 2]; 0],
        "they are set aside"
    );
}

#[test]
fn what_is_accepted_widens_with_waiting_and_both_have_a_say() {
    let mut pools = pools([entrant(1, 1_500.0)]);
    // A difference of 200 is accepted after 24 s: 60 + 6 a second.
    pools
        .join(20_000, key(RATED_BLITZ), entrant(2, 1_700.0), 9)
        .expect("may join");
    assert!(
        paired(&mut pools, 24_000).is_empty(),
        "the second has just come"
    );
    assert!(paired(&mut pools, 43_000).is_empty());
    assert_eq!(paired(&mut pools, 44_000).len(), 1);
}

#[test]
fn nobody_plays_somebody_out_of_all_reach() {
    let mut pools = pools([entrant(1, 1_000.0), entrant(2, 1_501.0)]);
    assert!(paired(&mut pools, Millis::MAX).is_empty());
}

#[test]
fn who_is_uncertain_accepts_more_and_who_is_settled_need_not() {
    let new = |number, rating| Entrant {
        deviation: 350.0,
        ..entrant(number, rating)
    };
    assert!(paired(&mut pools([entrant(1, 1_500.0), new(2, 1_650.0)]), 0).is_empty());
    assert_eq!(
        paired(&mut pools([new(1, 1_500.0), new(2, 1_650.0)]), 0).len(),
        1
    );
}

#[test]
fn of_equals_who_has_waited_longest_goes_first() {
    let mut pools = pools([entrant(1, 1_500.0)]);
    for (number, since) in [(2, 5_000), (3, 9_000)] {
        let joined = pools.join(since, key(RATED_BLITZ), entrant(number, 1_500.0), number);
        assert_eq!(joined, Ok(()));
    }
    assert_eq!(paired(&mut pools, 9_000), [[id(1), id(2)]]);
}

#[test]
fn who_is_left_over_for_long_has_a_pair_opened() {
    // 1 and 4 are left over when the nearest, 2 and 3, play; 2 accepts 1, and 3 accepts 4.
    let ratings = [1_400.0, 1_490.0, 1_510.0, 1_600.0];
    let people = (1..).zip(ratings).map(|(n, rating)| entrant(n, rating));
    let mut pools = pools(people);
    // A difference of 100 is accepted from 7 s on, but before 8 s the nearest play.
    assert_eq!(paired(&mut pools, 7_000), [[id(2), id(3)]]);
    for player in [2, 3] {
        pools.release(&id(player));
    }
    assert_eq!(paired(&mut pools, 8_000), [[id(1), id(2)], [id(3), id(4)]]);
}

#[test]
fn two_play_each_other_again_only_when_nobody_else_is_there() {
    let after = |number, rating, last| Entrant {
        last_opponent: Some(id(last)),
        ..entrant(number, rating)
    };
    // A third player is there, though further away.
    let mut three = pools([
        after(1, 1_500.0, 2),
        after(2, 1_500.0, 1),
        entrant(3, 1_550.0),
    ]);
    assert_eq!(paired(&mut three, 20_000), [[id(1), id(3)]]);
    // Two others are there, nearest to each other.
    let mut four = pools([
        after(1, 1_500.0, 2),
        after(2, 1_500.0, 1),
        entrant(3, 1_550.0),
        entrant(4, 1_550.0),
    ]);
    let played = paired(&mut four, 20_000);
    assert_eq!(played.len(), 2);
    assert!(!played.contains(&[id(1), id(2)]), "{played:?}");
    // Another player is there whom neither accepts yet, but will: they wait up to a minute.
    let far = entrant(3, 1_990.0);
    let mut far = pools([after(1, 1_500.0, 2), after(2, 1_500.0, 1), far]);
    assert!(paired(&mut far, 59_000).is_empty());
    assert_eq!(paired(&mut far, 60_000), [[id(1), id(2)]]);
    // Nobody else is there: they wait a little, then play. One of the two records is enough.
    let mut two = pools([entrant(1, 1_500.0), after(2, 1_500.0, 1)]);
    assert!(paired(&mut two, 9_000).is_empty());
    assert_eq!(paired(&mut two, 10_000), [[id(1), id(2)]]);
}

#[test]
fn two_who_are_left_over_play_each_other_across_a_full_pool() {
    // More players stand between the lowest and the highest than either looks at, and all of them find somebody nearer.
    let ratings = [
        1379.8, 1310.5, 1301.21, 1311.7, 1316.1, 1311.1, 1312.4, 1322.9, 1311.9, 1390.69, 1378.6,
        1357.9, 1366.7, 1331.9, 1315.6, 1482.9, 1455.7, 1332.9, 1320.6, 1321.7,
    ];
    let people = (0..).zip(ratings);
    let mut pools = pools(people.map(|(number, rating)| entrant(number, rating)));
    let busy: BTreeSet<PlayerId> = paired(&mut pools, 4_914).into_iter().flatten().collect();
    assert!(busy.contains(&id(2)) && busy.contains(&id(9)));
}

#[test]
fn two_who_are_kept_apart_play_others_or_nobody() {
    let mut pools = pools([entrant(1, 1500.0), entrant(2, 1500.0)]);
    assert_eq!(paired(&mut pools, 0), [[id(1), id(2)]]);
    // The store has refused the match: one of them has blocked the other.
    pools.keep_apart(&id(1), &id(2));
    for player in [id(1), id(2)] {
        pools.release(&player);
    }
    for now in [0, 1_000, 120_000] {
        assert_eq!(paired(&mut pools, now), [] as [[PlayerId; 2]; 0]);
    }
    let joined = pools.join(120_000, key(RATED_BLITZ), entrant(3, 1540.0), 9);
    assert_eq!(joined, Ok(()));
    assert_eq!(paired(&mut pools, 120_000).len(), 1);
    // After leaving, the two are tried again: the block may be over.
    for player in [id(1), id(2), id(3)] {
        pools.remove(&player);
    }
    for player in [1, 2] {
        let joined = pools.join(120_000, key(RATED_BLITZ), entrant(player, 1500.0), player);
        assert_eq!(joined, Ok(()));
    }
    assert_eq!(paired(&mut pools, 120_000), [[id(1), id(2)]]);
}

#[test]
fn an_old_opponent_who_is_kept_apart_is_nobody_else() {
    let met = |number, other| Entrant {
        last_opponent: Some(id(other)),
        ..entrant(number, 1500.0)
    };
    let mut pools = pools([met(1, 2), met(2, 1), entrant(3, 1500.0)]);
    assert_eq!(paired(&mut pools, 0).len(), 1);
    pools.keep_apart(&id(1), &id(3));
    pools.keep_apart(&id(3), &id(2));
    for player in [id(1), id(2), id(3)] {
        pools.release(&player);
    }
    assert_eq!(paired(&mut pools, 1_000), [] as [[PlayerId; 2]; 0]);
    assert_eq!(paired(&mut pools, 10_000), [[id(1), id(2)]]);
}

#[test]
fn two_devices_of_one_account_are_one_ticket() {
    let mut pools = pools([entrant(1, 1_500.0), entrant(1, 1_500.0)]);
    assert_eq!(*pools.counts(), BTreeMap::from([(key(RATED_BLITZ), 1)]));
    assert!(
        paired(&mut pools, 60_000).is_empty(),
        "nobody plays oneself"
    );
    pools.close_socket(&id(1), 0);
    assert!(pools.standing(60_000, &id(1), key(RATED_BLITZ)).is_some());
    pools.close_socket(&id(1), 1);
    assert!(pools.standing(60_000, &id(1), key(RATED_BLITZ)).is_none());
    assert!(pools.counts().is_empty());
}

#[test]
fn asking_again_does_not_begin_the_wait_anew() {
    let mut pools = pools([entrant(1, 1_500.0)]);
    pools
        .join(30_000, key(RATED_BLITZ), entrant(1, 1_500.0), 0)
        .expect("may join");
    let standing = pools.standing(30_000, &id(1), key(RATED_BLITZ));
    assert_eq!(
        standing,
        Some(Standing {
            waited: 30_000,
            within: 240,
            waiting: 1
        })
    );
}

#[test]
fn who_waits_in_two_pools_is_paired_once_and_in_none_any_more() {
    let mut pools = Pools::new(None);
    let both = [(0, true), (1, false)].map(key);
    for pool in both {
        let joined = pools.join(0, pool, entrant(1, 1_500.0), 1);
        assert_eq!(joined, Ok(()));
    }
    for (number, pool) in [(2, both[0]), (3, both[1])] {
        let joined = pools.join(0, pool, entrant(number, 1_500.0), number);
        assert_eq!(joined, Ok(()));
    }
    let played = paired(&mut pools, 0);
    assert_eq!(played.len(), 1);
    assert!(played[0].contains(&id(1)));
    assert_eq!(pools.remove(&id(1)), both.to_vec());
    assert!(paired(&mut pools, 60_000).is_empty());
}

#[test]
fn a_pair_that_came_to_nothing_waits_on_and_has_lost_no_time() {
    let mut pools = pools([entrant(1, 1_500.0), entrant(2, 1_500.0)]);
    assert_eq!(paired(&mut pools, 5_000).len(), 1);
    for player in [1, 2] {
        pools.release(&id(player));
    }
    let standing = pools.standing(6_000, &id(1), key(RATED_BLITZ));
    assert_eq!(standing.map(|standing| standing.waited), Some(6_000));
    assert_eq!(paired(&mut pools, 6_000).len(), 1);
}

#[test]
fn who_leaves_and_comes_back_while_a_match_is_made_is_not_paired_a_second_time() {
    let mut pools = pools([entrant(1, 1_500.0), entrant(2, 1_500.0)]);
    assert_eq!(paired(&mut pools, 0).len(), 1);
    assert!(pools.leave(&id(1), key(RATED_BLITZ)));
    for number in [1, 3] {
        let joined = pools.join(1_000, key(RATED_BLITZ), entrant(number, 1_500.0), number);
        assert_eq!(joined, Ok(()));
    }
    assert!(paired(&mut pools, 2_000).is_empty(), "1 is being seated");
    pools.release(&id(1));
    assert_eq!(paired(&mut pools, 2_000), [[id(1), id(3)]]);
}

#[test]
fn a_bot_is_offered_once_and_to_nobody_who_is_being_seated() {
    let mut pools = pools([entrant(1, 1_500.0), entrant(2, 2_000.0)]);
    assert!(pools.set_aside(&id(2)));
    assert!(!pools.set_aside(&id(2)), "once");
    assert_eq!(pools.tick(19_999, || true), []);
    let offer = Effect::OfferBot {
        key: key(RATED_BLITZ),
        player: id(1),
        rating: 1_500,
    };
    assert_eq!(pools.tick(20_000, || true), [offer]);
    assert_eq!(pools.tick(21_000, || true), []);
    assert_eq!(
        pools.offered(&id(1), key(RATED_BLITZ)),
        None,
        "not found yet"
    );
    assert_eq!(pools.offer(&id(1), key(RATED_BLITZ), 4), [0]);
    let offered = pools.offered(&id(1), key(RATED_BLITZ));
    assert_eq!(offered, Some((4, SideHistory::default())));
    assert_eq!(pools.offer(&id(9), key(RATED_BLITZ), 4), [] as [u64; 0]);
    let mut never = Pools::new(None);
    let joined = never.join(0, key(RATED_BLITZ), entrant(1, 1_500.0), 1);
    assert_eq!(joined, Ok(()));
    assert_eq!(never.tick(Millis::MAX, || true), []);
}

#[test]
fn who_is_being_seated_elsewhere_is_not_paired_though_they_join_meanwhile() {
    let mut pools = Pools::new(None);
    assert!(pools.set_aside(&id(1)));
    for number in [1, 2] {
        let joined = pools.join(0, key(RATED_BLITZ), entrant(number, 1_500.0), number);
        assert_eq!(joined, Ok(()));
    }
    assert!(paired(&mut pools, 60_000).is_empty());
    pools.release(&id(1));
    assert_eq!(paired(&mut pools, 60_000).len(), 1);
}

#[test]
fn who_has_walked_away_too_often_waits_before_waiting() {
    let mut pools = Pools::new(None);
    let late = Entrant {
        not_before: 60_000,
        ..entrant(1, 1_500.0)
    };
    let refused = pools.join(45_000, key(RATED_BLITZ), late.clone(), 1);
    assert_eq!(refused, Err(Refused::NotYet { retry_ms: 15_000 }));
    assert!(pools.counts().is_empty());
    assert_eq!(pools.join(60_000, key(RATED_BLITZ), late, 1), Ok(()));
}

#[test]
fn nobody_waits_in_too_many_pools() {
    let mut pools = Pools::new(None);
    let mut keys = PoolKey::all();
    for key in keys.by_ref().take(MAX_POOLS) {
        assert_eq!(pools.join(0, key, entrant(1, 1_500.0), 1), Ok(()));
    }
    let one_more = keys.next().expect("there are more");
    let refused = pools.join(0, one_more, entrant(1, 1_500.0), 1);
    assert_eq!(refused, Err(Refused::TooManyPools));
    let there = PoolKey::all().next().expect("there are pools");
    assert_eq!(pools.join(0, there, entrant(1, 1_500.0), 2), Ok(()));
}

#[test]
fn sides_alternate() {
    let history = |side| SideHistory::new([side]);
    let had_first = Entrant {
        sides: history(Side::First),
        ..entrant(1, 1_500.0)
    };
    let had_second = Entrant {
        sides: history(Side::Second),
        ..entrant(2, 1_500.0)
    };
    for coin in [false, true] {
        let mut pools = pools([had_first.clone(), had_second.clone()]);
        let effects = pools.tick(0, || coin);
        let seated =
            matches!(&effects[..], [Effect::Pair { players, .. }] if players.first == id(2));
        assert!(seated, "{effects:?}");
    }
}

#[test]
fn many_who_wait_are_matched_in_no_time() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut pools = Pools::new(Some(20_000));
    for number in 0..5_000 {
        for pool in [(0, true), (2, true), (3, false)] {
            let rating = 1_500.0 + 300.0 * (rng.f64() + rng.f64() - 1.0);
            let since = rng.u64(..30_000);
            let joined = pools.join(since, key(pool), entrant(number, rating), number);
            assert_eq!(joined, Ok(()));
        }
    }
    let played = paired(&mut pools, 30_000);
    assert!(played.len() >= 2_490, "{} of 2500", played.len());
}

// --- properties ---

#[derive(Debug, Clone)]
enum Step {
    Join {
        person: u64,
        pool: (usize, bool),
        rating: f64,
        deviation: f64,
        socket: u64,
    },
    Leave {
        person: u64,
        pool: (usize, bool),
    },
    Close {
        person: u64,
        socket: u64,
    },
    Tick {
        ms: Millis,
        /// Whether the store makes the matches.
        made: bool,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let person = || 0..12u64;
    let pool = || (0..2usize, any::<bool>());
    prop_oneof![
        6 => (person(), pool(), 1_000.0..2_000.0, 40.0..350.0, 0..3u64).prop_map(
            |(person, pool, rating, deviation, socket)| Step::Join { person, pool, rating, deviation, socket }
        ),
        1 => (person(), pool()).prop_map(|(person, pool)| Step::Leave { person, pool }),
        1 => (person(), 0..3u64).prop_map(|(person, socket)| Step::Close { person, socket }),
        4 => (0..20_000u64, any::<bool>()).prop_map(|(ms, made)| Step::Tick { ms, made }),
    ]
}

/// The test's own copy of a ticket.
#[derive(Debug, Clone)]
struct Kept {
    rating: f64,
    deviation: f64,
    since: Millis,
    sockets: BTreeSet<u64>,
}

impl Kept {
    fn within(&self, now: Millis, key: PoolKey) -> f64 {
        Widening::of_pool(key).within(self.deviation, now - self.since)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// After any steps: a ticket exists as long as a socket asks for it, pairs accept each other, no player is paired twice or with
    /// themselves, and nobody is paired with their last opponent while another acceptable player is free.
    #[test]
    fn whatever_happens_pairs_are_as_they_should_be(steps in prop::collection::vec(step(), 1..60)) {
        let mut pools = Pools::new(Some(20_000));
        let mut kept: BTreeMap<(u64, PoolKey), Kept> = BTreeMap::new();
        let mut last: BTreeMap<u64, u64> = BTreeMap::new();
        let mut now = 0;
        for step in steps {
            match step {
                Step::Join { person, pool, rating, deviation, socket } => {
                    let entrant = Entrant {
                        deviation,
                        last_opponent: last.get(&person).map(|last| id(*last)),
                        ..entrant(person, rating)
                    };
                    prop_assert_eq!(pools.join(now, key(pool), entrant, socket), Ok(()));
                    let ticket = kept.entry((person, key(pool))).or_insert_with(|| Kept {
                        rating,
                        deviation,
                        since: now,
                        sockets: BTreeSet::new(),
                    });
                    ticket.sockets.insert(socket);
                }
                Step::Leave { person, pool } => {
                    let was = kept.remove(&(person, key(pool))).is_some();
                    prop_assert_eq!(pools.leave(&id(person), key(pool)), was);
                }
                Step::Close { person, socket } => {
                    pools.close_socket(&id(person), socket);
                    kept.retain(|(other, _), ticket| {
                        if *other == person {
                            ticket.sockets.remove(&socket);
                        }
                        !ticket.sockets.is_empty()
                    });
                }
                Step::Tick { ms, made } => {
                    now += ms;
                    let mut busy = BTreeSet::new();
                    let mut again = Vec::new();
                    for effect in pools.tick(now, || true) {
                        let Effect::Pair { key, players } = effect else { continue };
                        let [a, b] = [&players.first, &players.second]
                            .map(|player| player.as_str().parse::<u64>().expect("a number"));
                        prop_assert!(busy.insert(a) && busy.insert(b), "{} or {} twice", a, b);
                        let (one, other) = (&kept[&(a, key)], &kept[&(b, key)]);
                        let apart = (one.rating - other.rating).abs();
                        prop_assert!(apart <= one.within(now, key).min(other.within(now, key)));
                        if last.get(&a) == Some(&b) || last.get(&b) == Some(&a) {
                            again.push((key, a, b));
                        }
                    }
                    for (key, a, b) in again {
                        for (person, partner) in [(a, b), (b, a)] {
                            let mine = &kept[&(person, key)];
                            let others = kept.iter().filter(|((other, pool), ticket)| {
                                *pool == key
                                    && ![a, b].contains(other)
                                    && !busy.contains(other)
                                    && last.get(other) != Some(&person)
                                    && last.get(&person) != Some(other)
                                    && (mine.rating - ticket.rating).abs()
                                        <= mine.within(now, key).min(ticket.within(now, key))
                            });
                            prop_assert_eq!(others.count(), 0, "{} plays {} again", person, partner);
                        }
                    }
                    for person in &busy {
                        if made {
                            pools.remove(&id(*person));
                            kept.retain(|(other, _), _| other != person);
                        } else {
                            pools.release(&id(*person));
                        }
                    }
                    if made {
                        for pair in busy.iter().collect::<Vec<_>>().chunks(2) {
                            // Any two serve: the test only needs last opponents.
                            if let [a, b] = pair {
                                last.insert(**a, **b);
                                last.insert(**b, **a);
                            }
                        }
                    }
                }
            }
            let mut counts: BTreeMap<PoolKey, u32> = BTreeMap::new();
            for (_, key) in kept.keys() {
                *counts.entry(*key).or_default() += 1;
            }
            prop_assert_eq!(pools.counts(), &counts);
        }
    }

    /// After a round no two players are left over who accept each other.
    #[test]
    fn nobody_is_left_over_whom_another_left_over_accepts(
        ratings in prop::collection::vec(1_300.0..1_700.0, 2..40),
        waited in 0..8_000u64,
    ) {
        let people = (0..).zip(&ratings).map(|(number, rating)| entrant(number, *rating));
        let mut pools = pools(people);
        let busy: BTreeSet<PlayerId> = paired(&mut pools, waited).into_iter().flatten().collect();
        let left: Vec<f64> = (0..)
            .zip(&ratings)
            .filter(|(number, _)| !busy.contains(&id(*number)))
            .map(|(_, rating)| *rating)
            .collect();
        let within = Widening::of_pool(key(RATED_BLITZ)).within(60.0, waited);
        for (place, a) in left.iter().enumerate() {
            for b in &left[place + 1..] {
                prop_assert!((a - b).abs() > within, "{} and {} both wait", a, b);
            }
        }
    }
}

//! Limits on password guessing that make it hopeless without locking the owner out.
//!
//! A limit by name alone would lock the owner out for as long as somebody guesses; a limit by address alone would never stop an attacker
//! with many addresses. So attempts are counted by *guesser*, which is one of three:
//!
//! - a **known device** ([`crate::identity::devices`]), by its own number. The attempts of strangers do not affect it. Its own wrong passwords slow
//!   it as they slow anybody: a stolen cookie is no way around the limit.
//! - a **session** that changes its password, by its token: likewise.
//! - a **stranger**: a name together with a network. After `FREE` wrong passwords each further one doubles the wait.
//!
//! An attack on one name from many networks is slowed by the name: from `ATTACK_AT` wrong passwords of strangers on it is *under attack*.
//! A new network then has to wait for its turn, at a pace of one in `PACE`, and has one attempt before its waits double. The owner on a
//! new device waits as well, but never longer than `MAX_TURN`: a turn is kept, regardless of other attempts in the meantime. The price is
//! that an attacker with a thousand networks has a thousand first attempts. With waits that double to `MAX_WAIT` each network gets about
//! nine attempts in its first hour and one an hour from then on, far too few against a password that is not among the common ones, which
//! are refused.
//!
//! An attempt counts as wrong from its beginning, until it turns out right: parallel attempts gain nothing over successive ones. A right
//! password ends the waits of its own guesser only.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use mawe_wire::ids::TokenHash;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::identity::devices::DeviceId;

/// The wrong passwords of one guesser before it has to wait: people mistype, and try their older passwords.
const FREE: u32 = 5;

/// The wrong passwords of a stranger before it has to wait, at a name that is under attack.
const FREE_UNDER_ATTACK: u32 = 1;

/// The first wait. Each further wrong password doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(10);

/// The longest wait: long for a program, and short enough for an owner to come back after trying every password they remember.
const MAX_WAIT: Duration = Duration::from_secs(60 * 60);

/// The time without a wrong password after which a guesser is forgotten: longer than the longest wait.
const FORGET: Duration = Duration::from_secs(24 * 60 * 60);

/// The wrong passwords of strangers from which on a name is under attack: more than the owner and owners of similar names mistype.
const ATTACK_AT: u32 = 20;

/// The time in which one wrong password on a name is forgotten: the longer an attack was, the longer the pause until it is over.
const ATTACK_LEAK: Duration = Duration::from_secs(60);

/// The most wrong passwords counted on a name, so that an attack is over 40 minutes after its end.
const ATTACK_MAX: u32 = 60;

/// The interval of turns for strangers from new networks at a name under attack.
const PACE: Duration = Duration::from_secs(1);

/// The longest wait for a turn: a person waits a minute, and an attacker gains nothing by skipping the wait.
const MAX_TURN: Duration = Duration::from_secs(60);

/// The time for which an unused turn is kept.
const TURN_KEPT: Duration = Duration::from_secs(10 * 60);

/// The most guessers in memory, of some 100 bytes each. Filling the table takes as many attempts, each of which counts for its address.
/// A full table then forgets the guessers with the shortest waits, which are not the busiest ones.
const MAX_GUESSERS: usize = 100_000;

/// The most names in memory.
const MAX_NAMES: usize = 20_000;

/// The key of a name: a part of its hash, so that its size does not depend on the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NameKey([u8; 16]);

impl NameKey {
    /// Returns the key of a name, without regard to case.
    #[must_use]
    pub fn new(name: &str) -> NameKey {
        let hash: [u8; 32] = Sha256::digest(name.to_lowercase().as_bytes()).into();
        let (half, _) = hash.split_first_chunk().expect("a half of 32 bytes");
        NameKey(*half)
    }
}

/// The source of an attempt, by which wrong passwords are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "guesser", rename_all = "kebab-case")]
pub enum Guesser {
    /// A browser that has logged in to the account before.
    Device {
        /// The device.
        device: DeviceId,
    },
    /// A signed-in player who changes the password.
    Session {
        /// The hash of the session's token.
        session: TokenHash,
    },
    /// Any other source.
    Stranger {
        /// The name of the account.
        name: NameKey,
        /// The client's network.
        from: IpAddr,
    },
}

/// The result of an attempt that was not wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotWrong {
    /// The password was right.
    Right,
    /// The password was not checked.
    Untried,
}

/// The wait before the next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wait {
    /// The length of the wait.
    pub(super) time: Duration,
    /// Whether this attempt was given a new turn, which other nodes must be told.
    pub(super) is_new: bool,
}

/// The recent attempts.
#[derive(Debug, Default, Clone)]
pub(super) struct Guesses {
    guessers: HashMap<Guesser, Record>,
    names: HashMap<NameKey, Attack>,
}

#[derive(Debug, Clone, Copy)]
struct Record {
    wrong: u32,
    not_before: Instant,
    forget_at: Instant,
}

/// The attempts of strangers at a name.
#[derive(Debug, Clone, Copy)]
struct Attack {
    wrong: u32,
    /// The time up to which the leak has been subtracted from `wrong`.
    leaked: Instant,
    /// The time of the latest turn given.
    last_turn: Instant,
}

impl Guesses {
    /// Begins an attempt, which counts as wrong unless [`Guesses::undo`] is called.
    pub(super) fn begin(&mut self, by: &Guesser, now: Instant) -> Result<(), Wait> {
        match self.record(by, now) {
            Some(record) if record.not_before > now => Err(Wait {
                time: record.not_before - now,
                is_new: false,
            }),
            Some(_) => {
                self.count(by, now);
                Ok(())
            }
            None => {
                if let Guesser::Stranger { name, .. } = by
                    && let Some(attack) = self.attack(name, now)
                {
                    let turn = attack.last_turn.max(now) + PACE;
                    let time = turn.duration_since(now).min(MAX_TURN);
                    attack.last_turn = now + time;
                    self.give_turn(by, time, now);
                    return Err(Wait { time, is_new: true });
                }
                self.count(by, now);
                Ok(())
            }
        }
    }

    /// Counts a wrong password, of this node or another.
    pub(super) fn count(&mut self, by: &Guesser, now: Instant) {
        let mut free = FREE;
        if let Guesser::Stranger { name, .. } = by {
            if self.attack(name, now).is_some() {
                free = FREE_UNDER_ATTACK;
            }
            make_room(&mut self.names, MAX_NAMES, |attack| {
                attack.leaked + ATTACK_LEAK * attack.wrong
            });
            let attack = self.names.entry(*name).or_insert(Attack {
                wrong: 0,
                leaked: now,
                last_turn: now,
            });
            if attack.wrong == 0 {
                attack.leaked = now;
            }
            attack.wrong = (attack.wrong + 1).min(ATTACK_MAX);
        }
        let wrong = self.record(by, now).map_or(0, |record| record.wrong) + 1;
        let wait = match wrong.checked_sub(free) {
            Some(beyond) => FIRST_WAIT.saturating_mul(2u32.saturating_pow(beyond)),
            None => Duration::ZERO,
        };
        self.keep(
            by,
            Record {
                wrong,
                not_before: now + wait.min(MAX_WAIT),
                forget_at: now + FORGET,
            },
        );
    }

    /// Makes a guesser wait for its turn, given by this node or another.
    pub(super) fn give_turn(&mut self, by: &Guesser, wait: Duration, now: Instant) {
        if self.record(by, now).is_none() {
            let not_before = now + wait.min(MAX_TURN);
            self.keep(
                by,
                Record {
                    wrong: 0,
                    not_before,
                    forget_at: not_before + TURN_KEPT,
                },
            );
        }
    }

    /// Undoes an attempt that was not wrong.
    pub(super) fn undo(&mut self, by: &Guesser, outcome: NotWrong, now: Instant) {
        if let Guesser::Stranger { name, .. } = by
            && let Some(attack) = self.names.get_mut(name)
        {
            attack.wrong = attack.wrong.saturating_sub(1);
        }
        match outcome {
            NotWrong::Right => {
                self.guessers.remove(by);
            }
            NotWrong::Untried => {
                if let Some(record) = self.guessers.get_mut(by) {
                    record.wrong = record.wrong.saturating_sub(1);
                    // It had no wait, otherwise the attempt would have been refused.
                    record.not_before = now;
                }
            }
        }
    }

    /// Returns the record of a guesser, unless it has expired.
    fn record(&self, by: &Guesser, now: Instant) -> Option<Record> {
        let record = self.guessers.get(by).copied();
        record.filter(|record| record.forget_at > now)
    }

    fn keep(&mut self, by: &Guesser, record: Record) {
        make_room(&mut self.guessers, MAX_GUESSERS, |record| record.not_before);
        self.guessers.insert(*by, record);
    }

    /// Returns the attack on a name, if it is under attack.
    fn attack(&mut self, name: &NameKey, now: Instant) -> Option<&mut Attack> {
        let attack = self.names.get_mut(name)?;
        while attack.wrong > 0 && attack.leaked + ATTACK_LEAK <= now {
            attack.wrong -= 1;
            attack.leaked += ATTACK_LEAK;
        }
        Some(attack).filter(|attack| attack.wrong >= ATTACK_AT)
    }
}

/// Removes the half with the earlier times from a full table.
fn make_room<K: Hash + Eq + Copy, V>(
    table: &mut HashMap<K, V>,
    max: usize,
    time: impl Fn(&V) -> Instant,
) {
    if table.len() < max {
        return;
    }
    let mut times: Vec<Instant> = table.values().map(&time).collect();
    let middle = times.len() / 2;
    let (_, median, _) = times.select_nth_unstable(middle);
    let median = *median;
    table.retain(|_, value| time(value) > median);
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(60 * 60);

    fn device(number: u8) -> Guesser {
        let device = serde_json::from_value(vec![number; 12].into());
        Guesser::Device {
            device: device.expect("a device"),
        }
    }

    fn stranger(name: &str, host: u8) -> Guesser {
        Guesser::Stranger {
            name: NameKey::new(name),
            from: IpAddr::from([203, 0, 113, host]),
        }
    }

    /// Tries every second for an hour; returns the number of attempts admitted.
    fn tries(guesses: &mut Guesses, from: Instant, by: &[Guesser]) -> usize {
        let seconds = (0..HOUR.as_secs()).map(Duration::from_secs);
        let each = seconds.flat_map(|second| by.iter().map(move |by| (from + second, by)));
        each.filter(|(at, by)| guesses.begin(by, *at).is_ok())
            .count()
    }

    #[test]
    fn a_hundred_networks_guess_for_an_hour_and_the_owner_gets_in() {
        let (mut guesses, start) = (Guesses::default(), Instant::now());
        let strangers: Vec<Guesser> = (0..100).map(|host| stranger("Amina", host)).collect();
        let known = device(1);
        let mut let_try = 0;
        for second in 0..HOUR.as_secs() {
            let now = start + Duration::from_secs(second);
            let_try += strangers
                .iter()
                .filter(|by| guesses.begin(by, now).is_ok())
                .count();
            // The owner logs in repeatedly on a known device, and never has to wait.
            if second % 60 == 0 {
                assert_eq!(guesses.begin(&known, now), Ok(()), "{second}");
                guesses.undo(&known, NotWrong::Right, now);
            }
            // From time to time the owner also uses a new device, at a new address.
            if second % 600 == 300 {
                let host = u8::try_from(200 + second / 600).expect("six of them");
                let fresh = stranger("Amina", host);
                let wait = guesses
                    .begin(&fresh, now)
                    .expect_err("the name is under attack");
                assert!(wait.is_new && wait.time <= MAX_TURN, "{wait:?}");
                let turn = now + wait.time;
                // Other attempts go on during the wait; asking again does not lose the turn.
                let again = guesses.begin(&fresh, now + wait.time / 2);
                assert!(!again.expect_err("it is too early").is_new);
                assert_eq!(guesses.clone().begin(&fresh, turn), Ok(()));
            }
        }
        // Nine each: after 10, 20, 40 … 1280 s. At first some have five attempts before the name is under attack.
        assert!((800..=1_000).contains(&let_try), "{let_try}");
        // From then on each has one attempt an hour.
        let later = tries(&mut guesses, start + HOUR, &strangers);
        assert!(later <= 2 * strangers.len(), "{later}");
    }

    #[test]
    fn one_stranger_guesses_ever_slower() {
        let (mut guesses, start) = (Guesses::default(), Instant::now());
        let by = [stranger("Amina", 1)];
        assert_eq!(tries(&mut guesses, start, &by), 13);
        assert_eq!(tries(&mut guesses, start + HOUR, &by), 1);
        // Another name and another network are counted separately.
        assert_eq!(guesses.begin(&stranger("Zofia", 1), start + HOUR), Ok(()));
        assert_eq!(guesses.begin(&stranger("aMINA", 2), start + HOUR), Ok(()));
        // After a day without an attempt the waits start from the beginning.
        let day = start + 2 * HOUR + FORGET;
        assert_eq!(tries(&mut guesses, day, &by), 13);
    }

    #[test]
    fn a_stolen_device_is_slowed_as_a_stranger_is_and_makes_nobody_wait() {
        let (mut guesses, start) = (Guesses::default(), Instant::now());
        assert_eq!(tries(&mut guesses, start, &[device(1)]), 13);
        let now = start + HOUR;
        assert!(guesses.begin(&device(1), now).is_err());
        assert_eq!(guesses.begin(&device(2), now), Ok(()));
        assert_eq!(guesses.begin(&stranger("Amina", 1), now), Ok(()));
    }

    #[test]
    fn a_try_counts_from_its_beginning_and_a_right_one_ends_the_waits() {
        let (mut guesses, now) = (Guesses::default(), Instant::now());
        let by = stranger("Amina", 1);
        // All begin at once, before the first is known to be wrong.
        let begun = (0..100).filter(|_| guesses.begin(&by, now).is_ok());
        assert_eq!(begun.count(), FREE as usize);
        let later = now + FIRST_WAIT;
        assert_eq!(guesses.begin(&by, later), Ok(()));
        guesses.undo(&by, NotWrong::Right, later);
        let begun = (0..100).filter(|_| guesses.begin(&by, later).is_ok());
        assert_eq!(begun.count(), FREE as usize);
        // An unchecked attempt costs nothing.
        let (mut guesses, by) = (Guesses::default(), stranger("Zofia", 1));
        for _ in 0..100 {
            assert_eq!(guesses.begin(&by, now), Ok(()));
            guesses.undo(&by, NotWrong::Untried, now);
        }
        assert_eq!(tries(&mut guesses, now, &[by]), 13);
    }

    #[test]
    fn an_attack_ends() {
        let (mut guesses, start) = (Guesses::default(), Instant::now());
        let strangers: Vec<Guesser> = (0..100).map(|host| stranger("Amina", host)).collect();
        tries(&mut guesses, start, &strangers);
        assert!(
            guesses
                .begin(&stranger("Amina", 200), start + HOUR)
                .is_err()
        );
        let over = start + HOUR + ATTACK_LEAK * (ATTACK_MAX - ATTACK_AT + 1);
        assert_eq!(guesses.begin(&stranger("Amina", 201), over), Ok(()));
    }

    #[test]
    fn what_is_remembered_is_bounded_and_who_guesses_most_is_not_forgotten() {
        let (mut guesses, start) = (Guesses::default(), Instant::now());
        let worst = stranger("Amina", 1);
        tries(&mut guesses, start, &[worst]);
        let after = start + HOUR;
        let mut most = (0, 0);
        for number in 0..3 * MAX_GUESSERS {
            let by = stranger(&format!("N{number}"), 1);
            let now = after + Duration::from_millis(number as u64);
            assert_eq!(guesses.begin(&by, now), Ok(()));
            most = (
                most.0.max(guesses.guessers.len()),
                most.1.max(guesses.names.len()),
            );
        }
        assert!(most.0 <= MAX_GUESSERS && most.1 <= MAX_NAMES, "{most:?}");
        assert!(guesses.begin(&worst, after).is_err());
    }
}

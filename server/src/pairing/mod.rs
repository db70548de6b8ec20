//! Pairing: who waits for an opponent, and who gets whom.
//!
//! A state machine without a clock, chance or I/O of its own: time is passed in as milliseconds of a monotonic clock, chance as a coin.
//! Whoever runs it calls [`Pools::tick`] about once a second and does what it says.
//!
//! - A person has one ticket a pool, from however many sockets they asked; the ticket goes with the last of these.
//! - Two are paired when each accepts the other's rating; what one accepts widens with waiting. See [`Widening`].
//! - A person is paired once: [`Pools::tick`] sets a pair aside in all pools of both until it is said what became of it, by
//!   [`Pools::remove`] (they play) or [`Pools::release`] (it came to nothing: they wait on, and have lost no time).

mod matching;
pub mod penalty;
mod pool;
mod sides;

use std::collections::BTreeMap;

use mawe_rules::BySide;

pub use self::pool::{PoolId, PoolKey, UnknownPool};
pub use self::sides::{RECENT, SideHistory, seat};

use self::matching::{Candidate, Matched, matching};
use crate::ids::PlayerId;

/// Milliseconds of a monotonic clock.
pub type Millis = u64;

/// How many pools one person may wait in.
pub const MAX_POOLS: usize = 12;

/// Which difference of ratings somebody accepts: `base` at once, `per_second` more for each second of waiting, `most` in the end. Whose
/// rating is uncertain accepts more, by `per_deviation` for each point of deviation above [`SETTLED_DEVIATION`]: their number says
/// little. (Whom they meet has a say too: a settled player is not given away to somebody of whom nothing is known yet.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Widening {
    /// At once.
    pub base: f64,
    /// For each second.
    pub per_second: f64,
    /// For each point of deviation above a settled one.
    pub per_deviation: f64,
    /// In the end.
    pub most: f64,
}

/// The deviation of somebody who has played enough.
pub const SETTLED_DEVIATION: f64 = 75.0;

/// Where ratings change, the difference is what makes a match worth playing: `docs/pairing.md` has what comes of these.
pub const RATED: Widening = Widening {
    base: 60.0,
    per_second: 6.0,
    per_deviation: 0.5,
    most: 500.0,
};

/// Where they do not, somebody now is worth more than somebody like oneself later; and guests are of unknown strength anyway.
pub const CASUAL: Widening = Widening {
    base: 150.0,
    per_second: 15.0,
    per_deviation: 0.5,
    most: 1_000.0,
};

impl Widening {
    /// The widening of a pool.
    #[must_use]
    pub fn of(key: PoolKey) -> Widening {
        if key.rated { RATED } else { CASUAL }
    }

    /// The difference that somebody of this deviation accepts after waiting so long.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // a wait is far below 2^52 ms
    pub fn within(&self, deviation: f64, waited: Millis) -> f64 {
        let uncertain = (deviation - SETTLED_DEVIATION).max(0.0) * self.per_deviation;
        let waited_s = waited as f64 / 1_000.0;
        (self.base + self.per_second * waited_s + uncertain).min(self.most)
    }
}

/// Somebody who wants to be paired.
#[derive(Debug, Clone, PartialEq)]
pub struct Entrant {
    /// Who.
    pub player: PlayerId,
    /// Their rating at this game and speed.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// The sides they had of late in this game.
    pub sides: SideHistory,
    /// Whom they played last.
    pub last_opponent: Option<PlayerId>,
    /// Before this time they may not wait in any pool: they have walked away from matches. See [`penalty`].
    pub not_before: Millis,
}

/// Why somebody may not join a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// Not yet.
    NotYet {
        /// How much longer.
        retry_ms: Millis,
    },
    /// They wait in [`MAX_POOLS`] pools.
    TooManyPools,
}

/// How it stands with somebody who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// How long they have waited.
    pub waited: Millis,
    /// Which difference of ratings they accept by now.
    pub within: u32,
    /// How many wait in this pool, they included.
    pub waiting: u32,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Make a match between these. They are set aside until [`Pools::remove`] or [`Pools::release`].
    Pair {
        /// What they play.
        key: PoolKey,
        /// Who sits where.
        players: BySide<PlayerId>,
    },
    /// Nobody has come for a while: offer a computer opponent. Said once for each ticket.
    OfferBot {
        /// What they wait for.
        key: PoolKey,
        /// To whom.
        player: PlayerId,
        /// Their rating.
        rating: u32,
    },
}

/// All pools, and who waits in them.
#[derive(Debug, Default)]
pub struct Pools {
    /// After how long a computer opponent is offered; `None` for never.
    offer_after: Option<Millis>,
    people: BTreeMap<PlayerId, Person>,
    /// How many tickets there are, by pool: everybody who waits is told, so that it must not be counted anew each time.
    counts: BTreeMap<PoolKey, u32>,
}

#[derive(Debug, Default)]
struct Person {
    last_opponent: Option<PlayerId>,
    tickets: BTreeMap<PoolKey, Ticket>,
    /// A match is being made for them.
    set_aside: bool,
}

#[derive(Debug)]
struct Ticket {
    rating: f64,
    deviation: f64,
    sides: SideHistory,
    since: Millis,
    offer: Offer,
    /// The sockets that asked: a few at most, [`crate::sockets`] bounds how many a player has.
    sockets: Vec<u64>,
}

/// Whether a computer opponent was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    None,
    /// It is time; which one, is being looked for.
    Due,
    /// The one of this level.
    Made(u8),
}

impl Pools {
    /// Nobody waits.
    #[must_use]
    pub fn new(offer_after: Option<Millis>) -> Pools {
        Pools {
            offer_after,
            ..Pools::default()
        }
    }

    /// After how long a computer opponent is offered.
    #[must_use]
    pub fn offer_after(&self) -> Option<Millis> {
        self.offer_after
    }

    /// Somebody joins a pool, from a socket. Whoever waits there already has one more socket to their ticket, and waits no less.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn join(
        &mut self,
        now: Millis,
        key: PoolKey,
        entrant: Entrant,
        socket: u64,
    ) -> Result<(), Refused> {
        if now < entrant.not_before {
            let retry_ms = entrant.not_before - now;
            return Err(Refused::NotYet { retry_ms });
        }
        let person = self.people.get(&entrant.player);
        let is_new = person.is_none_or(|person| !person.tickets.contains_key(&key));
        if is_new && person.is_some_and(|person| person.tickets.len() >= MAX_POOLS) {
            return Err(Refused::TooManyPools);
        }
        let person = self.people.entry(entrant.player).or_default();
        person.last_opponent = entrant.last_opponent;
        let ticket = person.tickets.entry(key).or_insert_with(|| Ticket {
            rating: entrant.rating,
            deviation: entrant.deviation,
            sides: entrant.sides,
            since: now,
            offer: Offer::None,
            sockets: Vec::with_capacity(1),
        });
        ticket.add_socket(socket);
        if is_new {
            *self.counts.entry(key).or_default() += 1;
        }
        Ok(())
    }

    /// Somebody asks from one more socket for what they wait for already; `false` if they do not wait there.
    pub fn ask_again(&mut self, player: &PlayerId, key: PoolKey, socket: u64) -> bool {
        let person = self.people.get_mut(player);
        let ticket = person.and_then(|person| person.tickets.get_mut(&key));
        ticket.map(|ticket| ticket.add_socket(socket)).is_some()
    }

    /// Somebody leaves a pool, on all their devices. `false` if they were not in it.
    pub fn leave(&mut self, player: &PlayerId, key: PoolKey) -> bool {
        let person = self.people.get_mut(player);
        let left = person.is_some_and(|person| person.tickets.remove(&key).is_some());
        if left {
            self.uncount(&[key]);
            self.forget_if_done(player);
        }
        left
    }

    /// A socket is gone: with the last that asked for it, a ticket goes.
    pub fn close_socket(&mut self, player: &PlayerId, socket: u64) {
        let Some(person) = self.people.get_mut(player) else {
            return;
        };
        let mut gone = Vec::new();
        person.tickets.retain(|key, ticket| {
            ticket.sockets.retain(|other| *other != socket);
            if ticket.sockets.is_empty() {
                gone.push(*key);
            }
            !ticket.sockets.is_empty()
        });
        self.uncount(&gone);
        self.forget_if_done(player);
    }

    /// Somebody plays: they leave all pools. The pools they were in.
    pub fn remove(&mut self, player: &PlayerId) -> Vec<PoolKey> {
        let person = self.people.remove(player).unwrap_or_default();
        let left: Vec<PoolKey> = person.tickets.into_keys().collect();
        self.uncount(&left);
        left
    }

    /// Sets somebody aside who is being seated at a match, whether they wait in a pool or not, so that nobody is paired with them;
    /// `false` if they are set aside already.
    pub fn set_aside(&mut self, player: &PlayerId) -> bool {
        let person = self.people.entry(player.clone()).or_default();
        !std::mem::replace(&mut person.set_aside, true)
    }

    /// What somebody was set aside for came to nothing: they wait on.
    pub fn release(&mut self, player: &PlayerId) {
        if let Some(person) = self.people.get_mut(player) {
            person.set_aside = false;
        }
        self.forget_if_done(player);
    }

    /// A computer opponent of this level was found for somebody; the sockets to tell.
    pub fn offer(&mut self, player: &PlayerId, key: PoolKey, level: u8) -> &[u64] {
        let person = self.people.get_mut(player);
        let ticket = person.and_then(|person| person.tickets.get_mut(&key));
        ticket.map_or(&[], |ticket| {
            ticket.offer = Offer::Made(level);
            &ticket.sockets
        })
    }

    /// The level of the computer opponent that was offered to somebody, and the sides they had of late.
    #[must_use]
    pub fn offered(&self, player: &PlayerId, key: PoolKey) -> Option<(u8, SideHistory)> {
        let ticket = self.people.get(player)?.tickets.get(&key)?;
        match ticket.offer {
            Offer::Made(level) => Some((level, ticket.sides)),
            Offer::None | Offer::Due => None,
        }
    }

    /// How it stands with somebody who waits in a pool.
    #[must_use]
    pub fn standing(&self, now: Millis, player: &PlayerId, key: PoolKey) -> Option<Standing> {
        let ticket = self.people.get(player)?.tickets.get(&key)?;
        Some(ticket.standing(now, key, self.waiting(key)))
    }

    /// How it stands with everybody, with the sockets to tell.
    pub fn standings(&self, now: Millis) -> impl Iterator<Item = (PoolKey, Standing, &[u64])> {
        let tickets = self.people.values().flat_map(|person| &person.tickets);
        tickets.map(move |(key, ticket)| {
            let standing = ticket.standing(now, *key, self.waiting(*key));
            (*key, standing, ticket.sockets.as_slice())
        })
    }

    /// How many wait, in the pools in which somebody does.
    #[must_use]
    pub fn counts(&self) -> &BTreeMap<PoolKey, u32> {
        &self.counts
    }

    /// A round of pairing. `coin` decides what nothing else does.
    pub fn tick(&mut self, now: Millis, mut coin: impl FnMut() -> bool) -> Vec<Effect> {
        let (ids, mut pools) = self.candidates(now);
        let matched = matching(&mut pools, ids.len());
        let mut effects = Vec::with_capacity(matched.len());
        for Matched { pool, a, b } in matched {
            let seats = [&ids[a], &ids[b]].map(|id| (id.clone(), self.set_pair_aside(id, pool)));
            let [a, b] = seats;
            effects.push(Effect::Pair {
                key: pool,
                players: seat(a, b, &mut coin),
            });
        }
        self.offer_bots(now, &mut effects);
        effects
    }

    /// Who can be paired, numbered, and with what they have by pool.
    fn candidates(&self, now: Millis) -> (Vec<PlayerId>, Vec<(PoolKey, Vec<Candidate>)>) {
        let free = || self.people.iter().filter(|(_, person)| !person.set_aside);
        let ids: Vec<PlayerId> = free().map(|(id, _)| id.clone()).collect();
        let mut pools: BTreeMap<PoolKey, Vec<Candidate>> = BTreeMap::new();
        for (number, (_, person)) in free().enumerate() {
            let last = person.last_opponent.as_ref();
            // Sorted, as the people are.
            let last = last.and_then(|last| ids.binary_search(last).ok());
            for (key, ticket) in &person.tickets {
                let waited = now.saturating_sub(ticket.since);
                pools.entry(*key).or_default().push(Candidate {
                    person: number,
                    rating: ticket.rating,
                    within: Widening::of(*key).within(ticket.deviation, waited),
                    waited,
                    sides: ticket.sides,
                    last,
                });
            }
        }
        (ids, pools.into_iter().collect())
    }

    fn set_pair_aside(&mut self, id: &PlayerId, key: PoolKey) -> SideHistory {
        let Some(person) = self.people.get_mut(id) else {
            return SideHistory::default();
        };
        person.set_aside = true;
        let ticket = person.tickets.get(&key);
        ticket.map_or_else(SideHistory::default, |ticket| ticket.sides)
    }

    fn offer_bots(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let Some(after) = self.offer_after else {
            return;
        };
        let free = self
            .people
            .iter_mut()
            .filter(|(_, person)| !person.set_aside);
        for (player, person) in free {
            for (key, ticket) in &mut person.tickets {
                if ticket.offer == Offer::None && now.saturating_sub(ticket.since) >= after {
                    ticket.offer = Offer::Due;
                    effects.push(Effect::OfferBot {
                        key: *key,
                        player: player.clone(),
                        rating: points(ticket.rating),
                    });
                }
            }
        }
    }

    fn waiting(&self, key: PoolKey) -> u32 {
        self.counts.get(&key).copied().unwrap_or_default()
    }

    /// One waits less in each of these.
    fn uncount(&mut self, keys: &[PoolKey]) {
        for key in keys {
            if let Some(count) = self.counts.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(key);
                }
            }
        }
    }

    /// Whoever waits in no pool is forgotten; but not while a match is being made for them, so that they are not paired a second time
    /// should they come back meanwhile.
    fn forget_if_done(&mut self, player: &PlayerId) {
        let done = |person: &Person| person.tickets.is_empty() && !person.set_aside;
        if self.people.get(player).is_some_and(done) {
            self.people.remove(player);
        }
    }
}

impl Ticket {
    fn add_socket(&mut self, socket: u64) {
        if !self.sockets.contains(&socket) {
            self.sockets.push(socket);
        }
    }

    fn standing(&self, now: Millis, key: PoolKey, waiting: u32) -> Standing {
        let waited = now.saturating_sub(self.since);
        Standing {
            waited,
            within: points(Widening::of(key).within(self.deviation, waited)),
            waiting,
        }
    }
}

/// Points of rating, whole.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a cast of a float saturates
fn points(value: f64) -> u32 {
    value.round() as u32
}

#[cfg(test)]
mod tests;

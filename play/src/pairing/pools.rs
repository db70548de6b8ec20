//! Pairing: the players who wait for an opponent, and the pairs made from them.
//!
//! A state machine without clock, randomness or I/O: time is passed in as milliseconds of a monotonic clock, chance as a coin. The caller
//! runs [`Pools::tick`] about once a second and carries out the effects.
//!
//! - A person has one ticket for each pool, shared by all sockets that asked for it; the ticket ends with the last of them.
//! - Two persons are paired when each accepts the other's rating; the accepted difference widens with waiting. See [`Widening`].
//! - A person is paired once: [`Pools::tick`] sets a pair aside in all pools of both until the caller reports the outcome, by
//!   [`Pools::remove`] (they play) or [`Pools::release`] (no match was made: they wait on, and keep their waiting time).

use std::collections::{BTreeMap, BTreeSet};

use mawe_rules::BySide;
use mawe_wire::ids::PlayerId;
use mawe_wire::pool::PoolKey;

use super::matching::{Apart, Candidate, Matched, matching};
use super::sides::{SideHistory, seat};
use super::widening::{Millis, Widening};

/// Maximum number of pools that one person may wait in.
pub const MAX_POOLS: usize = 12;

/// A player who asks to be paired.
#[derive(Debug, Clone, PartialEq)]
pub struct Entrant {
    /// Id of the player.
    pub player: PlayerId,
    /// Their rating at this game and speed.
    pub rating: f64,
    /// Deviation of the rating.
    pub deviation: f64,
    /// Sides in the player's latest matches of this game.
    pub sides: SideHistory,
    /// The last opponent.
    pub last_opponent: Option<PlayerId>,
    /// Time before which the player may not wait in any pool, after abandoning matches or calling them off. See [`penalty`](super::penalty).
    pub not_before: Millis,
}

/// Reason for which a player may not join a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The player must wait first.
    NotYet {
        /// Remaining wait.
        retry_ms: Millis,
    },
    /// The player waits in [`MAX_POOLS`] pools already.
    TooManyPools,
}

/// State of a player's ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Time waited so far.
    pub waited: Millis,
    /// The rating difference accepted by now, in points.
    pub within: u32,
    /// Number of players in this pool, including this one.
    pub waiting: u32,
}

/// An action for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Make a match between these. They are set aside until [`Pools::remove`] or [`Pools::release`].
    Pair {
        /// The pool, which sets the game and time control.
        key: PoolKey,
        /// The players by side.
        players: BySide<PlayerId>,
    },
    /// Offer a computer opponent, since no opponent has come for a while. Occurs once for each ticket.
    OfferBot {
        /// The pool of the ticket.
        key: PoolKey,
        /// The player to offer it to.
        player: PlayerId,
        /// Their rating.
        rating: u32,
    },
}

/// All pools and their tickets.
#[derive(Debug, Default)]
pub struct Pools {
    /// Waiting time after which a computer opponent is offered; `None` for never.
    offer_after: Option<Millis>,
    people: BTreeMap<PlayerId, Person>,
    /// Number of tickets by pool, kept because every standing contains it.
    counts: BTreeMap<PoolKey, u32>,
}

#[derive(Debug, Default)]
struct Person {
    last_opponent: Option<PlayerId>,
    /// Players with whom no match can be made.
    apart: BTreeSet<PlayerId>,
    tickets: BTreeMap<PoolKey, Ticket>,
    /// Whether a match is being made for them.
    set_aside: bool,
}

#[derive(Debug)]
struct Ticket {
    rating: f64,
    deviation: f64,
    sides: SideHistory,
    since: Millis,
    offer: BotOffer,
    /// The sockets that asked: few, since the server limits the sockets of a player.
    sockets: Vec<u64>,
}

/// Whether a computer opponent was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BotOffer {
    None,
    /// The offer is due; the opponent is being chosen.
    Due,
    /// A computer opponent of this level was offered.
    Made(u8),
}

/// The input of a round of pairing.
struct Round {
    /// The free players, in order.
    ids: Vec<PlayerId>,
    /// Their tickets by pool, with indices into `ids`.
    pools: Vec<(PoolKey, Vec<Candidate>)>,
    /// The pairs to keep apart, as indices into `ids`.
    apart: Apart,
}

impl Pools {
    /// Creates empty pools.
    #[must_use]
    pub fn new(offer_after: Option<Millis>) -> Pools {
        Pools {
            offer_after,
            ..Pools::default()
        }
    }

    /// Waiting time after which a computer opponent is offered; `None` for never.
    #[must_use]
    pub fn offer_after(&self) -> Option<Millis> {
        self.offer_after
    }

    /// Adds a player to a pool, from a socket. If the player waits there already, the socket is added to the ticket, and the waiting time
    /// goes on.
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
            offer: BotOffer::None,
            sockets: Vec::with_capacity(1),
        });
        ticket.add_socket(socket);
        if is_new {
            *self.counts.entry(key).or_default() += 1;
        }
        Ok(())
    }

    /// Adds a socket to an existing ticket; `false` if the player does not wait there.
    pub fn ask_again(&mut self, player: &PlayerId, key: PoolKey, socket: u64) -> bool {
        let person = self.people.get_mut(player);
        let ticket = person.and_then(|person| person.tickets.get_mut(&key));
        ticket.map(|ticket| ticket.add_socket(socket)).is_some()
    }

    /// Takes a player out of a pool, on all devices. `false` if they were not in it.
    pub fn leave(&mut self, player: &PlayerId, key: PoolKey) -> bool {
        let person = self.people.get_mut(player);
        let left = person.is_some_and(|person| person.tickets.remove(&key).is_some());
        if left {
            self.uncount(&[key]);
            self.forget_if_done(player);
        }
        left
    }

    /// Removes a closed socket, and the tickets that no other socket asked for.
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

    /// Takes a player out of all pools because they have a match. Returns the pools they were in.
    pub fn remove(&mut self, player: &PlayerId) -> Vec<PoolKey> {
        let person = self.people.remove(player).unwrap_or_default();
        let left: Vec<PoolKey> = person.tickets.into_keys().collect();
        self.uncount(&left);
        left
    }

    /// Sets a player aside who is being seated at a match, whether they wait in a pool or not, so that they are not paired meanwhile.
    /// `false` if they are set aside already.
    pub fn set_aside(&mut self, player: &PlayerId) -> bool {
        let person = self.people.entry(player.clone()).or_default();
        !std::mem::replace(&mut person.set_aside, true)
    }

    /// Ends the setting aside when no match was made: the player waits on.
    pub fn release(&mut self, player: &PlayerId) {
        if let Some(person) = self.people.get_mut(player) {
            person.set_aside = false;
        }
        self.forget_if_done(player);
    }

    /// Records that no match can be made between two players, because of a block: they are not paired with each other while
    /// both wait.
    pub fn keep_apart(&mut self, a: &PlayerId, b: &PlayerId) {
        if let Some(person) = self.people.get_mut(a) {
            person.apart.insert(b.clone());
        }
    }

    /// Records the level of the computer opponent that is offered to a player; returns the sockets to tell.
    pub fn offer(&mut self, player: &PlayerId, key: PoolKey, level: u8) -> &[u64] {
        let person = self.people.get_mut(player);
        let ticket = person.and_then(|person| person.tickets.get_mut(&key));
        ticket.map_or(&[], |ticket| {
            ticket.offer = BotOffer::Made(level);
            &ticket.sockets
        })
    }

    /// Returns the level of the computer opponent that was offered, and the player's recent sides.
    #[must_use]
    pub fn offered(&self, player: &PlayerId, key: PoolKey) -> Option<(u8, SideHistory)> {
        let ticket = self.people.get(player)?.tickets.get(&key)?;
        match ticket.offer {
            BotOffer::Made(level) => Some((level, ticket.sides)),
            BotOffer::None | BotOffer::Due => None,
        }
    }

    /// The player's standing in a pool.
    #[must_use]
    pub fn standing(&self, now: Millis, player: &PlayerId, key: PoolKey) -> Option<Standing> {
        let ticket = self.people.get(player)?.tickets.get(&key)?;
        Some(ticket.standing(now, key, self.waiting(key)))
    }

    /// The standings of all tickets, with the sockets to tell.
    pub fn standings(&self, now: Millis) -> impl Iterator<Item = (PoolKey, Standing, &[u64])> {
        let tickets = self.people.values().flat_map(|person| &person.tickets);
        tickets.map(move |(key, ticket)| {
            let standing = ticket.standing(now, *key, self.waiting(*key));
            (*key, standing, ticket.sockets.as_slice())
        })
    }

    /// Number of tickets by pool; empty pools are absent.
    #[must_use]
    pub fn counts(&self) -> &BTreeMap<PoolKey, u32> {
        &self.counts
    }

    /// Runs a round of pairing. `coin` decides the seats of a pair with equal claims.
    pub fn tick(&mut self, now: Millis, mut coin: impl FnMut() -> bool) -> Vec<Effect> {
        let Round {
            ids,
            mut pools,
            apart,
        } = self.round(now);
        let matched = matching(&mut pools, ids.len(), &apart);
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

    /// Returns the present round of pairing.
    fn round(&self, now: Millis) -> Round {
        let free = || self.people.iter().filter(|(_, person)| !person.set_aside);
        let ids: Vec<PlayerId> = free().map(|(id, _)| id.clone()).collect();
        let mut pools: BTreeMap<PoolKey, Vec<Candidate>> = BTreeMap::new();
        let mut apart = Apart::default();
        for (number, (_, person)) in free().enumerate() {
            let last = person.last_opponent.as_ref();
            // `ids` is sorted, since `people` is.
            let last = last.and_then(|last| ids.binary_search(last).ok());
            for other in &person.apart {
                if let Ok(other) = ids.binary_search(other) {
                    apart.add(number, other);
                }
            }
            for (key, ticket) in &person.tickets {
                let waited = now.saturating_sub(ticket.since);
                pools.entry(*key).or_default().push(Candidate {
                    person: number,
                    rating: ticket.rating,
                    within: Widening::of_pool(*key).within(ticket.deviation, waited),
                    waited,
                    sides: ticket.sides,
                    last,
                });
            }
        }
        Round {
            ids,
            pools: pools.into_iter().collect(),
            apart,
        }
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
                if ticket.offer == BotOffer::None && now.saturating_sub(ticket.since) >= after {
                    ticket.offer = BotOffer::Due;
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

    /// Subtracts one from the count of each of these pools.
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

    /// Removes a person without tickets; but not while a match is being made for them, or they could be paired a second time after coming
    /// back.
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
            within: points(Widening::of_pool(key).within(self.deviation, waited)),
            waiting,
        }
    }
}

/// Rounds to whole rating points.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a cast of a float saturates
fn points(value: f64) -> u32 {
    value.round() as u32
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

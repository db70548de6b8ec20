//! Quotas of requests by address, by account and by token, and the headers that report them.
//!
//! They are generous for people and for programs that pace themselves, and keep one client from using up the server. The headers are
//! those of draft-ietf-httpapi-ratelimit-headers-10. Sockets are not counted here: they have limits of their own, and after a restart all
//! of them reconnect at once.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{NotUntil, Quota, RateLimiter};
use mawe_wire::ids::{PlayerId, TokenHash};

use crate::limits::TooMany;
use crate::limits::network::{SWEEP_AT, network};

/// Requests of one account in a minute. A page that is open in many tabs makes a tenth of them.
const ACCOUNT: PerMinute = PerMinute {
    read: 1_200,
    write: 480,
    create: 120,
};

/// Requests of one token in a minute: half of the account's, so that a faulty program leaves the other half to its owner.
const TOKEN: PerMinute = PerMinute {
    read: 600,
    write: 240,
    create: 60,
};

/// Files of the page that an address may fetch for each request to the API: a first visit loads some fifty before its first request, and
/// the service worker fetches all of them once more, which counts as some 430. A class of thirty does so at once.
const FILES_PER_REQUEST: u32 = 4;

/// A file counts once more for each of this many bytes.
const BYTES_PER_FILE: usize = 64 * 1024;

/// The requests to the API for each picture that an address may have drawn: a picture takes a tenth of a second of a thread
/// on a busy machine.
const REQUESTS_PER_PICTURE: u32 = 50;

/// The requests to the API for each exact value that an address may have searched: a search takes a quarter of a second of a thread at most.
const REQUESTS_PER_VALUE: u32 = 200;

/// The requests to the API for each import of games: its text is judged within some 20 milliseconds, on a busy machine.
const REQUESTS_PER_IMPORT: u32 = 50;

/// The window of a quota, in seconds.
pub(crate) const WINDOW_S: u32 = 60;

#[derive(Debug, Clone, Copy)]
struct PerMinute {
    read: u32,
    write: u32,
    create: u32,
}

/// The kind of a request: the more expensive, the lower its quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Reads data.
    Read,
    /// Changes data.
    Write,
    /// Creates something that is stored.
    Create,
}

type Limiter<K> =
    RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// The buckets of one type of key.
#[derive(Debug)]
pub(crate) struct Buckets<K: Hash + Eq + Clone> {
    names: [&'static str; 3],
    limiters: [Limiter<K>; 3],
}

impl<K: Hash + Eq + Clone> Buckets<K> {
    fn new(names: [&'static str; 3], per_minute: PerMinute) -> Buckets<K> {
        Buckets {
            names,
            limiters: [per_minute.read, per_minute.write, per_minute.create].map(limiter),
        }
    }

    /// Takes one token; returns the rest, and on refusal the seconds to wait.
    pub(crate) fn acquire(&self, kind: Kind, key: &K) -> (Left, Result<(), u64>) {
        let (name, limiter) = (self.names[kind as usize], &self.limiters[kind as usize]);
        if limiter.len() > SWEEP_AT {
            limiter.retain_recent();
        }
        let left = |quota: Quota, rest: u32| Left {
            name,
            quota: quota.burst_size().get(),
            rest,
        };
        match limiter.check_key(key) {
            Ok(state) => (
                left(state.quota(), state.remaining_burst_capacity()),
                Ok(()),
            ),
            Err(refused) => (left(refused.quota(), 0), Err(wait_s(&refused))),
        }
    }
}

/// The state of one bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) name: &'static str,
    pub(crate) quota: u32,
    pub(crate) rest: u32,
}

impl Left {
    /// Returns the seconds until the bucket is full again.
    pub(crate) fn whole_in_s(self) -> u32 {
        let gone = u64::from(self.quota.saturating_sub(self.rest));
        let seconds = (gone * u64::from(WINDOW_S)).div_ceil(u64::from(self.quota.max(1)));
        u32::try_from(seconds).unwrap_or(u32::MAX)
    }
}

/// The buckets of a node.
#[derive(Debug)]
pub struct Quotas {
    pub(crate) addresses: Buckets<IpAddr>,
    pub(crate) accounts: Buckets<PlayerId>,
    pub(crate) tokens: Buckets<TokenHash>,
    /// Files of the page, by address.
    files: Limiter<IpAddr>,
    /// Exact values searched, by address.
    values: Limiter<IpAddr>,
    /// Imports of games, by address.
    imports: Limiter<IpAddr>,
    /// Pictures drawn, by address.
    pictures: Limiter<IpAddr>,
    /// The number of pictures that an address may have drawn in a minute.
    pictures_per_minute: NonZeroU32,
}

impl Quotas {
    /// Creates the quotas with `per_minute` requests of one address, of which a quarter may be writes and a twentieth creations. A whole
    /// school may share one address.
    #[must_use]
    pub fn new(per_minute: NonZeroU32) -> Quotas {
        let address = PerMinute {
            read: per_minute.get(),
            write: per_minute.get() / 4,
            create: per_minute.get() / 20,
        };
        let pictures = per_minute.get() / REQUESTS_PER_PICTURE;
        Quotas {
            addresses: Buckets::new(["address-read", "address-write", "address-create"], address),
            accounts: Buckets::new(["account-read", "account-write", "account-create"], ACCOUNT),
            tokens: Buckets::new(["token-read", "token-write", "token-create"], TOKEN),
            files: limiter(per_minute.get().saturating_mul(FILES_PER_REQUEST)),
            values: limiter(per_minute.get() / REQUESTS_PER_VALUE),
            imports: limiter(per_minute.get() / REQUESTS_PER_IMPORT),
            pictures: limiter(pictures),
            pictures_per_minute: NonZeroU32::new(pictures).unwrap_or(NonZeroU32::MIN),
        }
    }

    /// Counts a search for an exact value.
    pub fn value(&self, from: IpAddr) -> Result<(), TooMany> {
        acquire(&self.values, from, NonZeroU32::MIN)
    }

    /// Counts an import of games.
    pub fn import(&self, from: IpAddr) -> Result<(), TooMany> {
        acquire(&self.imports, from, NonZeroU32::MIN)
    }

    /// Counts a drawing at the cost of this number of pictures, at most the quota of a minute.
    pub fn pictures(&self, from: IpAddr, number: NonZeroU32) -> Result<(), TooMany> {
        acquire(&self.pictures, from, number.min(self.pictures_per_minute))
    }

    /// Counts a file of the page, or a similarly public and constant document, of so many bytes: large ones count more.
    pub fn file(&self, from: IpAddr, bytes: usize) -> Result<(), TooMany> {
        let cost = u32::try_from(1 + bytes / BYTES_PER_FILE).unwrap_or(u32::MAX);
        acquire(
            &self.files,
            from,
            NonZeroU32::new(cost).unwrap_or(NonZeroU32::MIN),
        )
    }
}

/// Takes so many tokens of the network of an address.
fn acquire(limiter: &Limiter<IpAddr>, from: IpAddr, number: NonZeroU32) -> Result<(), TooMany> {
    if limiter.len() > SWEEP_AT {
        limiter.retain_recent();
    }
    let retry_s = match limiter.check_key_n(&network(from), number) {
        Ok(Ok(_)) => return Ok(()),
        Ok(Err(refused)) => wait_s(&refused),
        // More than the operator's quota for a minute.
        Err(_) => u64::from(WINDOW_S),
    };
    Err(TooMany { retry_s })
}

/// Returns a limiter of `number` requests in a minute, all of which may come at once.
fn limiter<K: Hash + Eq + Clone>(number: u32) -> Limiter<K> {
    let number = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
    RateLimiter::keyed(Quota::per_minute(number)).with_middleware::<StateInformationMiddleware>()
}

/// Returns the seconds to wait after a refusal.
fn wait_s(refused: &NotUntil<<DefaultClock as Clock>::Instant>) -> u64 {
    refused
        .wait_time_from(DefaultClock::default().now())
        .as_secs()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_emptied_and_says_so() {
        let quotas = Quotas::new(NonZeroU32::new(60).expect("not zero"));
        let here = IpAddr::from([10, 0, 0, 1]);
        for rest in (0..3).rev() {
            let (left, outcome) = quotas.addresses.acquire(Kind::Create, &here);
            let name = "address-create";
            assert_eq!(
                left,
                Left {
                    name,
                    quota: 3,
                    rest
                }
            );
            assert_eq!(outcome, Ok(()));
        }
        let (left, outcome) = quotas.addresses.acquire(Kind::Create, &here);
        assert_eq!((left.rest, left.whole_in_s()), (0, 60));
        assert!(outcome.is_err_and(|wait| (1..=21).contains(&wait)));
        // Other kinds and other addresses have their own buckets.
        let there = IpAddr::from([10, 0, 0, 2]);
        assert_eq!(quotas.addresses.acquire(Kind::Create, &there).1, Ok(()));
        assert_eq!(quotas.addresses.acquire(Kind::Write, &here).1, Ok(()));
    }
}

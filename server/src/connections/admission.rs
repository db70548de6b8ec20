//! Limits on the number of open connections, sockets and requests: by address and in all, with a reserve for players.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use clap::Args;
use governor::{DefaultKeyedRateLimiter, Quota};
use parking_lot::Mutex;

use crate::limits::network::{SWEEP_AT, network};
use crate::meters::Counter;

/// The default number of connections of one address. Enough for a school of two hundred children behind one address, each with a page
/// that loads over six connections, as long as they do not all load it in the same second.
const CONNECTIONS_PER_ADDRESS: NonZeroU32 = NonZeroU32::new(1_024).expect("not zero");

/// The default number of sockets of one address: two hundred children with two tabs each.
const SOCKETS_PER_ADDRESS: NonZeroU32 = NonZeroU32::new(400).expect("not zero");

/// The default number of connections in all, if the system allows as many open files. Each costs some kilobytes.
const CONNECTIONS: NonZeroU32 = NonZeroU32::new(50_000).expect("not zero");

/// Open files that are not connections: the store, other nodes, push services, logs, and the files of the system libraries.
const OTHER_FILES: u64 = 128;

/// One connection in this many is reserved for players in running matches.
const RESERVE: usize = 8;

/// One address may have at most one in this many of all connections, where its own limit is higher.
const SHARE: usize = 2;

/// The burst of socket openings of one address, in multiples of its socket limit: after a restart all clients reconnect, and some try
/// twice.
const OPENINGS: u32 = 2;

/// The limits that an operator can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct ConnectionLimits {
    /// The greatest number of connections, if the system permits as many open files.
    #[arg(long, env = "MAWE_CONNECTIONS", value_name = "N", default_value_t = CONNECTIONS)]
    pub connections: NonZeroU32,
    /// The greatest number of connections of one address; behind a proxy, of concurrent requests.
    #[arg(
        long,
        env = "MAWE_CONNECTIONS_PER_ADDRESS",
        value_name = "N",
        default_value_t = CONNECTIONS_PER_ADDRESS
    )]
    pub connections_per_address: NonZeroU32,
    /// The greatest number of sockets and streams of one address, and of new ones in a minute.
    #[arg(
        long,
        env = "MAWE_SOCKETS_PER_ADDRESS",
        value_name = "N",
        default_value_t = SOCKETS_PER_ADDRESS
    )]
    pub sockets_per_address: NonZeroU32,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            connections: CONNECTIONS,
            connections_per_address: CONNECTIONS_PER_ADDRESS,
            sockets_per_address: SOCKETS_PER_ADDRESS,
        }
    }
}

/// The reason for a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The server has reached its limit of connections.
    #[error("there are as many as the server takes (--connections)")]
    Full,
    /// The address has reached its own limit.
    #[error(
        "this address has as many as one address may have (--connections-per-address, --sockets-per-address); if it is a proxy, set --behind-proxy"
    )]
    Address,
}

/// The kind of client that requests a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// A client that is not a player of a running match.
    Anybody,
    /// A player of a running match, bounded only by the number of connections in all.
    Player,
}

/// The counts of open connections, sockets and requests, and their limits.
#[derive(Debug)]
pub struct Admission {
    connections: usize,
    /// Connections beyond this number are from the reserve.
    connections_for_all: usize,
    connections_per_address: usize,
    sockets_per_address: usize,
    open: Mutex<Open>,
    openings: DefaultKeyedRateLimiter<IpAddr>,
    refused: Counter,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    connections: HashMap<IpAddr, usize>,
    sockets: HashMap<IpAddr, usize>,
    requests: HashMap<IpAddr, usize>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Connection {
        /// Whether the connection counts for its address.
        bounded: bool,
        from_reserve: bool,
    },
    Socket,
    Request,
}

impl Admission {
    /// Creates the counts for these limits, in a process that may have `open_files` files open.
    #[must_use]
    pub fn new(limits: &ConnectionLimits, open_files: u64) -> Arc<Admission> {
        // If the process may open very few files, at most half of them are set aside for other uses.
        let files = (open_files - OTHER_FILES.min(open_files / 2)).max(1);
        let set = |number: NonZeroU32| usize::try_from(number.get()).unwrap_or(usize::MAX);
        let connections = usize::try_from(files)
            .unwrap_or(usize::MAX)
            .min(set(limits.connections));
        let reserve = connections / RESERVE;
        let openings = Quota::per_minute(limits.sockets_per_address).allow_burst(
            limits
                .sockets_per_address
                .saturating_mul(NonZeroU32::new(OPENINGS).unwrap_or(NonZeroU32::MIN)),
        );
        Arc::new(Admission {
            connections,
            connections_for_all: connections - reserve,
            connections_per_address: set(limits.connections_per_address)
                .min((connections / SHARE).max(1)),
            sockets_per_address: set(limits.sockets_per_address),
            open: Mutex::default(),
            openings: DefaultKeyedRateLimiter::keyed(openings),
            refused: Counter::default(),
        })
    }

    /// Returns the number of open connections.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open.lock().all
    }

    /// Returns the number of connections that were refused since the start.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused.get()
    }

    /// Counts a connection that was refused.
    pub(crate) fn note_refused(&self) {
        self.refused.count();
    }

    /// Returns the limit of connections in all.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections
    }

    /// Admits a connection from an address; `bounded` says whether it counts for the address.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn connection(self: &Arc<Self>, from: IpAddr, bounded: bool) -> Result<Permit, Refused> {
        let network = network(from);
        let mut open = self.open.lock();
        if open.all >= self.connections {
            return Err(Refused::Full);
        }
        if bounded {
            enter(&mut open.connections, network, self.connections_per_address)?;
        }
        open.all += 1;
        let from_reserve = open.all > self.connections_for_all;
        Ok(self.permit(
            network,
            Kind::Connection {
                bounded,
                from_reserve,
            },
        ))
    }

    /// Admits a request of an address behind a proxy.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn request(self: &Arc<Self>, from: IpAddr) -> Result<Permit, Refused> {
        let network = network(from);
        enter(
            &mut self.open.lock().requests,
            network,
            self.connections_per_address,
        )?;
        Ok(self.permit(network, Kind::Request))
    }

    /// Admits a socket or stream of an address, over a connection that was admitted.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn socket(self: &Arc<Self>, from: IpAddr, asks: Asks) -> Result<Permit, Refused> {
        let network = network(from);
        let mut open = self.open.lock();
        match asks {
            Asks::Player => enter(&mut open.sockets, network, usize::MAX)?,
            Asks::Anybody => {
                if open.all > self.connections_for_all {
                    return Err(Refused::Full);
                }
                enter(&mut open.sockets, network, self.sockets_per_address)?;
                if self.openings.len() > SWEEP_AT {
                    self.openings.retain_recent();
                }
                if self.openings.check_key(&network).is_err() {
                    leave(&mut open.sockets, network);
                    return Err(Refused::Address);
                }
            }
        }
        drop(open);
        Ok(self.permit(network, Kind::Socket))
    }

    fn permit(self: &Arc<Self>, network: IpAddr, kind: Kind) -> Permit {
        Permit {
            admission: Arc::clone(self),
            network,
            kind,
        }
    }
}

fn enter(counts: &mut HashMap<IpAddr, usize>, network: IpAddr, most: usize) -> Result<(), Refused> {
    let count = counts.entry(network).or_default();
    if *count >= most {
        return Err(Refused::Address);
    }
    *count += 1;
    Ok(())
}

fn leave(counts: &mut HashMap<IpAddr, usize>, network: IpAddr) {
    if let Some(count) = counts.get_mut(&network) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&network);
        }
    }
}

/// A counted connection, socket or request; dropping it decrements the count.
#[derive(Debug)]
pub struct Permit {
    admission: Arc<Admission>,
    network: IpAddr,
    kind: Kind,
}

impl Permit {
    /// Returns whether this is a connection from the reserve for players.
    #[must_use]
    pub fn is_from_reserve(&self) -> bool {
        match self.kind {
            Kind::Connection { from_reserve, .. } => from_reserve,
            Kind::Socket | Kind::Request => false,
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.admission.open.lock();
        match self.kind {
            Kind::Connection { bounded, .. } => {
                open.all -= 1;
                if bounded {
                    leave(&mut open.connections, self.network);
                }
            }
            Kind::Socket => leave(&mut open.sockets, self.network),
            Kind::Request => leave(&mut open.requests, self.network),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u32) -> NonZeroU32 {
        NonZeroU32::new(number).expect("not zero")
    }

    fn admission(connections: u32, per_address: u32, sockets: u32) -> Arc<Admission> {
        let limits = ConnectionLimits {
            connections: number(connections),
            connections_per_address: number(per_address),
            sockets_per_address: number(sockets),
        };
        Admission::new(&limits, 1_000_000)
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn an_address_has_so_many_connections_and_gives_them_back() {
        let admission = admission(1_000, 3, 100);
        let mut held: Vec<Permit> = (0..3)
            .map(|_| admission.connection(address(1), true).expect("a place"))
            .collect();
        let refused = admission.connection(address(1), true).err();
        assert_eq!(refused, Some(Refused::Address));
        assert!(admission.connection(address(2), true).is_ok());
        // Connections of a proxy do not count for its address.
        held.push(admission.connection(address(1), false).expect("a place"));
        held.remove(0);
        held.push(admission.connection(address(1), true).expect("a place"));
        drop(held);
        let open = admission.open.lock();
        assert_eq!((open.all, open.connections.len()), (0, 0));
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let admission = admission(1_000, 2, 100);
        let from = |text: &str| admission.connection(text.parse().expect("an address"), true);
        let _held = [from("2001:db8::1"), from("2001:db8::ffff:2")];
        assert!(from("2001:db8::3").is_err());
        assert!(from("2001:db8:0:1::3").is_ok());
    }

    #[test]
    fn strangers_leave_the_reserve_to_players() {
        let admission = admission(80, 1_000, 100);
        let connect = |n: u8| admission.connection(address(n), true);
        let held: Vec<Permit> = (0..70).map(|n| connect(n).expect("a place")).collect();
        assert!(held.iter().all(|permit| !permit.is_from_reserve()));
        let socket = admission.socket(address(200), Asks::Anybody);
        assert!(socket.is_ok(), "{socket:?}");
        let more: Vec<Permit> = (70..80).map(|n| connect(n).expect("a place")).collect();
        assert!(more.iter().all(Permit::is_from_reserve));
        assert_eq!(connect(80).err(), Some(Refused::Full));
        let stranger = admission.socket(address(200), Asks::Anybody);
        assert_eq!(stranger.err(), Some(Refused::Full));
        assert!(admission.socket(address(200), Asks::Player).is_ok());
    }

    #[test]
    fn an_address_has_so_many_sockets_but_for_players() {
        let admission = admission(1_000, 1_000, 4);
        let socket = |asks| admission.socket(address(1), asks);
        let held: Vec<Permit> = (0..4)
            .map(|_| socket(Asks::Anybody).expect("a place"))
            .collect();
        assert_eq!(socket(Asks::Anybody).err(), Some(Refused::Address));
        let player = socket(Asks::Player).expect("a player in a match is let in");
        assert!(admission.socket(address(2), Asks::Anybody).is_ok());
        drop((held, player));
        // The rate of openings is bounded too: of the burst of eight, four were spent.
        let again = (0..100).filter(|_| socket(Asks::Anybody).is_ok()).count();
        assert_eq!(again, 4);
    }

    #[test]
    fn requests_behind_a_proxy_are_counted_by_address() {
        let admission = admission(1_000, 2, 4);
        let _held = [admission.request(address(1)), admission.request(address(1))];
        assert!(admission.request(address(1)).is_err());
        assert!(admission.request(address(2)).is_ok());
    }

    #[test]
    fn few_files_make_all_bounds_smaller() {
        let admission = Admission::new(&ConnectionLimits::default(), 256);
        assert_eq!(admission.connections(), 128);
        assert_eq!(admission.connections_per_address, 64);
        assert_eq!(admission.connections_for_all, 112);
        assert!(Admission::new(&ConnectionLimits::default(), 0).connections() > 0);
    }
}

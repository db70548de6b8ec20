//! The keys by which addresses are counted.

use std::net::IpAddr;

/// The number of keys in a limiter above which those with a full budget are removed.
pub(crate) const SWEEP_AT: usize = 10_000;

/// Returns the key of an address: an IPv6 address counts by its /64, the usual size of one customer's network.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

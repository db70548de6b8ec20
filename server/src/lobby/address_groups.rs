//! The groups of players of one address in an event, where its creator keeps them apart.
//!
//! The journal has the number of a group alone: a part of an HMAC of the network with a key of the event. The key is deleted with the end of the
//! event, and no address can be found for a number after that. No address is stored.

use std::net::IpAddr;

use hmac::{Hmac, KeyInit, Mac};
use mawe_store::{EventRow, EventTerms};
use sha2::Sha256;

use crate::limits::network::network;

/// The size of a key, in bytes.
const KEY_BYTES: usize = 32;

/// Draws the key of a new event; `None` where addresses do not matter.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn key_of(terms: &EventTerms) -> Option<Vec<u8>> {
    terms.apart_by_address.then(new_key)
}

fn new_key() -> Vec<u8> {
    let mut key = vec![0; KEY_BYTES];
    getrandom::fill(&mut key).expect("the operating system gives random bytes");
    key
}

/// Returns the group of a player at this address; `None` where addresses do not matter.
#[must_use]
pub fn group(row: &EventRow, address: IpAddr) -> Option<u32> {
    row.address_key.as_deref().map(|key| number(key, address))
}

fn number(key: &[u8], address: IpAddr) -> u32 {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    match network(address) {
        IpAddr::V4(v4) => mac.update(&v4.octets()),
        IpAddr::V6(v6) => mac.update(&v6.octets()),
    }
    let bytes = mac.finalize().into_bytes();
    u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_one_number_under_a_key() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let (one, other) = (new_key(), new_key());
        let home = address("2001:db8:1:2:3::4");
        assert_eq!(number(&one, home), number(&one, address("2001:db8:1:2::9")));
        assert_ne!(number(&one, home), number(&one, address("2001:db8:1:3::4")));
        assert_ne!(number(&one, home), number(&other, home));
        let mapped = address("::ffff:192.0.2.7");
        assert_eq!(number(&one, mapped), number(&one, address("192.0.2.7")));
    }
}

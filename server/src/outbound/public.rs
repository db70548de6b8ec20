//! The addresses of the public network: a client of strangers' addresses must not give access to this server's own network.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Returns whether a host is a name or an address of the public network. The addresses of a name are checked when the connection is made.
pub(crate) fn may_be_public(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) => is_public(address),
        Err(_) => host.contains('.'),
    }
}

/// Looks up the public addresses of a name.
pub(super) async fn addresses(name: String) -> io::Result<std::vec::IntoIter<SocketAddr>> {
    let found = tokio::net::lookup_host((name, 0)).await?;
    let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
    if public.is_empty() {
        let why = "the name leads to no address of the public network";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    Ok(public.into_iter())
}

/// Returns whether an address belongs to the public network: to none of the registries of special addresses (RFC 6890). The standard library's
/// function for this is not yet stable.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = matches!(
        (a, b, c),
        (0 | 10 | 127, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
            | (224..=255, _, _)
    );
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // These contain an IPv4 address: translated (NAT64), or in a tunnel (6to4).
        [0x64, 0xff9b, 0, 0, 0, 0, _, _] => is_public_v4(last_four(address)),
        [0x2002, high, low, ..] => {
            let [a, b] = high.to_be_bytes();
            let [c, d] = low.to_be_bytes();
            is_public_v4(Ipv4Addr::new(a, b, c, d))
        }
        // Within the allocated range: Teredo and other protocol assignments, and the ranges for documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => (0x2000..=0x3fff).contains(&first),
    }
}

fn last_four(address: Ipv6Addr) -> Ipv4Addr {
    let [.., a, b, c, d] = address.octets();
    Ipv4Addr::new(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_that_leads_into_the_network_at_home_has_no_address() {
        for name in ["localhost", "127.0.0.1", "2130706433"] {
            let refused = addresses(name.to_owned()).await;
            assert!(refused.is_err(), "{name}: {refused:?}");
        }
    }
}

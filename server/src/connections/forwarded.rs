//! The address of a client behind proxies.

use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use axum::http::HeaderMap;
use ipnet::IpNet;

/// The greatest number of addresses of `X-Forwarded-For` that are read: more proxies in a row are not a setup but an attack.
const MAX_HOPS: usize = 16;

/// The trusted proxies in front of the server: their reports of a client's address count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Proxies {
    /// No proxy: the address of a connection is the client's.
    #[default]
    None,
    /// Every connection is that of one proxy, and the last address in `X-Forwarded-For` the client's.
    One,
    /// The proxies of these networks, in any number one behind the other.
    Trusted(Arc<[TrustedProxy]>),
}

/// A network of proxies, or the address of one: `10.0.0.0/8`, `192.0.2.7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

/// The text is neither a network nor an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a network like 10.0.0.0/8 or an address like 192.0.2.7 is needed")]
pub struct NotANetwork;

impl FromStr for TrustedProxy {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<TrustedProxy, NotANetwork> {
        let network = text.parse().ok();
        let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
        network
            .or_else(address)
            .map(TrustedProxy)
            .ok_or(NotANetwork)
    }
}

impl Proxies {
    /// Returns the proxies by the options of the operator: networks go before the word that there is one.
    #[must_use]
    pub fn new(is_behind_one: bool, trusted: &[TrustedProxy]) -> Proxies {
        match (trusted, is_behind_one) {
            ([], false) => Proxies::None,
            ([], true) => Proxies::One,
            (networks, _) => Proxies::Trusted(networks.into()),
        }
    }

    /// Returns whether a connection from this address belongs to a proxy rather than to a client.
    #[must_use]
    pub fn contain(&self, peer: IpAddr) -> bool {
        match self {
            Proxies::None => false,
            Proxies::One => true,
            Proxies::Trusted(networks) => {
                let peer = peer.to_canonical();
                networks.iter().any(|TrustedProxy(it)| it.contains(&peer))
            }
        }
    }

    /// Returns the client's address of a request on a connection from `peer`: that of the connection, or the last one in
    /// `X-Forwarded-For` that is no proxy's. Each proxy appends the address of its own peer, so that everything before that one may be
    /// forged. Where a proxy has written no address, its own counts.
    #[must_use]
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer;
        let mut hops = forwarded_for(headers).take(MAX_HOPS);
        while self.contain(client) {
            let Some(Some(before)) = hops.next() else {
                break;
            };
            client = before;
            if *self == Proxies::One {
                break;
            }
        }
        client
    }
}

/// Returns the addresses in `X-Forwarded-For`, the last one first; `None` for a text that is no address.
fn forwarded_for(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    let lines = headers.get_all("x-forwarded-for").iter();
    // Only the iterator over all values of a header goes backwards over its lines.
    let lines = lines.rev().map(|line| line.to_str().unwrap_or_default());
    lines.flat_map(|line| line.rsplit(',').map(address))
}

/// Returns an address, also one with a port as some proxies write it.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || {
        text.parse()
            .ok()
            .map(|address: std::net::SocketAddr| address.ip())
    };
    text.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CDN: &str = "203.0.113.9";
    const BALANCER: &str = "10.0.0.2";
    const READER: &str = "198.51.100.4";

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn headers(lines: &[&str]) -> HeaderMap {
        let name = axum::http::HeaderName::from_static("x-forwarded-for");
        let lines = lines
            .iter()
            .map(|line| (name.clone(), line.parse().expect("a header")));
        lines.collect()
    }

    fn trusted(networks: &[&str]) -> Proxies {
        let networks: Vec<_> = networks
            .iter()
            .map(|it| it.parse().expect("a network"))
            .collect();
        Proxies::new(false, &networks)
    }

    #[test]
    fn two_trusted_proxies_name_the_client() {
        let proxies = trusted(&["10.0.0.0/8", CDN]);
        let through_both = headers(&[&format!("{READER}, {CDN}")]);
        assert_eq!(proxies.client(ip(BALANCER), &through_both), ip(READER));
        // One proxy may append a line of its own.
        let two_lines = headers(&[READER, CDN]);
        assert_eq!(proxies.client(ip(BALANCER), &two_lines), ip(READER));
        let with_a_port = headers(&[&format!("{READER}:50000,{CDN}")]);
        assert_eq!(proxies.client(ip(BALANCER), &with_a_port), ip(READER));
        // An IPv4 address on a socket of both kinds.
        let mapped = ip("::ffff:10.0.0.2");
        assert_eq!(proxies.client(mapped, &through_both), ip(READER));
    }

    #[test]
    fn a_forged_address_counts_for_nothing() {
        let proxies = trusted(&["10.0.0.0/8", CDN]);
        let forged = headers(&[&format!("192.0.2.66, {READER}, {CDN}")]);
        assert_eq!(proxies.client(ip(BALANCER), &forged), ip(READER));
        // The header of a client with a direct connection is ignored.
        assert_eq!(
            proxies.client(ip(READER), &headers(&["192.0.2.66"])),
            ip(READER)
        );
        // A client that claims to be a proxy stands behind a real one, and is taken for a further one at most.
        let claims = headers(&[&format!("192.0.2.66, 10.9.9.9, {READER}")]);
        assert_eq!(proxies.client(ip(BALANCER), &claims), ip(READER));
    }

    #[test]
    fn a_proxy_without_a_client_is_counted_itself() {
        let proxies = trusted(&["10.0.0.0/8"]);
        assert_eq!(
            proxies.client(ip(BALANCER), &HeaderMap::new()),
            ip(BALANCER)
        );
        let unreadable = headers(&["192.0.2.1, unknown"]);
        assert_eq!(proxies.client(ip(BALANCER), &unreadable), ip(BALANCER));
        let only_proxies = headers(&["10.0.0.7, 10.0.0.8"]);
        assert_eq!(proxies.client(ip(BALANCER), &only_proxies), ip("10.0.0.7"));
    }

    #[test]
    fn a_long_list_is_read_to_a_bound() {
        let proxies = trusted(&["10.0.0.0/8"]);
        let line = ["192.0.2.1"]
            .into_iter()
            .chain(std::iter::repeat_n(BALANCER, 100));
        let line = line.collect::<Vec<_>>().join(",");
        assert_eq!(
            proxies.client(ip("10.1.1.1"), &headers(&[&line])),
            ip(BALANCER)
        );
    }

    #[test]
    fn one_proxy_names_the_last_address() {
        let proxies = Proxies::new(true, &[]);
        let names = headers(&["192.0.2.66", &format!("192.0.2.67, {READER}")]);
        assert_eq!(proxies.client(ip(CDN), &names), ip(READER));
        assert_eq!(proxies.client(ip(CDN), &HeaderMap::new()), ip(CDN));
        assert_eq!(Proxies::None.client(ip(CDN), &names), ip(CDN));
    }

    #[test]
    fn a_text_that_is_no_network_is_refused() {
        for text in ["", "10.0.0.0/33", "example.org", "10.0.0.0/8/8"] {
            assert_eq!(text.parse::<TrustedProxy>(), Err(NotANetwork), "{text}");
        }
    }
}

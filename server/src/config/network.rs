//! The address of the server, as it listens and as the public sees it.

use std::net::SocketAddr;

use clap::Args;

use crate::connections::forwarded::{Proxies, TrustedProxy};

/// The options of the server's address.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct NetworkOptions {
    /// The address and port to listen on; port 0 takes a free one.
    #[arg(
        long,
        env = "MAWE_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: SocketAddr,
    /// The server's public address, like `https://play.example.org`, if it is behind a proxy: pages of any other origin may not act here
    /// [default: the Host of each request]
    #[arg(long, env = "MAWE_ORIGIN", value_name = "URL")]
    pub origin: Option<String>,
    /// Take the address of each visitor from X-Forwarded-For, which a proxy in front sets.
    #[arg(
        long,
        env = "MAWE_BEHIND_PROXY",
        num_args = 0..=1,
        default_missing_value = "true",
        default_value_t = false,
        action = clap::ArgAction::Set
    )]
    pub behind_proxy: bool,
    /// The networks of the proxies in front, like `10.0.0.0/8,192.0.2.7`: the address of a visitor is the last one in X-Forwarded-For that is
    /// not in them. Needed where a request passes several, such as a CDN and a load balancer.
    #[arg(
        long,
        env = "MAWE_TRUSTED_PROXIES",
        value_name = "CIDR,…",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<TrustedProxy>,
}

impl NetworkOptions {
    /// Returns the proxies in front of the server.
    #[must_use]
    pub fn proxies(&self) -> Proxies {
        Proxies::new(self.behind_proxy, &self.trusted_proxies)
    }

    /// Checks the form of the origin.
    pub(super) fn check(&self) -> Result<(), String> {
        let Some(origin) = &self.origin else {
            return Ok(());
        };
        let rest = origin
            .strip_prefix("https://")
            .or_else(|| origin.strip_prefix("http://"));
        if rest.is_some_and(|rest| !rest.is_empty() && !rest.trim_end_matches('/').contains('/')) {
            Ok(())
        } else {
            Err(format!(
                "origin {origin:?} must be like https://play.example.org, without a path"
            ))
        }
    }
}

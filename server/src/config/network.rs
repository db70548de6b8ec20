//! The address of the server, as it listens and as the public sees it.

use std::net::SocketAddr;

use clap::Args;

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
}

impl NetworkOptions {
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

//! The options of the metrics.

use std::net::SocketAddr;
use std::str::FromStr;

use clap::Args;

use crate::identity::shared_key::SharedKey;

/// The place at which the metrics can be scraped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsPlace {
    /// A listener of their own.
    Own(SocketAddr),
    /// The listener of the server, to holders of the token.
    Same,
}

/// The options of the metrics.
#[derive(Debug, Clone, Args)]
pub struct MetricsOptions {
    /// Where Prometheus finds the server's metrics, under /metrics: an address and port of their own, of which port 0 takes a free one, or
    /// `same` for that of --listen, which needs --metrics-token [default: nowhere]
    #[arg(long, env = "MAWE_METRICS", value_name = "ADDRESS:PORT")]
    metrics: Option<MetricsPlace>,
    /// The token that a scrape must send as `Authorization: Bearer`, 16 characters or more [default: none is asked for]
    #[arg(
        long,
        env = "MAWE_METRICS_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true
    )]
    metrics_token: Option<String>,
}

/// The settings of the metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsSettings {
    /// The place.
    pub place: MetricsPlace,
    /// The token that a scrape must present; always set with [`MetricsPlace::Same`].
    pub token: Option<SharedKey>,
}

impl FromStr for MetricsPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<MetricsPlace, String> {
        if text == "same" {
            return Ok(MetricsPlace::Same);
        }
        let address = text.parse().map(MetricsPlace::Own);
        address.map_err(|_| "give an address and a port, such as 127.0.0.1:9100, or `same`".into())
    }
}

impl MetricsOptions {
    /// Checks the options.
    ///
    /// # Errors
    /// A line for the operator with the fault. It does not contain the token.
    pub(crate) fn resolve(self) -> Result<Option<MetricsSettings>, String> {
        let token = self.metrics_token.as_deref().map(str::trim);
        let token = token.map(SharedKey::new).transpose();
        let token = token.map_err(|error| format!("the token of the metrics is none: {error}"))?;
        match self.metrics {
            Some(MetricsPlace::Same) if token.is_none() => Err(
                "metrics on the server's own address are for the holder of a token only: set --metrics-token too, or give --metrics an address of its own"
                    .to_owned(),
            ),
            Some(place) => Ok(Some(MetricsSettings { place, token })),
            None => Ok(None),
        }
    }
}

//! The operator's options of a node of a cluster.

use std::path::PathBuf;

use clap::Args;

use crate::cluster::bus::BusOptions;
use crate::cluster::node::ClusterSettings;

/// The greatest length of a node's name, in bytes: it is part of the NATS subjects.
const MAX_NODE_BYTES: usize = 40;

/// The options of a node of a cluster.
#[derive(Debug, Clone, Args)]
pub struct ClusterOptions {
    /// The NATS server that connects several nodes on one Postgres database: nats://host:port or tls://host:port [default: a single node]
    #[arg(long, env = "MAWE_NATS", value_name = "URL", hide_env_values = true)]
    nats: Option<String>,
    /// A file with certificates of authorities that may have signed the certificate of NATS, besides those of the system.
    #[arg(long, env = "MAWE_NATS_CA", value_name = "FILE")]
    nats_ca: Option<PathBuf>,
    /// The name of this node, in letters, digits and dashes [default: drawn at random]
    #[arg(long, env = "MAWE_NODE", value_name = "NAME")]
    node: Option<String>,
}

impl ClusterOptions {
    /// Returns the settings of a node on this store, or `None` for a single node. Several nodes need a common database, and NATS between
    /// them.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn resolve(self, store_url: &str) -> Result<Option<ClusterSettings>, String> {
        let ClusterOptions {
            nats,
            nats_ca,
            node,
        } = self;
        let Some(url) = nats else {
            let lonely = [("nats-ca", nats_ca.is_some()), ("node", node.is_some())];
            return match lonely.into_iter().find(|(_, given)| *given) {
                Some((option, _)) => Err(format!(
                    "{option} is for one of several nodes; name NATS too, with --nats"
                )),
                None => Ok(None),
            };
        };
        if store_url.starts_with("sqlite:") {
            return Err(
                "nats is for several nodes on one Postgres database, and this one has an embedded one; name a database with --database postgres://…, or leave --nats away"
                    .to_owned(),
            );
        }
        if let Some(node) = &node {
            let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            if node.is_empty() || node.len() > MAX_NODE_BYTES || !node.bytes().all(known) {
                return Err(format!(
                    "node {node:?} must be 1 to {MAX_NODE_BYTES} letters, digits and dashes"
                ));
            }
        }
        let bus = BusOptions::new(url, nats_ca).map_err(|error| error.to_string())?;
        Ok(Some(ClusterSettings { bus, node }))
    }
}

//! The reasons why a server does not start.

use std::net::SocketAddr;

use mawe_store::StoreError;

use crate::cluster::JoinError;

/// The reason why a server did not start: one line with the fault and its remedy.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store could not be opened.
    #[error(transparent)]
    Store(#[from] mawe_store::OpenError),
    /// The address is not available.
    #[error(
        "cannot listen on {address}: {error}; stop what listens there, or choose another address with --listen"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The address of the metrics is not available.
    #[error(
        "cannot listen on {address} for the metrics: {error}; stop what listens there, or choose another address with --metrics"
    )]
    ListenMetrics {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The store could not be read.
    #[error("the store could not be read: {0}")]
    Read(#[from] StoreError),
    /// The node could not join the cluster.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// Other nodes use the database, but this node was started without a cluster.
    #[error(
        "nodes that work together by NATS use this database ({0}); start this one with --nats too, or stop them first"
    )]
    NotAlone(String),
    /// The threads for the computer opponents could not be started.
    #[error("cannot start threads for the computer opponents: {0}")]
    Threads(std::io::Error),
}

//! Workers: threads of their own that pull bot jobs, search, and answer. Search never runs on an async thread.
//!
//! A worker is the same everywhere, and knows its source of jobs only as the trait [`Jobs`]: the queue of this node, a server's queue over
//! HTTP ([`remote`]), or the jobs of all nodes over NATS ([`nats`]).

pub mod heartbeat;
pub mod nats;
pub mod remote;
mod shift;
pub mod think;
mod threads;

pub use self::shift::Rejected;
pub use self::threads::{Jobs, ThreadPool};

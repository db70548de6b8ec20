//! The numbers of a node at one moment ([`Reading`]), and their form for Prometheus ([`text()`]).
//!
//! The parts of the server count in atomics of their own ([`crate::meters`]) or have the number already; nothing is computed before a
//! scrape. The library only writes the text: its histograms have a lock and its families are looked up under one, and the counters of a
//! global registry would mix the nodes of a test.

mod allocator;
mod families;
mod options;
pub(crate) mod process;
mod reading;
mod status;
mod text;

pub use self::options::{MetricsOptions, MetricsPlace, MetricsSettings};
pub use self::reading::{Reading, read};
pub use self::status::{MatchesStatus, QueuesStatus, SizesStatus, StatusView, status};
pub use self::text::{CONTENT_TYPE, text};

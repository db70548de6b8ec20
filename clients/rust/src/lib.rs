#![doc = include_str!("../README.md")]

mod account;
mod backoff;
mod client;
mod core;
mod errors;
mod feed;
mod http;
mod live;
mod names;
#[rustfmt::skip]
mod operations;
mod seats;
mod stream;
mod text;
#[cfg(feature = "tls")]
mod tls;
/// The types of all bodies and messages. A later server may have further fields and further values, which arrive as `Unknown`.
#[rustfmt::skip]
#[allow(missing_docs, reason = "a field that is named by its meaning has no text in the document")]
pub mod types;
mod view;

pub use account::{Account, AccountEvent};
pub use client::{Client, ClientBuilder};
pub use errors::{Error, Problem};
pub use http::Request;
pub use live::{Live, Match, Messages, Turn, Turns};
#[cfg(feature = "tls")]
pub use rustls;
pub use seats::Seats;
pub use stream::MessageStream;

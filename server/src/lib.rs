//! server

pub mod ids;
pub mod protocol;
pub mod store;

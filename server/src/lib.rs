//! The Mawe! server: who may do what, and when it is remembered.

pub mod ids;
pub mod protocol;
pub mod room;
pub mod store;

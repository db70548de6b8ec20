//! The live host of a match. [`state`] is the core, judged in [`judge`] and timed in `timing.rs`, and speaks in [`words`]; [`actor`] runs it
//! on the [`mail`] that comes. [`audience`] is who is there, [`curtain`] what spectators do not see yet, [`phrases`] what players say,
//! [`view`] how it is shown.

pub mod actor;
pub mod audience;
mod calls;
pub mod curtain;
pub mod end_reason;
pub mod entry;
pub mod judge;
pub mod mail;
pub mod phrases;
pub mod state;
pub(crate) mod timing;
pub mod view;
mod visits;
pub mod words;

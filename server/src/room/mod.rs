//! The room of a match. [`state`] is the match core; its commands are judged in [`judge`], its time is computed in `timing.rs`, and its
//! inputs and effects are in [`words`]. [`actor`] runs the core on the messages of [`mail`]. [`audience`] has the sockets that follow the
//! match, [`curtain`] the delay of events for spectators, [`phrases`] the quick phrases, [`view`] the public view of a match.

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

//! The live host of a match: [`state`] is the core, [`actor`] runs it, [`audience`] is who is there, [`view`] how it is shown.

pub mod actor;
pub mod audience;
pub mod entry;
pub mod state;
pub mod view;

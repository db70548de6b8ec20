//! Actions of the operator and of moderators on accounts.

pub mod effects;

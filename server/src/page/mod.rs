//! The contents of the page that are the same for every client: compressed files, and the operator's notice.

pub mod banner;
pub(crate) mod comments;
pub(crate) mod joined;
pub(crate) mod pack;
pub(crate) mod precompressed;

//! The contents of the page that are the same for every client: compressed files, the operator's notice, and the look of the site.

pub mod banner;
pub(crate) mod comments;
pub(crate) mod joined;
mod operator_file;
pub(crate) mod pack;
pub mod picture;
pub(crate) mod precompressed;
pub mod site;

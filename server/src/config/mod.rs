//! The operator's settings: options on the command line, then `MAWE_…` in the environment, then a TOML file, then defaults.
//!
//! An option is one field of an options struct: its doc comment is the help, its attributes name the variable and the default, and its
//! long name is the key of the file. Each domain has its own struct; [`ServeOptions`] flattens them, and [`Config`] is their resolved form.

mod defaults;
mod error;
mod file;
mod log;
mod network;
mod reference;
mod serve;
mod store;
#[cfg(test)]
mod tests;

pub use self::error::ConfigError;
pub(crate) use self::error::one_line;
pub use self::file::{ParseError, Parsed, parse};
pub use self::log::{LogFormat, LogOptions};
pub use self::network::NetworkOptions;
pub use self::reference::reference;
pub use self::serve::{Config, ServeOptions};
pub(crate) use self::store::DATA_DIR;
pub use self::store::{ConnectionOptions, DataOptions, StoreOptions};

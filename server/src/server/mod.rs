//! Starts and stops the parts of a server in the right order.

mod chores;
mod error;
mod node;
mod run;

pub use error::StartError;
pub use node::Console;
pub use run::Server;

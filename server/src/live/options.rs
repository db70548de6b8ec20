//! The operator's options of running matches.

use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;

/// The greatest delay for spectators, in seconds: more would not be watching live.
const MAX_SPECTATOR_DELAY_S: u64 = 60;

/// The options of running matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct LiveOptions {
    // The default is too late to help a player, and soon enough to watch.
    /// The delay for the spectators of a rated match in seconds, 0 to 60.
    #[arg(
        long,
        env = "MAWE_SPECTATOR_DELAY",
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(..=MAX_SPECTATOR_DELAY_S).map(Duration::from_secs),
        default_value = "3"
    )]
    pub spectator_delay: Duration,
    // A club or a school may not want it; an account has it only after switching it on.
    /// Whether accounts can switch chat on and write to each other in matches: on or off
    #[arg(
        long,
        env = "MAWE_CHAT",
        num_args = 0..=1,
        default_missing_value = "true",
        default_value_t = true,
        value_parser = clap::builder::BoolishValueParser::new(),
        action = clap::ArgAction::Set
    )]
    pub chat: bool,
}

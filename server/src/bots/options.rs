//! The operator's options of the computer opponents.

use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;

/// The options of the computer opponents.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct BotOptions {
    /// The number of threads that think for the computer opponents; 0 leaves it to `mawe worker` elsewhere [default: all cores but one]
    #[arg(
        long = "bots",
        env = "MAWE_BOTS",
        value_name = "N",
        default_value_t = spare_cores(),
        hide_default_value = true
    )]
    pub threads: usize,
    /// The seconds in a pool after which a player is offered a computer opponent; 0 for never.
    #[arg(
        long = "bot-offer-after",
        env = "MAWE_BOT_OFFER_AFTER",
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).map(Duration::from_secs),
        default_value = "20"
    )]
    pub offer_after: Duration,
    /// The number of matches of which an account may request a computer analysis on a day (UTC); 0 for none
    #[arg(
        long,
        env = "MAWE_ANALYSES_PER_DAY",
        value_name = "N",
        default_value_t = 30
    )]
    pub analyses_per_day: u32,
}

impl BotOptions {
    /// Returns the wait in a pool before a computer opponent is offered; `None` for never.
    pub(crate) fn offer_after(&self) -> Option<Duration> {
        Some(self.offer_after).filter(|after| !after.is_zero())
    }
}

/// Returns the number of cores minus one, at least one.
pub(crate) fn spare_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1))
}

//! The options of the log.

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;

/// The filter without an option and without `RUST_LOG`.
const DEFAULT_FILTER: &str = "info,sqlx=warn,async_nats=error";

/// The options of the log.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct LogOptions {
    /// The form of the log: lines of text, or a JSON object a line.
    #[arg(
        long,
        env = "MAWE_LOG_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value_t = LogFormat::Text
    )]
    pub log_format: LogFormat,
    /// The events that are logged.
    #[arg(
        long,
        env = "MAWE_LOG",
        value_name = "FILTER",
        value_parser = valid_filter,
        help = format!("The events that are logged, by level and module, like `info,mawe_server::cluster=debug` [default: the variable RUST_LOG, else {DEFAULT_FILTER}]")
    )]
    pub log: Option<String>,
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines of text for people.
    Text,
    /// A JSON object a line, for programs.
    Json,
}

impl LogOptions {
    /// Returns the filter: that of the options, else that of `RUST_LOG`, else the default.
    #[must_use]
    pub fn filter(&self) -> EnvFilter {
        match &self.log {
            Some(filter) => EnvFilter::new(filter),
            None => {
                EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER))
            }
        }
    }
}

/// Checks a filter.
fn valid_filter(text: &str) -> Result<String, String> {
    match EnvFilter::builder().parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!(
            "{error}; give a level (error, warn, info, debug, trace, off), or a level for each module, with commas between"
        )),
    }
}

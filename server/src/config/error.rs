//! The error of a configuration, and the one-line form of the command line's errors.

/// A configuration that cannot be used: one line with the fault and its remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

impl From<String> for ConfigError {
    fn from(line: String) -> ConfigError {
        ConfigError(line)
    }
}

/// Returns the fault that clap reports in one line, without its usage.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let words: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

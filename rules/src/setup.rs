//! The common text form of setups: `key=value` pairs joined with commas, empty for the standard
//! game.

use std::fmt;
use std::str::FromStr;

use crate::error::SetupError;

/// The setup of a game without options. Only the standard game exists; its text form is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoOptions;

impl fmt::Display for NoOptions {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl FromStr for NoOptions {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        match pairs(text)?.is_empty() {
            true => Ok(Self),
            false => Err(SetupError::UnknownOption),
        }
    }
}

/// The pairs of a setup string, in the order given.
///
/// # Errors
///
/// [`SetupError::Malformed`] if a pair has no key, no `=` or no value, and
/// [`SetupError::RepeatedOption`] if a key occurs twice.
pub(crate) fn pairs(text: &str) -> Result<Vec<(&str, &str)>, SetupError> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    if text.is_empty() {
        return Ok(pairs);
    }
    for pair in text.split(',') {
        let (key, value) = pair.split_once('=').ok_or(SetupError::Malformed)?;
        if key.is_empty() || value.is_empty() {
            return Err(SetupError::Malformed);
        }
        if pairs.iter().any(|(earlier, _)| *earlier == key) {
            return Err(SetupError::RepeatedOption);
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_split_and_malformed_text_is_refused() {
        assert_eq!(pairs(""), Ok(vec![]));
        assert_eq!(pairs("a=1,b=2"), Ok(vec![("a", "1"), ("b", "2")]));
        for text in [",", "a", "a=", "=1", "a=1,", " "] {
            assert_eq!(pairs(text), Err(SetupError::Malformed), "{text:?}");
        }
        assert_eq!(pairs("a=1,a=1"), Err(SetupError::RepeatedOption));
    }
}

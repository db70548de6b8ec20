//! The text form all setups share: `key=value` pairs joined with commas, empty for the standard
//! game.

use crate::error::SetupError;

/// The pairs of a setup string, in the order given.
///
/// # Errors
///
/// [`SetupError::Malformed`] where a pair has no key, no `=` or no value, and
/// [`SetupError::RepeatedOption`] where a key comes twice.
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

//! A key that the operator shares with another program: a worker, or the collector of metrics.

use std::fmt;

use subtle::ConstantTimeEq;

/// The shortest key, in characters: long enough that it cannot be guessed.
const MIN_KEY_CHARS: usize = 16;

/// A key that another program must present. Its `Debug` form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedKey(String);

impl SharedKey {
    /// Returns the key if it is long enough and valid in a header.
    ///
    /// # Errors
    /// A description of the valid keys.
    pub fn new(text: &str) -> Result<SharedKey, String> {
        let can_be_sent = text.bytes().all(|byte| byte.is_ascii_graphic());
        if text.len() >= MIN_KEY_CHARS && can_be_sent {
            Ok(SharedKey(text.to_owned()))
        } else {
            Err(format!(
                "it must have at least {MIN_KEY_CHARS} letters, digits or signs, and no spaces"
            ))
        }
    }

    /// Returns the text of the key.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Compares in constant time, so that the duration reveals nothing about the key.
    pub(crate) fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl fmt::Debug for SharedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_long_fits_into_a_header_and_is_not_printed() {
        let key = SharedKey::new("0123456789abcdef").expect("long enough");
        assert!(key.is("0123456789abcdef"));
        for wrong in [
            "",
            "0123456789abcde",
            "0123456789abcdeF",
            "0123456789abcdef0",
        ] {
            assert!(!key.is(wrong), "{wrong}");
        }
        assert!(!format!("{key:?}").contains("0123"));
        for bad in [
            "",
            "short",
            "has a space in it here",
            "malayalam-അആഇഈഉഊ-key",
        ] {
            assert!(SharedKey::new(bad).is_err(), "{bad}");
        }
    }
}

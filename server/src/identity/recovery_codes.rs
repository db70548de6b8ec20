//! Recovery codes: with one an owner who has forgotten the password sets a new one.

use mawe_store::{RECOVERY_CODES, RecoveryCodeSet};

use crate::identity::typed_codes;

/// Draws a set of codes: returns the codes, which their owner sees once, and their hashes for the store.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn draw(now_ms: i64) -> (Vec<String>, RecoveryCodeSet) {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| typed_codes::draw()).collect();
    let hashes = codes
        .iter()
        .filter_map(|code| typed_codes::hash(code))
        .collect();
    let set = RecoveryCodeSet {
        hashes,
        created_ms: now_ms,
    };
    (codes, set)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::identity::typed_codes::{DIGITS, hash};

    #[test]
    fn each_code_of_a_set_is_another_and_is_stored_as_its_hash() {
        let (codes, set) = draw(7);
        assert_eq!((codes.len(), set.created_ms), (RECOVERY_CODES, 7));
        assert_eq!(codes.iter().collect::<HashSet<_>>().len(), RECOVERY_CODES);
        for (code, stored) in codes.iter().zip(&set.hashes) {
            let groups: Vec<&str> = code.split('-').collect();
            assert!(groups.iter().all(|group| group.len() == 4), "{code}");
            assert_eq!(groups.len(), 4, "{code}");
            assert_eq!(hash(code).as_ref(), Some(stored));
        }
        // Every digit occurs: one of them is missing among 640 once in twenty million times.
        let drawn: String = (0..5).flat_map(|_| draw(0).0).collect();
        for digit in DIGITS {
            assert!(drawn.contains(char::from(*digit)), "{}", *digit as char);
        }
    }
}

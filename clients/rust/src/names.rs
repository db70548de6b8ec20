//! Names for commands and requests, which nobody draws twice.

use std::fmt::Write;

/// Returns a name of 32 letters and digits.
pub(crate) fn unique() -> String {
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_err() {
        // A system without a random source has clocks and addresses, from which this draws.
        bytes = fastrand::Rng::new().u128(..).to_ne_bytes();
    }
    bytes.iter().fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

//! Random ids, numbers and bits from the system's random source.

/// The letters and digits of random texts.
pub const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns `chars` random letters and digits.
///
/// # Panics
/// If the operating system has no random source: nothing could be served safely then.
#[must_use]
pub fn text(chars: usize) -> String {
    let mut drawn = String::with_capacity(chars);
    let mut bytes = [0u8; 32];
    while drawn.len() < chars {
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        // 248 is the largest multiple of 62 in a byte; larger bytes would favour the first letters.
        let fresh = bytes.iter().filter(|byte| **byte < 248);
        for byte in fresh.take(chars - drawn.len()) {
            drawn.push(char::from(ALPHABET[usize::from(byte % 62)]));
        }
    }
    drawn
}

/// Returns a random number of 64 bits, for use as a unique id.
///
/// # Panics
/// As [`text`].
#[must_use]
pub fn number() -> u64 {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    u64::from_le_bytes(bytes)
}

/// Returns a random bit.
///
/// # Panics
/// As [`text`].
#[must_use]
pub fn bit() -> bool {
    let mut byte = [0u8];
    getrandom::fill(&mut byte).expect("the operating system gives random bytes");
    byte[0] & 1 == 1
}

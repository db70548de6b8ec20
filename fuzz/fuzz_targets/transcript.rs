//! Transcripts of Reversi: refused, or written so that they read as the same game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mawe_rules::notation::transcript;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(record) = transcript::read(bytes) {
        let text = transcript::write(&record).expect("Reversi");
        assert_eq!(transcript::read(text.as_bytes()), Ok(record));
    }
});

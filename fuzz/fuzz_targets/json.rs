//! Games as JSON: refused, or written so that they read as the same game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mawe_rules::notation::json::JsonRecord;

fuzz_target!(|bytes: &[u8]| {
    let Ok(json) = serde_json::from_slice::<JsonRecord>(bytes) else {
        return;
    };
    if let Ok(record) = json.replay() {
        assert_eq!(JsonRecord::from(&record).replay(), Ok(record));
    }
});

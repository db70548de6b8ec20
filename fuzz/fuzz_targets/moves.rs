//! Move strings, one a line, played from the start of every game: an illegal one changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mawe_rules::{AnySetup, GameKind, Record};

fuzz_target!(|text: &str| {
    for kind in GameKind::ALL.iter().copied() {
        let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("a start");
        for line in text.lines() {
            let before = record.clone();
            match record.play(line) {
                Ok(m) => assert_eq!(m.to_string(), line),
                Err(_) => assert_eq!(record, before),
            }
        }
    }
});

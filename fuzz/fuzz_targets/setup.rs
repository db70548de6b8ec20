//! Setup strings of every game: refused, or printed so that they parse to the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mawe_rules::{AnySetup, GameKind, Record};

fuzz_target!(|text: &str| {
    for kind in GameKind::ALL.iter().copied() {
        if let Ok(setup) = AnySetup::parse(kind, text) {
            assert_eq!(AnySetup::parse(kind, &setup.to_string()).as_ref(), Ok(&setup));
            let _ = Record::new(kind, &setup);
        }
    }
});

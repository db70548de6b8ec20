//! See `mawe_fuzz_targets::json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    mawe_fuzz_targets::json(bytes);
});

//! See `mawe_fuzz_targets::event`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    mawe_fuzz_targets::event(bytes);
});

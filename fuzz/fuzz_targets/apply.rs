//! Any request on any document.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::fuzzing::apply(data));

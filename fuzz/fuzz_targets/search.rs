//! Any pattern in any text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::file_fuzzing::search(data));

//! Any journal among any files, and a recovery.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::file_fuzzing::journal(data));

//! Any text as a path.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::file_fuzzing::path(data));

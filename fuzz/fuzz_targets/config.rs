//! Any text as the configuration of a root.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::file_fuzzing::config(data));

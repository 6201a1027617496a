//! Any two documents, and lines of the one looked for in the other.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::fuzzing::mapping(data));

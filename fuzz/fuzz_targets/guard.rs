//! Any bytes as a command line.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::server_fuzzing::guard(data));

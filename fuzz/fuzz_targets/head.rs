//! Any bytes as what a stranger sends over HTTP.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::server_fuzzing::head(data));

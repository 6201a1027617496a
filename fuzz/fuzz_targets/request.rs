//! Any bytes as a request.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::request_fuzzing::request(data));

//! Any bytes as what an agent says.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::server_fuzzing::hook(data));

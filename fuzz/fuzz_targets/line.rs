//! Any bytes as the input of an MCP server.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::server_fuzzing::line(data));

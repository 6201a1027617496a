//! Any text as an anchor, in every scheme.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hashline_testing::fuzzing::anchors(data));

//! The fuzz target for requests on stable Rust: the kept inputs, each of them cut, doubled and spoiled in many places.

use hashline_testing::fuzzing::corpus;
use hashline_testing::random::Random;
use hashline_testing::request_fuzzing::request;

#[test]
fn no_bytes_make_a_request_panic() {
    let mut random = Random::new(8);
    let inputs = corpus("request");
    assert!(inputs.len() > 20, "the kept inputs are there");
    for input in &inputs {
        request(input);
        for _ in 0..20 {
            let mut spoiled = input.clone();
            let at = random
                .below(spoiled.len().max(1))
                .min(spoiled.len().saturating_sub(1));
            match random.below(4) {
                0 => spoiled.truncate(at),
                1 => spoiled.extend_from_within(at..),
                2 => spoiled.insert(at, b"{}[]\":,0n\\"[random.below(10)]),
                _ => {
                    spoiled.remove(at);
                }
            }
            request(&spoiled);
        }
    }
}

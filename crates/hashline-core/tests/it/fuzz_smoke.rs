//! The fuzz targets on stable Rust: the kept inputs, and some thousands that look random and are the same in every run.

use hashline_testing::fuzzing;
use hashline_testing::random::Random;

const INPUTS: usize = 10_000;

/// Runs a target on what was kept for it and on random bytes, some of them with few different values, some long.
fn run(name: &str, seed: u64, target: fn(&[u8])) {
    for input in fuzzing::corpus(name) {
        target(&input);
    }
    let mut random = Random::new(seed);
    for _ in 0..INPUTS {
        let length = if random.chance(5) {
            random.below(2000)
        } else {
            random.below(90)
        };
        let mut bytes = random.bytes(length);
        if random.chance(50) {
            let letters = b"0123456789:#|\t abfNK\r\n\n\xff\xef\xbb\xbf";
            let few = 1 + random.below(letters.len());
            bytes
                .iter_mut()
                .for_each(|byte| *byte = letters[usize::from(*byte) % few]);
        }
        target(&bytes);
    }
}

#[test]
fn no_bytes_make_the_anchor_parsers_panic_or_print_what_they_cannot_read() {
    run("anchors", 5, fuzzing::anchors);
}

#[test]
fn no_bytes_make_an_edit_panic_or_touch_what_it_did_not_name() {
    run("apply", 6, fuzzing::apply);
}

#[test]
fn no_bytes_make_a_line_land_on_other_bytes() {
    run("mapping", 7, fuzzing::mapping);
}

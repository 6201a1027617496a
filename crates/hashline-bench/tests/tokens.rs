//! The tokens of the instructions for models, as they are told beside them.

use std::path::Path;

use hashline_core::dialect::Dialect;
use hashline_wire::prompt::{Caller, prompt};

/// The table that the program carries.
const TABLE: &str = "../hashline-wire/prompts/tokens.tsv";

fn counted() -> String {
    let encoding = tiktoken_rs::o200k_base().expect("the vocabulary is part of the crate");
    let mut table = String::new();
    for caller in Caller::all() {
        for dialect in Dialect::ALL {
            let text = prompt(dialect, caller);
            let tokens = encoding.encode_ordinary(&text).len();
            table.push_str(&format!(
                "{}\t{}\t{tokens}\n",
                caller.name(),
                dialect.name()
            ));
        }
    }
    table
}

/// `UPDATE_TOKENS=1 cargo test -p hashline-bench --test tokens` writes the table anew.
#[test]
fn the_table_is_what_is_counted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let counted = counted();
    if std::env::var_os("UPDATE_TOKENS").is_some() {
        std::fs::write(&path, &counted).expect("the table can be written");
    }
    let table = std::fs::read_to_string(&path).expect("the table is there");
    assert_eq!(
        table, counted,
        "the prompts changed: write the table anew with UPDATE_TOKENS=1"
    );
}

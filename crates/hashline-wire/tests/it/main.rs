//! Everything a reader sees, and everything a request may be.

mod disk;
mod documents;
mod found;
mod parser;
mod prompts;
mod schemas;
mod several;
mod texts;
mod totals;
mod unlost;

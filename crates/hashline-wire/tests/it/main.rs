//! Everything a reader sees, and everything a request may be.

mod docs_pages;
mod parser;
mod prompts;
mod schemas;
mod several;
mod texts;
mod unlost;
mod unseen;

//! Setting up and uninstalling, on files as people have them.

mod docs_pages;
mod doctor;
mod doctor_trust;
mod output;
mod ownership;
mod recorded_trees;
mod refusals;
mod rights;
mod round_trips;
mod stage;
mod surrounding_text;

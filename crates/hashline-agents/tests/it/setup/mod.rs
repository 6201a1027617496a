//! Setting up and taking out again, on files as people have them.

mod around;
mod cases;
mod doctor;
mod laws;
mod ownership;
mod pages;
mod refusals;
mod stage;
mod texts;
mod trust;

//! The engine's promises, tried from outside: laws on random cases, a second opinion on random requests, and the fuzz targets.

mod engine_agrees_with_model;
mod fuzz_smoke;
mod landing_across_changes;
mod laws;
mod model;
mod unseen;

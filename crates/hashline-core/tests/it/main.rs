//! The engine's promises, tried from outside: laws on random cases, a second opinion on random requests, and the fuzz targets.

mod fuzz_smoke;
mod laws;
mod mapping;
mod model;
mod second_opinion;

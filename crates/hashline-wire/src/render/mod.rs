//! Every sentence a reader sees. Three readers: a model ([`model`]), a person ([`human`]), a program ([`crate::response`]).
//!
//! Errors travel as values and become words here, once. A message says, in this order: what happened, that nothing was written,
//! what is true now, what to do next.

mod bad_config;
pub(crate) mod disk;
mod found;
pub mod human;
pub mod looked;
mod marked;
pub mod model;
pub(crate) mod named;
pub(crate) mod reasons;
mod refused;
pub mod shell;
pub mod state;
pub mod totals;

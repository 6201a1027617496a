//! Candidate repairs: for each known slip one pure function over lines that undoes it.
//!
//! They say what the text would be without the slip, never that it was one. Who asks decides: `proven` wants a proof, `seed` and
//! `hashline-reference` do what a dialect's own definition says. Public is what engines outside this crate need.

mod absorbed_neighbour;
pub(crate) mod anchor_echo;
mod boundary_echo;
pub(crate) mod copied_prefixes;
mod hyphens;
pub(crate) mod indentation;
pub(crate) mod merged_lines;
mod plus_markers;
mod rewrapped;

pub use absorbed_neighbour::{Absorbed, Neighbourhood, find_absorbed_neighbour};
pub use anchor_echo::drop_anchor_echo;
pub use boundary_echo::{Alike, Surroundings, drop_boundary_echo};
pub use copied_prefixes::strip_omp_prefixes;
pub use hyphens::{plain_hyphens, reads_the_same};
pub use indentation::restore_indentation;
pub use plus_markers::strip_plus_markers;
pub use rewrapped::{BlankLines, WrappedLines, restore_wrapped};

//! Candidate repairs: for each known mistake of models, a pure function that undoes the mistake in the lines of new text.
//!
//! Each function returns the new text of an edit as it would be without the mistake. The calling module decides whether to use
//! it: `proven` requires a proof, `seed` and `hashline-reference` do what the original tool of a dialect does. The functions that engines
//! outside this crate need are public.

mod absorbed_neighbour;
pub(crate) mod anchor_echo;
mod boundary_echo;
pub(crate) mod copied_prefixes;
mod hyphens;
pub(crate) mod indentation;
pub(crate) mod merged_lines;
mod plus_markers;
mod rewrapped;

pub use absorbed_neighbour::{Absorbed, find_absorbed_neighbour};
pub use anchor_echo::drop_anchor_echo;
pub use boundary_echo::{Alike, Surroundings, drop_boundary_echo};
pub use copied_prefixes::strip_copied_marks;
pub use hyphens::plain_hyphens;
pub use indentation::restore_indentation;
pub(crate) use plus_markers::strip_plus_markers;
pub use rewrapped::WrappedLines;
pub(crate) use rewrapped::{BlankLines, restore_wrapped};

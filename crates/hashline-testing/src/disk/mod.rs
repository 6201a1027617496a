//! A disk in memory that forgets what was not synced, and the commit code on it (T18).
//!
//! [`Disk`] is a [`System`](hashline_workspace::system::System) like the one we run on, so the very code that is shipped runs here.
//! What it does to names waits until their directory is synced, what it does to bytes until their file is; [`Moment`] is the disk
//! between two calls, and lists what a power cut could leave of it: any part of what waits, in any order that a disk may choose
//! ([`Outcomes`]). [`sweep`] cuts every request everywhere, recovers, cuts the recovery everywhere, and looks.
//!
//! Deliberately simple: no links, no other users, no time.

mod image;
mod meddling;
mod moment;
pub mod sweep;
mod system;

pub use image::{Image, Node, Tree};
pub use meddling::{Meddling, Refusal, Saving};
pub use moment::{Moment, Outcomes};
pub use system::{Dir, Disk, File, Offers};

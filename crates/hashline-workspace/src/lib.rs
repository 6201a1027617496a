//! Files for hashline. (Being built.)
#![forbid(unsafe_code)]

mod commit;
pub mod error;
pub mod ledger;
mod limits;
mod lock;
mod path;
mod read;
mod root;
pub mod system;
mod workspace;

pub use commit::{Durability, Recovered, Settle, staging_name};
pub use error::Error;
pub use limits::Limits;
pub use path::Protection;
pub use root::Root;
pub use workspace::{Asking, FileRead, HardLinks, Mode, Settings, Workspace};

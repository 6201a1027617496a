//! The off switch that lies among the files.

use crate::surroundings::Scene;

/// The name of the file that turns hooks off, in the folder it lies in and below.
pub const OFF_FILE: &str = ".hashline-off";

/// Tells whether such a file lies where the client works, or in a folder above it up to the root.
pub(crate) fn is_off(scene: &Scene) -> bool {
    let above = scene.cwd.ancestors();
    let inside = above.take_while(|folder| folder.starts_with(&scene.root));
    let mut folders = inside.chain([scene.root.as_path()]);
    folders.any(|folder| folder.join(OFF_FILE).symlink_metadata().is_ok())
}

//! Decides whether an edit of ours may be made without a question, in a mode in which the client makes its own edits without one.
//!
//! The client asks even then about files outside its working directory, and about files that it or other programs obey. So only a request all of whose
//! files are ordinary files below the working directory is allowed; about any other the client asks.

use std::path::Path;

use hashline_session::Overrides;
use hashline_wire::request::RevRule;
use hashline_wire::schema::Tool;
use hashline_workspace::Protection;
use serde_json::Value;

use super::Decider;

impl Decider<'_> {
    /// Returns whether a request to one of our tools is only about files that the client would edit without a question.
    pub(super) fn may_edit_unasked(&self, tool: Tool, request: &Value) -> bool {
        // Parsed as our server does it: what another reading would miss must not be allowed.
        let overrides = Overrides {
            dialect: Some(self.dialect),
            rev_rule: RevRule::Required,
            ..Overrides::default()
        };
        let session = self.service.session(self.session);
        let paths = session.paths_to_change(tool, request.clone(), &overrides);
        // The server refuses what cannot be parsed.
        paths.is_ok_and(|paths| {
            !paths.is_empty() && paths.iter().all(|path| self.is_ordinary(Path::new(path)))
        })
    }

    /// Returns whether a file is below the client's working directory and in the project, and nothing but a user reads it.
    fn is_ordinary(&self, path: &Path) -> bool {
        let place = self.location.served(path);
        // What a link leads to is not what its name says.
        let is_link = place.symlink_metadata().is_ok_and(|file| file.is_symlink());
        // By their usual names, whether or not the user lets edits write them: the client asks about such files in any case.
        let is_obeyed = |root: &Path| {
            let below = place.strip_prefix(root);
            below.is_ok_and(|below| Protection::default().covers(below))
        };
        self.location.is_below_working(&place)
            && self.roots.contain(&place)
            && !is_link
            && !self.roots.spelled.iter().any(|root| is_obeyed(root))
            && place
                .to_str()
                .is_some_and(|path| self.service.may_write(path).is_ok())
    }
}

//! `hashline verify`: where anchors land now.

use hashline_core::policy::Context;
use hashline_core::totals::is_stale;
use hashline_core::verified::Verified;
use hashline_wire::render::looked;
use hashline_wire::response;
use serde_json::{Value, json};

use super::{dialect_in, open_for, revision, with_state_notes};
use crate::args::{Global, VerifyArgs};
use crate::escape::name;
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &VerifyArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let rev = revision(args.rev.as_deref())?;
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let context = Context::new(args.context.into());
    let session = service.session(global.session());
    let verified = session.verify(&path, rev.as_ref(), &args.anchors, dialect, context)?;
    let (landed, lost) = parted(&verified);
    let exit = match lost.anchors.is_empty() {
        true => Exit::Done,
        false => Exit::Stale,
    };
    if out.json {
        let mut object = response::verified(&verified, dialect, context);
        if exit != Exit::Done {
            object = refused(object, &looked::verified(&lost, dialect, context));
        }
        with_state_notes(&service, out, Some(&mut object));
        out.object(&object);
        return Ok(exit);
    }
    let rev = verified.document.revision().short();
    let (places, all) = (landed.anchors.len(), verified.anchors.len());
    out.line(&format!(
        "{} (rev {rev}): {places} of {all} land",
        name(&args.path)
    ));
    if !landed.anchors.is_empty() {
        out.line(&looked::verified(&landed, dialect, context));
    }
    if !lost.anchors.is_empty() {
        out.tell(&looked::verified(&lost, dialect, context));
        out.tell(&format!(
            "hint: the file is at rev {rev}; send that with the fresh anchors above"
        ));
    }
    with_state_notes(&service, out, None);
    Ok(exit)
}

/// Parts the anchors that land from those that do not.
fn parted(verified: &Verified) -> (Verified, Verified) {
    let with = |anchors| Verified {
        anchors,
        ..verified.clone()
    };
    let anchors = verified.anchors.iter().cloned();
    let (landed, lost) = anchors.partition(|(_, landed)| landed.is_ok());
    (with(landed), with(lost))
}

/// Makes an object that says `"ok": false` a refusal like every other.
fn refused(object: Value, told: &str) -> Value {
    let anchors = object["anchors"].as_array();
    let codes = anchors.into_iter().flatten();
    let codes: Vec<&str> = codes.filter_map(|one| one["code"].as_str()).collect();
    let mut refused = json!({
        "ok": false,
        "code": codes.first(),
        "message": told,
        "written": false,
        "retryable": codes.iter().all(|code| is_stale(code)),
    });
    for key in ["path", "rev", "anchors"] {
        refused[key] = object[key].clone();
    }
    refused
}

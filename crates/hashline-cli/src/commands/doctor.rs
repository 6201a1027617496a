//! `hashline doctor`: checks what is installed, set up, trusted by the agent and reachable.

use hashline_agents::doctor::{CheckDepth, DoctorOptions, Level, examine, to_json};
use hashline_agents::setup::Programs;

use super::setup::places_of;
use crate::args::{DoctorArgs, Global};
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths;
use crate::progress::while_working;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &DoctorArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let options = paths::options_without_config(global)?;
    let options = DoctorOptions {
        agent: args.agent,
        depth: if args.simulate {
            CheckDepth::Simulate
        } else {
            CheckDepth::Look
        },
        places: places_of(global, &options)?,
        service: options,
        programs: Programs::from_env(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let findings = while_working("checking", None, || examine(&options));
    let worst = findings.iter().map(|finding| finding.level).max();
    let exit = match worst {
        Some(Level::Problem) => Exit::Failed,
        _ => Exit::Done,
    };
    if out.json {
        out.object(&to_json(&findings));
        return Ok(exit);
    }
    let mut about = "";
    for finding in &findings {
        if finding.about != about {
            about = finding.about;
            out.parts(&[(Part::Headline, about)]);
        }
        let (mark, part) = match finding.level {
            Level::Ok => ("  ✓ ", Part::Good),
            Level::Warning => ("  ! ", Part::Doubtful),
            Level::Problem => ("  ✗ ", Part::Bad),
        };
        out.parts(&[(part, mark), (Part::Plain, &finding.text)]);
        if let Some(fix) = &finding.fix {
            out.parts(&[(Part::Plain, "      "), (Part::Command, fix)]);
        }
    }
    Ok(exit)
}

//! `hashline doctor`: what is installed, set up, trusted and reachable.

use hashline_agents::doctor::{Ask, Depth, Level, examine, to_program};
use hashline_agents::setup::{Agent, Programs};

use super::setup::places_of;
use crate::args::{DoctorArgs, Global};
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths;
use crate::progress::while_working;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &DoctorArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let start = paths::start_in_spite(global)?;
    let ask = Ask {
        agent: args.agent.as_deref().and_then(Agent::named),
        depth: match args.simulate {
            true => Depth::Simulate,
            false => Depth::Look,
        },
        places: places_of(global, &start)?,
        start,
        programs: Programs::of_user(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let findings = while_working("looking", None, || examine(&ask));
    let worst = findings.iter().map(|finding| finding.level).max();
    let exit = match worst {
        Some(Level::Problem) => Exit::Failed,
        _ => Exit::Done,
    };
    if out.json {
        out.object(&to_program(&findings));
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

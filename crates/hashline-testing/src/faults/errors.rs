//! T3: makes every system call of a request fail in turn, with each of the errors in `ERRORS`, once or from then on.

use super::crash::Case;
use super::scenario::Scenario;
use super::trace::{self, Call};
use super::{Bench, Extent, Row};

const ERRORS: [&str; 8] = [
    "EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EINTR", "EMFILE", "ENOMEM",
];

/// T3: a request that ends well has done all of it; one that does not has done nothing, or says that recovery is needed.
pub(super) fn refused_anywhere(bench: &Bench, scenarios: &[Scenario], extent: Extent) -> Row {
    let mut row = Row::new("T3 error matrix");
    let mut turn = 0;
    for scenario in scenarios {
        let case = Case::new(bench, scenario);
        for call in case.calls() {
            let before = row.cases;
            for (error, more) in ERRORS.iter().flat_map(|error| [(error, ""), (error, "+")]) {
                turn += 1;
                let endless = *error == "EINTR" && more == "+" && is_tried_for_ever(&call);
                if turn % extent.every(29) != 0 || endless {
                    continue;
                }
                let injection = format!("{}:error={error}:when={}{more}", call.name, call.nth);
                let Some(violation) = try_one(&case, &call.name, injection.clone()) else {
                    continue;
                };
                row.cases += 1;
                row.violations.extend(
                    violation.map(|what| case.describe(&call, &format!("{injection}: {what}"))),
                );
            }
            if row.cases > before {
                row.control += usize::from(giving_up_is_seen(&case, &call));
            }
        }
    }
    row
}

/// Returns whether the standard library makes a call again and again after EINTR, by its own rule: standard input and output, and the
/// random numbers for its hash maps, which nobody else asks for so. A program that hangs there is no fault of ours.
fn is_tried_for_ever(call: &Call) -> bool {
    ["read", "write"].contains(&&*call.name)
        || (call.name == "getrandom" && call.line.contains("GRND_INSECURE"))
}

/// The control: a program that stops at the call that fails, takes nothing back and says that it was refused.
fn giving_up_is_seen(case: &Case<'_>, call: &Call) -> bool {
    case.kill_at(call).is_some() && !case.is_old()
}

/// Runs the request with one injection; nothing if that cannot be done in this scenario, else what went wrong, if anything.
fn try_one(case: &Case<'_>, name: &str, injection: String) -> Option<Option<String>> {
    let mut injections = case.without(name);
    if injections.len() < case.scenario.without.len() {
        return None;
    }
    injections.push(injection);
    case.scenario.set_up(&case.root);
    let request = case.scenario.request;
    let run = trace::injected(
        case.bench,
        &case.root,
        case.scenario.words(),
        request,
        &injections,
    );
    let found = match run.code {
        // The standard library cannot go on without random numbers; that is answered, and nothing was written.
        Some(2) if name == "getrandom" && run.panicked() && case.is_old() => Ok(()),
        _ if run.panicked() => Err(format!("it panicked: {}", run.text)),
        Some(0) => {
            // What could not be cleaned up changes nothing: the next command does it.
            case.recover();
            if case.is_new() {
                Ok(())
            } else {
                Err(format!("it says {:?}, and that is not so", run.text.trim()))
            }
        }
        Some(_) if case.is_old() => Ok(()),
        Some(_) if run.text.contains("needs_recovery") => {
            case.recover();
            case.judge(&run)
        }
        Some(_) => Err(format!(
            "it says {:?}, and something changed",
            run.text.trim()
        )),
        None => Err("it was killed".to_owned()),
    };
    Some(found.err())
}

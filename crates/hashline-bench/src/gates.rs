//! Gates: what must hold for a benchmark to pass.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

/// The gates of one benchmark, as they were checked.
#[derive(Debug, Default)]
pub(crate) struct Gates {
    checked: Vec<Gate>,
}

#[derive(Debug)]
struct Gate {
    name: String,
    figure: String,
    verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    Fails,
    /// A bar that this run only prints.
    Missed,
}

/// Whether a bar on speed decides, or is only printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bars {
    /// A bar that is missed fails the run.
    Decide,
    /// A bar that is missed is only printed: the machine may be busy.
    Inform,
}

impl Gates {
    /// Checks a gate on results, with the figure that was measured.
    pub(crate) fn check(
        &mut self,
        name: impl Into<String>,
        figure: impl Into<String>,
        holds: bool,
    ) {
        self.note(name, figure, holds, Verdict::Fails);
    }

    /// Checks a bar on speed.
    pub(crate) fn check_bar(
        &mut self,
        bars: Bars,
        name: impl Into<String>,
        figure: impl Into<String>,
        holds: bool,
    ) {
        let missed = match bars {
            Bars::Decide => Verdict::Fails,
            Bars::Inform => Verdict::Missed,
        };
        self.note(name, figure, holds, missed);
    }

    fn note(
        &mut self,
        name: impl Into<String>,
        figure: impl Into<String>,
        holds: bool,
        otherwise: Verdict,
    ) {
        self.checked.push(Gate {
            name: name.into(),
            figure: figure.into(),
            verdict: if holds { Verdict::Holds } else { otherwise },
        });
    }

    /// Prints every gate, if there are any.
    pub(crate) fn report(&self, out: &mut dyn Write) -> Result<()> {
        if !self.checked.is_empty() {
            writeln!(out, "\nGates")?;
        }
        for gate in &self.checked {
            let verdict = match gate.verdict {
                Verdict::Holds => "holds",
                Verdict::Fails => "FAILS",
                Verdict::Missed => "missed (not decisive here)",
            };
            writeln!(out, "  {verdict:<6} {}: {}", gate.name, gate.figure)?;
        }
        Ok(())
    }

    /// Returns what the program ends with.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let failed = self
            .checked
            .iter()
            .any(|gate| gate.verdict == Verdict::Fails);
        if failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        }
    }
}

//! The command line: a handful of options, taken out one by one. What is left over is an error.

use std::str::FromStr;

use anyhow::{Context, Result, bail};

/// Arguments that were not taken yet.
pub(crate) struct Args(Vec<String>);

impl Args {
    /// Takes the arguments of the program.
    pub(crate) fn from_environment() -> Self {
        Self(std::env::args().skip(1).collect())
    }

    /// Takes the next argument that is not an option.
    pub(crate) fn next(&mut self) -> Option<String> {
        let at = self.0.iter().position(|arg| !arg.starts_with("--"))?;
        Some(self.0.remove(at))
    }

    /// Takes an option without a value; returns whether it was given.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let at = self.0.iter().position(|arg| arg == name);
        at.map(|at| self.0.remove(at)).is_some()
    }

    /// Takes an option with its value.
    pub(crate) fn value<T>(&mut self, name: &str) -> Result<Option<T>>
    where
        T: FromStr,
        T::Err: std::error::Error + Send + Sync + 'static,
    {
        let Some(at) = self.0.iter().position(|arg| arg == name) else {
            return Ok(None);
        };
        self.0.remove(at);
        if at == self.0.len() {
            bail!("{name} needs a value");
        }
        let value = self.0.remove(at);
        let parsed = value.parse().with_context(|| format!("{name} {value}"))?;
        Ok(Some(parsed))
    }

    /// Makes sure that nothing is left.
    pub(crate) fn finish(&mut self) -> Result<()> {
        match self.0.first() {
            Some(arg) => bail!("unknown argument: {arg}"),
            None => Ok(()),
        }
    }
}

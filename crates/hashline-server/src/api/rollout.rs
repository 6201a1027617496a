//! For which tasks a workspace offers `edit-file`: all, none, or a sample, to compare tasks that edit by anchors with tasks that write whole files.

use std::str::FromStr;

use hashline_core::scheme::sha256;

/// For which tasks `edit-file` is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rollout {
    /// For all.
    #[default]
    On,
    /// For none.
    Off,
    /// For so many of a hundred tasks. The name of a task decides, so a task keeps its tools while it runs and wherever it runs. Requests without a task
    /// belong to no sample: for them it is off.
    Percent(u8),
}

impl Rollout {
    /// Returns whether `edit-file` is on for a task of a workspace.
    #[must_use]
    pub fn includes(self, workspace: &str, task: Option<&str>) -> bool {
        match (self, task) {
            (Self::On, _) => true,
            (Self::Off, _) | (Self::Percent(_), None) => false,
            (Self::Percent(percent), Some(task)) => place(workspace, task) < u64::from(percent),
        }
    }
}

/// Returns the place of a task among a hundred. It must never change between versions: a task would lose its tools.
fn place(workspace: &str, task: &str) -> u64 {
    let digest = sha256(format!("{workspace}\0{task}").as_bytes());
    u64::from_str_radix(&digest[..15], 16).unwrap_or_default() % 100
}

/// Parses `on`, `off` or a number of percent such as `10` or `10%`.
impl FromStr for Rollout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => return Ok(Self::On),
            "off" => return Ok(Self::Off),
            _ => {}
        }
        let number = text.strip_suffix('%').unwrap_or(text);
        let percent = number.parse().ok().filter(|percent| *percent <= 100);
        percent
            .map(Self::Percent)
            .ok_or_else(|| format!("`{text}` is not `on`, `off` or a percentage from 0 to 100"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Rollout, place};

    #[test]
    fn a_task_keeps_its_place_in_every_version() {
        let places = ["a", "b", "task-1", "日本"].map(|task| place("alpha", task));
        assert_eq!(places, [23, 5, 67, 32]);
    }

    #[test]
    fn a_sample_has_its_share_of_the_tasks_and_grows_with_it() {
        let tasks: Vec<String> = (0..10_000).map(|number| format!("task-{number}")).collect();
        let on = |percent| {
            let rollout = Rollout::Percent(percent);
            let tasks = tasks
                .iter()
                .filter(|task| rollout.includes("w", Some(task)));
            tasks.cloned().collect::<Vec<_>>()
        };
        let (ten, fifty) = (on(10), on(50));
        assert!((900..1100).contains(&ten.len()), "{}", ten.len());
        assert!((4800..5200).contains(&fifty.len()), "{}", fifty.len());
        assert!(ten.iter().all(|task| fifty.contains(task)));
        assert_eq!((on(0).len(), on(100).len()), (0, 10_000));
        assert!(!Rollout::Percent(100).includes("w", None));
    }

    #[test]
    fn it_is_written_as_a_word_or_a_percentage() {
        let parsed = ["on", "off", "10", "10%", "100", "101", "-1", "x"].map(str::parse::<Rollout>);
        let parsed = parsed.map(Result::ok);
        let percent = |number| Some(Rollout::Percent(number));
        assert_eq!(parsed[..2], [Some(Rollout::On), Some(Rollout::Off)]);
        assert_eq!(parsed[2..5], [percent(10), percent(10), percent(100)]);
        assert_eq!(parsed[5..], [None, None, None]);
    }
}

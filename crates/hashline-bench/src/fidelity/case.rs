//! One change of one file.

/// A file before a change, the change, and what must come out.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// What to call it.
    pub(super) name: String,
    pub(super) path: String,
    pub(super) before: String,
    /// In order, disjoint.
    pub(super) hunks: Vec<Hunk>,
    pub(super) after_sha256: String,
}

/// Lines from `start` up to but not including `end`, counted from 0, become `lines`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) lines: Vec<String>,
}

impl Case {
    /// Returns the lines of the file before.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.before.lines().collect()
    }

    /// Returns the hunks with some of them widened by the line below them (above, if there is none), where their dialect cannot
    /// say them otherwise. Those that then touch become one. Nothing if the file has no line to widen by.
    pub(super) fn widened(&self, unsayable: impl Fn(&Hunk) -> bool) -> Option<Vec<Hunk>> {
        let lines = self.lines();
        let mut hunks: Vec<Hunk> = Vec::with_capacity(self.hunks.len());
        let mut widened = false;
        for hunk in &self.hunks {
            let mut hunk = hunk.clone();
            let touches = widened && hunks.last().is_some_and(|last| hunk.start <= last.end);
            widened = unsayable(&hunk);
            if widened {
                hunk.widen(&lines)?;
            }
            let overlaps = hunks.last().is_some_and(|last| hunk.start < last.end);
            match hunks.last_mut() {
                Some(last) if touches || overlaps => last.take_in(hunk, &lines),
                _ => hunks.push(hunk),
            }
        }
        Some(hunks)
    }

    /// Returns the hunks, neighbours that get in each other's way as one.
    pub(super) fn merged(&self, conflict: impl Fn(&Hunk, &Hunk) -> bool) -> Vec<Hunk> {
        let lines = self.lines();
        let mut hunks: Vec<Hunk> = Vec::with_capacity(self.hunks.len());
        for hunk in &self.hunks {
            match hunks.last_mut() {
                Some(last) if conflict(last, hunk) => last.take_in(hunk.clone(), &lines),
                _ => hunks.push(hunk.clone()),
            }
        }
        hunks
    }
}

impl Hunk {
    /// Returns whether nothing goes.
    pub(super) fn is_insertion(&self) -> bool {
        self.start == self.end
    }

    fn widen(&mut self, lines: &[&str]) -> Option<()> {
        if let Some(below) = lines.get(self.end) {
            self.lines.push((*below).to_owned());
            self.end += 1;
        } else {
            let above = lines.get(self.start.checked_sub(1)?)?;
            self.lines.insert(0, (*above).to_owned());
            self.start -= 1;
        }
        Some(())
    }

    /// Takes a later hunk in, with the lines between the two. If the two share a line, both have kept it.
    fn take_in(&mut self, later: Self, lines: &[&str]) {
        let shared = self.end.saturating_sub(later.start);
        self.lines.truncate(self.lines.len() - shared);
        let between = lines.get(self.end..later.start).unwrap_or_default();
        self.lines
            .extend(between.iter().map(|line| (*line).to_owned()));
        self.lines.extend(later.lines);
        self.end = later.end;
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Hunk};

    fn hunk(start: usize, end: usize, lines: &[&str]) -> Hunk {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        Hunk { start, end, lines }
    }

    fn case(hunks: Vec<Hunk>) -> Case {
        Case {
            name: String::new(),
            path: String::new(),
            before: "a\nb\nc\n".to_owned(),
            hunks,
            after_sha256: String::new(),
        }
    }

    #[test]
    fn an_insertion_on_top_takes_the_first_line_along() {
        let case = case(vec![hunk(0, 0, &["new"]), hunk(1, 2, &["B"])]);
        let widened = case.widened(|hunk| hunk.start == 0);
        assert_eq!(widened, Some(vec![hunk(0, 2, &["new", "a", "B"])]));
    }

    #[test]
    fn hunks_that_name_one_line_become_one() {
        let case = case(vec![hunk(0, 1, &["A"]), hunk(2, 2, &["new"])]);
        let merged = case.merged(|_, _| true);
        assert_eq!(merged, [hunk(0, 2, &["A", "b", "new"])]);
    }
}

//! A trial being played: a file, an agent that reads and edits it through hashline, and others who write to it.

use hashline_core::policy::Context;
use hashline_core::shown::{History, Shown};
use hashline_core::text::{Document, LineNo, LineSpan};
use hashline_core::{EditBatch, Edited, Error, Policy, edit};

use super::draft::Draft;
use super::verdict::{Verdict, judge};
use super::version::{Author, Identities, Identity, Version};
use super::wish::{Action, SCHEME, Wish};
use super::writer::Writer;
use crate::corpus::Files;
use crate::rng::Rng;

/// The file, its record, and what the agent was shown.
pub(super) struct Scene<'a> {
    pub(super) rng: Rng,
    files: &'a Files,
    identities: Identities,
    pub(super) history: History,
    pub(super) now: Version,
    /// What the file was, oldest first, and last what it is.
    story: Vec<Version>,
    /// What the agent was shown, oldest first.
    pub(super) answers: Vec<Answer>,
    /// What the other agent was shown.
    colleagues_answers: Vec<Answer>,
    callers: Callers,
    /// Whether the record of the file was deleted.
    pub(super) forgot: bool,
    /// What became of edits that were made on the way to the one that is judged.
    pub(super) on_the_way: Vec<Passed>,
}

/// Lines of the file that were shown at one time.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// Where in the story.
    at: usize,
    pub(super) spans: Vec<LineSpan>,
}

/// An edit on the way: what became of it, and whether its lines were still there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    pub(super) verdict: Verdict,
    pub(super) could_land: bool,
}

/// Who uses hashline, and under which names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callers {
    /// The agent has no session; another agent has none, either.
    Unnamed,
    /// The agent has a session; another agent has none.
    OneSession,
    /// Two agents, each with a session. The other one reads the file whenever it has changed, or not.
    TwoSessions,
}

impl Callers {
    pub(super) const ALL: [Self; 3] = [Self::Unnamed, Self::OneSession, Self::TwoSessions];
}

/// Who makes an edit through hashline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Editor {
    /// The agent that is judged.
    Agent,
    /// Another agent with the same ledger.
    Colleague,
}

impl<'a> Scene<'a> {
    /// Opens the file of a random line.
    pub(super) fn open(mut rng: Rng, files: &'a Files, callers: Callers) -> Self {
        let mut identities = Identities::default();
        let now = Version::original(files.pick(&mut rng), &mut identities);
        Self {
            rng,
            files,
            identities,
            history: History::default(),
            story: vec![now.clone()],
            now,
            answers: Vec::new(),
            colleagues_answers: Vec::new(),
            callers,
            forgot: false,
            on_the_way: Vec::new(),
        }
    }

    /// Takes another file instead of the one that was opened, before anything of it was shown.
    pub(super) fn start_with(&mut self, document: &Document) {
        self.now = Version::original(document, &mut self.identities);
        self.story = vec![self.now.clone()];
    }

    /// Returns lines of some files of the corpus, as they stand there.
    pub(super) fn real_lines(&mut self, most: usize) -> Vec<Vec<u8>> {
        let mut writer = Writer {
            rng: &mut self.rng,
            files: self.files,
        };
        writer.real_lines(most)
    }

    /// Lets somebody write to the file behind hashline's back.
    pub(super) fn outside(&mut self, write: impl FnOnce(&mut Draft<'_>, &mut Writer<'_>)) {
        let before = self.now.clone();
        let mut draft = Draft::of(&before, &mut self.identities);
        let mut writer = Writer {
            rng: &mut self.rng,
            files: self.files,
        };
        write(&mut draft, &mut writer);
        let after = draft.save();
        self.turn_into(after);
    }

    /// Lets the file become another version. A revision is its bytes: when they come back, whatever lies between is no change. What was
    /// shown until then holds for the lines that have those bytes now, even if one of these is a copy that has taken the place of its twin.
    fn turn_into(&mut self, version: Version) {
        let mut story = self.story.iter();
        if let Some(at) = story.rposition(|before| before.document == version.document) {
            let before = self.story[at].clone();
            for earlier in &mut self.story[..=at] {
                *earlier = earlier.taking(&before, &version);
            }
        }
        self.story.push(version.clone());
        self.now = version;
        if self.callers == Callers::TwoSessions && self.rng.chance(50) {
            self.answer(Editor::Colleague, vec![self.now.document.all()]);
        }
    }

    /// Lets the file become what it was when an answer was given, as `git checkout` does.
    pub(super) fn revert_to(&mut self, answer: &Answer) {
        let version = self.shown_in(answer);
        self.turn_into(version);
    }

    /// Lets the record of the file be deleted.
    pub(super) fn forget(&mut self) {
        self.history = History::default();
        self.forgot = true;
    }

    /// Returns the file as an answer showed it.
    pub(super) fn shown_in(&self, answer: &Answer) -> Version {
        self.story[answer.at].clone()
    }

    /// Shows lines of the file as it is to the agent.
    pub(super) fn show(&mut self, span: LineSpan) {
        self.answer(Editor::Agent, vec![span]);
    }

    /// Shows several parts of the file as it is to the agent, in one answer, as a search does.
    pub(super) fn show_parts(&mut self, spans: Vec<LineSpan>) {
        self.answer(Editor::Agent, spans);
    }

    /// Shows the lines around `span`, or the whole file.
    pub(super) fn show_around(&mut self, span: LineSpan) {
        let shown = if self.rng.chance(50) {
            self.now.document.all()
        } else {
            let context = self.rng.below(40);
            span.widened(context, self.now.lines())
        };
        self.show(shown);
    }

    /// Shows the whole file, or a good part of it.
    pub(super) fn show_much(&mut self) {
        let lines = self.now.lines();
        let whole = self.rng.chance(60);
        let start = if whole {
            0
        } else {
            self.rng.below(lines.saturating_sub(20) + 1)
        };
        let len = if whole {
            lines
        } else {
            self.rng.between(20, 200)
        };
        self.show(LineSpan::new(start..(start + len).min(lines)));
    }

    /// Wants some edit of the file as it is.
    pub(super) fn aim(&mut self) -> Wish {
        let action = self.any_action();
        let most = if action.takes_a_range() && self.rng.chance(30) {
            8
        } else {
            1
        };
        self.aim_with(action, 1, most)
    }

    /// Wants to replace or delete a range of the file as it is.
    pub(super) fn aim_at_range(&mut self, least: usize, most: usize) -> Wish {
        let action = *self
            .rng
            .pick(&[Action::Replace, Action::Replace, Action::Delete]);
        self.aim_with(action, least, most)
    }

    fn aim_with(&mut self, action: Action, least: usize, most: usize) -> Wish {
        let lines = self.now.lines();
        let len = self.rng.between(least, most).min(lines);
        let start = self.rng.below(lines - len + 1);
        self.wish(self.now.clone(), LineSpan::new(start..start + len), action)
    }

    /// Wants some edit of lines that stand in an answer. Nothing if it shows none.
    pub(super) fn aim_in(&mut self, answer: &Answer) -> Option<Wish> {
        let spans: Vec<LineSpan> = answer
            .spans
            .iter()
            .copied()
            .filter(|span| !span.is_empty())
            .collect();
        if spans.is_empty() {
            return None;
        }
        let part = *self.rng.pick(&spans);
        let action = self.any_action();
        let most = if action.takes_a_range() && self.rng.chance(30) {
            8
        } else {
            1
        };
        let len = self.rng.between(1, most.min(part.len()));
        let start = part.start() + self.rng.below(part.len() - len + 1);
        Some(self.wish(
            self.shown_in(answer),
            LineSpan::new(start..start + len),
            action,
        ))
    }

    /// Wants to do this to lines of what was seen; the new lines stand nowhere else.
    pub(super) fn wish(&mut self, seen: Version, span: LineSpan, action: Action) -> Wish {
        let lines = if action == Action::Delete {
            0
        } else {
            self.rng.between(1, 3)
        };
        let lines = (0..lines).map(|_| format!("<<{:016x}>>", self.rng.next()));
        Wish {
            lines: lines.collect(),
            seen,
            span,
            action,
        }
    }

    /// Makes an edit on the way, with its revision, as an agent does that works well. Its new lines are often such as stand in the
    /// file already. Returns whether it was done.
    pub(super) fn edit(&mut self, editor: Editor, mut wish: Wish) -> bool {
        if self.rng.chance(50) {
            wish.lines = self.familiar_lines(wish.lines.len());
        }
        let outcome = self.send(editor, &wish);
        self.on_the_way.push(Passed {
            verdict: judge(&self.now, &[&wish], &outcome),
            could_land: wish.place_in(&self.now).is_some(),
        });
        outcome.is_ok_and(|edited| self.record(editor, &edited))
    }

    fn send(&self, editor: Editor, wish: &Wish) -> Result<Edited, Error> {
        let batch = EditBatch::new([wish.operation()]).at_revision(wish.seen.document.revision());
        let shown = Shown::new(&self.history, self.session_of(editor));
        edit(&self.now.document, &shown, batch, &Policy::default())
    }

    /// Writes an edit down and shows its answer. Tells whether the file changed.
    fn record(&mut self, editor: Editor, edited: &Edited) -> bool {
        let (changes, author) = (&edited.report.changes, editor.author());
        let after = self
            .now
            .after(&edited.document, changes, author, &mut self.identities);
        let Some(after) = after else {
            // The report is not true, and the verdict says so: there is nothing to go on from.
            return false;
        };
        self.history.wrote(
            &self.now.document,
            &edited.document,
            changes,
            self.session_of(editor),
        );
        self.turn_into(after);
        self.answer(editor, edited.report.windows(Context::default()));
        edited.report.is_changed()
    }

    fn answer(&mut self, editor: Editor, spans: Vec<LineSpan>) {
        let session = self.session_of(editor);
        self.history
            .showed(&self.now.document, session, SCHEME, &spans);
        let answer = Answer {
            at: self.story.len() - 1,
            spans,
        };
        match editor {
            Editor::Agent => self.answers.push(answer),
            Editor::Colleague => self.colleagues_answers.push(answer),
        }
    }

    /// Returns the name of the agent's session.
    pub(super) fn session(&self) -> Option<&'static str> {
        self.session_of(Editor::Agent)
    }

    /// Judges an outcome; lines that nobody of the agent's name was shown must not be gone.
    pub(super) fn judge(
        &self,
        now: &Version,
        wishes: &[&Wish],
        outcome: &Result<Edited, Error>,
    ) -> Verdict {
        match judge(now, wishes, outcome) {
            Verdict::Right if !wishes.iter().all(|wish| self.was_shown(wish)) => Verdict::Blind,
            verdict => verdict,
        }
    }

    /// Returns whether the lines meant still stand and were shown, so that the edit should land.
    pub(super) fn could_land(&self, wish: &Wish) -> bool {
        wish.place_in(&self.now).is_some() && self.was_shown(wish)
    }

    /// Returns whether every line that an edit takes away was shown to the agent, or written by it.
    fn was_shown(&self, wish: &Wish) -> bool {
        let is_shown = |id: &Identity| {
            let mut answers = self.answers_of_the_agents_name();
            id.author == Author::Agent
                || answers.any(|answer| {
                    let version = &self.story[answer.at];
                    let mut spans = answer.spans.iter();
                    spans.any(|span| version.ids_in(*span).contains(id))
                })
        };
        wish.action.inserts() || wish.meant().iter().all(is_shown)
    }

    /// Returns what was shown to the agent, and to everybody without a name if it has none.
    fn answers_of_the_agents_name(&self) -> impl Iterator<Item = &Answer> {
        let everybody = self.session().is_none();
        let others = self.colleagues_answers.iter().filter(move |_| everybody);
        self.answers.iter().chain(others)
    }

    /// Returns the versions in which both anchors of a wish were shown to the agent again, so that without a revision they mean the lines of
    /// these: the current one, and if the answer that the anchors come from is not on record any more, every one that is.
    pub(super) fn shown_again<'s>(&'s self, wish: &'s Wish) -> impl Iterator<Item = &'s Version> {
        let is_on_record = |version: &Version| {
            let revision = version.document.revision();
            let mut recorded = self.history.recorded().iter();
            recorded.any(|recorded| recorded.revision == revision)
        };
        let is_evicted = self.forgot || !is_on_record(&wish.seen);
        // Without a session, a showing of other bytes under the same anchor is an objection, as long as it is on record.
        let by_tag = is_evicted || self.session().is_some();
        self.answers_of_the_agents_name()
            .map(|answer| (answer, &self.story[answer.at]))
            .filter(move |(_, version)| {
                version.document == self.now.document || is_evicted && is_on_record(version)
            })
            .filter(move |(answer, version)| {
                wish.ends().into_iter().all(|index| {
                    let mut spans = answer.spans.iter();
                    spans.any(|span| span.range().contains(&index))
                        && is_same_anchor(wish, version, index, by_tag)
                })
            })
            .map(|(_, version)| version)
    }

    fn session_of(&self, editor: Editor) -> Option<&'static str> {
        match (self.callers, editor) {
            (Callers::OneSession | Callers::TwoSessions, Editor::Agent) => Some("agent"),
            (Callers::TwoSessions, Editor::Colleague) => Some("colleague"),
            (Callers::Unnamed, _) | (Callers::OneSession, Editor::Colleague) => None,
        }
    }

    /// Reads a part of the file and edits it, as another agent with the same ledger.
    pub(super) fn let_colleague_edit(&mut self) {
        if self.now.lines() == 0 {
            return;
        }
        let wish = self.aim();
        let window = wish.span.widened(10, self.now.lines());
        self.answer(Editor::Colleague, vec![window]);
        self.edit(Editor::Colleague, wish);
    }

    pub(super) fn any_action(&mut self) -> Action {
        match self.rng.below(100) {
            0..65 => Action::Replace,
            65..80 => Action::Delete,
            80..92 => Action::InsertAfter,
            _ => Action::InsertBefore,
        }
    }

    fn familiar_lines(&mut self, count: usize) -> Vec<String> {
        let lines = self.now.lines().max(1);
        let texts = (0..count)
            .map(|_| self.rng.below(lines))
            .collect::<Vec<usize>>();
        let texts = texts
            .into_iter()
            .map(|index| self.now.text(index).unwrap_or_default());
        texts
            .map(|text| {
                String::from_utf8_lossy(text)
                    .trim_end_matches('\r')
                    .to_owned()
            })
            .collect()
    }
}

impl Action {
    fn inserts(self) -> bool {
        matches!(self, Self::InsertAfter | Self::InsertBefore)
    }

    fn takes_a_range(self) -> bool {
        matches!(self, Self::Replace | Self::Delete)
    }
}

impl Editor {
    fn author(self) -> Author {
        match self {
            Self::Agent => Author::Agent,
            Self::Colleague => Author::Other,
        }
    }
}

/// Returns whether a line has the same anchor in another version, and the same bytes unless the tag is enough.
fn is_same_anchor(wish: &Wish, version: &Version, index: usize, by_tag: bool) -> bool {
    let number = LineNo::from_index(index);
    match (wish.seen.text(index), version.text(index)) {
        (Some(was), Some(now)) if by_tag => SCHEME.tag(was, number) == SCHEME.tag(now, number),
        (was, now) => was == now,
    }
}

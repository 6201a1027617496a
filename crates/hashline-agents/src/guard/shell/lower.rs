//! From the parser's tree to scripts: which commands run, with which words and redirections.

use std::rc::Rc;

use brush_parser::ast::{
    AndOr, AndOrList, ArithmeticCommand, Assignment, AssignmentValue, Command as Parsed,
    CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, ExtendedTestExpr,
    Pipeline as ParsedPipeline, ProcessSubstitutionKind, Program, RedirectList, SimpleCommand,
    SubshellCommand, Word as ParsedWord,
};

use super::{
    Command, Direction, Group, Here, Hole, Loop, Pipeline, Redirect, Script, Simple, Source, Stage,
    Word,
};
use crate::guard::verdict::Unsure;

/// Substitutions inside substitutions are followed so far.
const DEEPEST: usize = 16;

/// The descriptor of `{fd}>x`: the shell chooses a free one, from ten on, and keeps its number in the variable.
const CHOSEN: i32 = 10;

/// What a simple command is made of, beside its assignments.
#[derive(Default)]
struct Items {
    words: Vec<Word>,
    redirects: Vec<Redirect>,
    /// Whether the shell chooses the descriptor of the redirection that comes next.
    next_is_chosen: bool,
}

/// One pass over a tree. It remembers what it could not take apart.
#[derive(Default)]
pub(super) struct Lowering {
    /// The text that was parsed.
    text: String,
    /// The heredocs that were taken out of it.
    pub(super) heredocs: Vec<Here>,
    depth: usize,
    trouble: Option<Unsure>,
}

impl Lowering {
    /// Returns why a part was left as unknown, if one was.
    pub(super) fn trouble(&self) -> Option<Unsure> {
        self.trouble
    }

    /// Remembers the first reason.
    pub(super) fn note(&mut self, unsure: Unsure) {
        self.trouble.get_or_insert(unsure);
    }

    /// Lowers a whole program.
    pub(super) fn program(&mut self, program: &Program) -> Script {
        let mut script = Script::default();
        for list in &program.complete_commands {
            self.list_into(&mut script, list);
        }
        script
    }

    /// Parses the text of a substitution. None if it is not shell: then nothing around it can be trusted either.
    pub(super) fn substituted(&mut self, text: &str) -> Option<Rc<Script>> {
        if self.depth >= DEEPEST {
            self.note(Unsure::TooDeep);
            return None;
        }
        let parsed = Source::new(text.to_owned()).parse_at(self.depth + 1, &self.heredocs);
        match parsed {
            Ok((script, trouble)) => {
                self.trouble = self.trouble.or(trouble);
                Some(Rc::new(script))
            }
            Err(unsure) => {
                self.note(unsure);
                None
            }
        }
    }

    /// Starts a pass over the tree of `text`, which stands `depth` substitutions deep.
    pub(super) fn of(text: String, heredocs: Vec<Here>, depth: usize) -> Self {
        Self {
            text,
            heredocs,
            depth,
            trouble: None,
        }
    }

    fn list(&mut self, list: &CompoundList) -> Script {
        let mut script = Script::default();
        self.list_into(&mut script, list);
        script
    }

    fn list_into(&mut self, script: &mut Script, list: &CompoundList) {
        for item in &list.0 {
            self.and_or_into(script, &item.0);
        }
    }

    fn and_or_into(&mut self, script: &mut Script, list: &AndOrList) {
        let others = list
            .additional
            .iter()
            .map(|(AndOr::And(p) | AndOr::Or(p))| p);
        for pipeline in std::iter::once(&list.first).chain(others) {
            let stages = self.stages(pipeline);
            if !stages.is_empty() {
                script.pipelines.push(Pipeline { stages });
            }
        }
    }

    fn stages(&mut self, pipeline: &ParsedPipeline) -> Vec<Stage> {
        pipeline.seq.iter().map(|c| self.stage(c)).collect()
    }

    fn stage(&mut self, command: &Parsed) -> Stage {
        match command {
            Parsed::Simple(simple) => self.simple(simple),
            Parsed::Compound(compound, redirects) => self.compound(compound, redirects.as_ref()),
            // The body counts as if it ran where it is defined.
            Parsed::Function(function) => {
                let body = &function.body;
                self.compound(&body.0, body.1.as_ref())
            }
            Parsed::ExtendedTest(test, redirects) => {
                let mut group = Group::default();
                self.compared(&test.expr, &mut group.words);
                Stage {
                    command: Command::Group(group),
                    redirects: self.redirects(redirects.as_ref()),
                }
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) -> Stage {
        let mut assigned = Vec::new();
        let mut items = Items::default();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => {
                    self.assigned(assignment, &mut assigned);
                }
                other => self.item(other, &mut items),
            }
        }
        if let Some(name) = &simple.word_or_name {
            self.argument(name, &mut items);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut items);
        }
        let words = items.words;
        Stage {
            command: Command::Simple(Simple { assigned, words }),
            redirects: items.redirects,
        }
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem, items: &mut Items) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => {
                let mut redirect = self.redirect(redirect);
                if std::mem::take(&mut items.next_is_chosen) {
                    redirect.fd = CHOSEN;
                }
                items.redirects.push(redirect);
            }
            CommandPrefixOrSuffixItem::Word(word) => self.argument(word, items),
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                match &assignment.value {
                    AssignmentValue::Scalar(_) => self.argument(word, items),
                    AssignmentValue::Array(_) => self.assigned(assignment, &mut items.words),
                }
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(kind, subshell) => {
                items.words.push(self.process(kind, subshell));
            }
        }
    }

    fn argument(&mut self, word: &ParsedWord, items: &mut Items) {
        items.next_is_chosen = self.keeps_a_descriptor(word);
        if !items.next_is_chosen {
            items.words.extend(self.words(&word.value));
        }
    }

    /// Says whether the word is the `{fd}` of `{fd}>x`, which the parser takes for an argument.
    fn keeps_a_descriptor(&self, word: &ParsedWord) -> bool {
        let name = word.value.strip_prefix('{');
        let Some(name) = name.and_then(|name| name.strip_suffix('}')) else {
            return false;
        };
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let end = word.loc.as_ref().map(|loc| loc.end.index);
        let next = end.and_then(|end| self.text.chars().nth(end));
        is_name && matches!(next, Some('<' | '>'))
    }

    fn assigned(&mut self, assignment: &Assignment, words: &mut Vec<Word>) {
        match &assignment.value {
            AssignmentValue::Scalar(value) => words.push(self.word(&value.value)),
            AssignmentValue::Array(values) => {
                words.extend(values.iter().map(|(_, value)| self.word(&value.value)));
            }
        }
    }

    /// Lowers a process substitution.
    pub(super) fn process(
        &mut self,
        kind: &ProcessSubstitutionKind,
        subshell: &SubshellCommand,
    ) -> Word {
        let (direction, source) = match kind {
            ProcessSubstitutionKind::Read => (Direction::From, "<(..)"),
            ProcessSubstitutionKind::Write => (Direction::To, ">(..)"),
        };
        let script = Rc::new(self.list(&subshell.list));
        Word::hole(Hole::Process(direction, script), source)
    }

    fn compound(&mut self, compound: &CompoundCommand, redirects: Option<&RedirectList>) -> Stage {
        let command = match compound {
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                let condition = self.list(&clause.0);
                let body = self.list(&clause.1.list);
                Command::Loop(Loop { condition, body })
            }
            CompoundCommand::Coprocess(coprocess) => return self.stage(&coprocess.body),
            other => Command::Group(self.group(other)),
        };
        Stage {
            command,
            redirects: self.redirects(redirects),
        }
    }

    fn group(&mut self, compound: &CompoundCommand) -> Group {
        let mut group = Group::default();
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => {
                group.scripts.extend(self.subshell_in(arithmetic));
            }
            CompoundCommand::ArithmeticForClause(each) => {
                group.scripts.push(self.list(&each.body.list));
            }
            CompoundCommand::BraceGroup(braces) => group.scripts.push(self.list(&braces.list)),
            CompoundCommand::Subshell(subshell) => group.scripts.push(self.list(&subshell.list)),
            CompoundCommand::ForClause(each) => {
                let values = each.values.iter().flatten();
                group.words.extend(values.map(|w| self.word(&w.value)));
                group.scripts.push(self.list(&each.body.list));
            }
            CompoundCommand::CaseClause(case) => {
                group.words.push(self.word(&case.value.value));
                let branches = case.cases.iter().filter_map(|branch| branch.cmd.as_ref());
                group.scripts.extend(branches.map(|list| self.list(list)));
            }
            CompoundCommand::IfClause(clause) => {
                let others = clause.elses.iter().flatten();
                let others =
                    others.flat_map(|other| other.condition.iter().chain(Some(&other.body)));
                let lists = [&clause.condition, &clause.then].into_iter().chain(others);
                group.scripts.extend(lists.map(|list| self.list(list)));
            }
            CompoundCommand::WhileClause(_)
            | CompoundCommand::UntilClause(_)
            | CompoundCommand::Coprocess(_) => {}
        }
        group
    }

    /// The parser takes `( (cat x) )` for arithmetic, which a shell does only if the brackets touch.
    fn subshell_in(&mut self, arithmetic: &ArithmeticCommand) -> Option<Script> {
        let (start, end) = (arithmetic.loc.start.index, arithmetic.loc.end.index);
        let inside: String = {
            let length = end.saturating_sub(start).checked_sub(2)?;
            self.text.chars().skip(start + 1).take(length).collect()
        };
        if inside.starts_with('(') {
            return None;
        }
        self.substituted(&inside).and_then(Rc::into_inner)
    }

    fn compared(&mut self, test: &ExtendedTestExpr, words: &mut Vec<Word>) {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.compared(left, words);
                self.compared(right, words);
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => {
                self.compared(inner, words);
            }
            ExtendedTestExpr::UnaryTest(_, word) => words.push(self.word(&word.value)),
            ExtendedTestExpr::BinaryTest(_, left, right) => {
                words.push(self.word(&left.value));
                words.push(self.word(&right.value));
            }
        }
    }
}

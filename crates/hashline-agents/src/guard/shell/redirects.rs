//! Redirections: which descriptor is led where.

use std::rc::Rc;

use brush_parser::ast::{
    IoFileRedirectKind, IoFileRedirectTarget, IoHereDocument, IoRedirect, RedirectList,
};

use super::lower::Lowering;
use super::{Here, Redirect, Target, Word, heredocs};

impl Lowering {
    /// Lowers the redirections of a compound command.
    pub(super) fn redirects(&mut self, list: Option<&RedirectList>) -> Vec<Redirect> {
        let list = list.iter().flat_map(|list| &list.0);
        list.map(|redirect| self.redirect(redirect)).collect()
    }

    /// Lowers one redirection.
    pub(super) fn redirect(&mut self, redirect: &IoRedirect) -> Redirect {
        let (fd, target) = match redirect {
            IoRedirect::File(fd, kind, target) => return self.file(*fd, kind, target),
            IoRedirect::OutputAndError(word, _) => (1, Target::Both(self.word(&word.value))),
            IoRedirect::HereDocument(fd, document) => {
                (fd.unwrap_or(0), Target::Here(here(document)))
            }
            IoRedirect::HereString(fd, word) => {
                let heredoc = heredocs::marked(&word.value, &self.heredocs).cloned();
                let here = heredoc.unwrap_or_else(|| Here::String(self.word(&word.value)));
                (fd.unwrap_or(0), Target::Here(here))
            }
        };
        Redirect { fd, target }
    }

    fn file(
        &mut self,
        fd: Option<i32>,
        kind: &IoFileRedirectKind,
        target: &IoFileRedirectTarget,
    ) -> Redirect {
        let word = match target {
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                self.word(&word.value)
            }
            IoFileRedirectTarget::Fd(fd) => Word::known(&fd.to_string()),
            IoFileRedirectTarget::ProcessSubstitution(kind, subshell) => {
                self.process(kind, subshell)
            }
        };
        let (usual, target) = match kind {
            IoFileRedirectKind::Read | IoFileRedirectKind::ReadAndWrite => (0, Target::Input(word)),
            IoFileRedirectKind::DuplicateInput => (0, Target::Duplicate(number(&word))),
            IoFileRedirectKind::Write
            | IoFileRedirectKind::Append
            | IoFileRedirectKind::Clobber => (1, Target::Output(word)),
            IoFileRedirectKind::DuplicateOutput if names_a_file(&word) => match fd {
                None | Some(1) => (1, Target::Both(word)),
                Some(_) => (1, Target::Output(word)),
            },
            IoFileRedirectKind::DuplicateOutput => (1, Target::Duplicate(number(&word))),
        };
        Redirect {
            fd: fd.unwrap_or(usual),
            target,
        }
    }
}

fn here(document: &IoHereDocument) -> Here {
    let body = Rc::from(document.doc.value.as_str());
    if document.requires_expansion {
        Here::Expanded(body)
    } else {
        Here::Literal(body)
    }
}

/// After `>&`, text that is no number is a file. A variable is taken for a descriptor, which it nearly always is.
fn names_a_file(word: &Word) -> bool {
    word.text()
        .is_some_and(|text| text != "-" && number_of(&text).is_none())
}

fn number(word: &Word) -> Option<i32> {
    word.text().and_then(|text| number_of(&text))
}

/// Reads `2`, and `2-`, which moves a descriptor.
fn number_of(text: &str) -> Option<i32> {
    text.strip_suffix('-').unwrap_or(text).parse().ok()
}

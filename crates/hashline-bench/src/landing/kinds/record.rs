//! What the record holds: not all lines of a range, a revision that has come back, or nothing any more.

use hashline_core::shown::History;
use hashline_core::text::{Document, LineSpan};

use super::several::own_edit;
use crate::landing::scene::{Editor, Scene};
use crate::landing::wish::{Action, Wish};

/// The ends of a range were shown, by a search or by two readings, and perhaps not all that lies between, which others may have changed.
pub(super) fn unseen_inner_lines(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    if scene.rng.chance(30) {
        // Lines that the agent sent count as shown.
        let first = scene.aim_at_range(1, 10);
        scene.show_around(first.span);
        scene.edit(Editor::Agent, first);
    }
    if scene.now.lines() < 3 {
        return None;
    }
    let wish = scene.aim_at_range(3, 40);
    let ends = [wish.span.start(), wish.span.end() - 1];
    let ends = ends.map(|end| {
        let around = scene.rng.below(4);
        LineSpan::new(end..end + 1).widened(around, scene.now.lines())
    });
    if scene.rng.chance(50) {
        scene.show_parts(ends.to_vec());
    } else {
        ends.into_iter().for_each(|end| scene.show(end));
    }
    match scene.rng.below(10) {
        0..3 => scene.outside(|draft, writer| {
            let inner = (wish.span.start() + 1, wish.span.end() - 2);
            let inner = writer.rng.between(inner.0, inner.1);
            writer.alter(draft, inner);
        }),
        3..6 => scene.outside(|draft, writer| writer.alter_elsewhere(draft, wish.span)),
        _ => {}
    }
    Some(vec![wish])
}

/// The file changes, is read and edited, and becomes what it was before, as often as not without anybody's being told.
pub(super) fn reverted(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    scene.show_much();
    for _ in 0..scene.rng.between(1, 3) {
        for _ in 0..scene.rng.between(1, 2) {
            match scene.rng.below(4) {
                0 => drop(own_edit(scene)?),
                1 => scene.let_colleague_edit(),
                _ => scene.outside(|draft, writer| writer.do_anything(draft)),
            }
        }
        if scene.rng.chance(50) {
            scene.show_much();
        }
        let back = scene.rng.pick(&scene.answers.clone()).clone();
        scene.revert_to(&back);
        if scene.rng.chance(30) {
            scene.show_much();
        }
    }
    if scene.rng.chance(30) {
        scene.outside(|draft, writer| writer.do_anything(draft));
    }
    let answer = scene.rng.pick(&scene.answers.clone()).clone();
    Some(vec![scene.aim_in(&answer)?])
}

/// The record of the file was deleted, or has dropped revisions because there were too many.
pub(super) fn evicted(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    if scene.rng.chance(40) {
        drop_revisions(scene);
    } else {
        scene.show_much();
        change_or_read(scene)?;
        scene.forget();
        change_or_read(scene)?;
    }
    let answer = scene.rng.pick(&scene.answers.clone()).clone();
    Some(vec![scene.aim_in(&answer)?])
}

fn change_or_read(scene: &mut Scene<'_>) -> Option<()> {
    for _ in 0..scene.rng.below(3) {
        match scene.rng.below(4) {
            0 => drop(own_edit(scene)?),
            1 => scene.show_much(),
            _ => scene.outside(|draft, writer| writer.do_anything(draft)),
        }
    }
    Some(())
}

/// Edits a short file more often than revisions are recorded; others write to it now and then.
fn drop_revisions(scene: &mut Scene<'_>) {
    const LINES: usize = 60;
    let first = scene.rng.below(scene.now.lines());
    let texts = scene
        .now
        .document
        .lines_in(LineSpan::new(first..first + LINES));
    let bytes: Vec<u8> = texts.flat_map(|line| [line.text, b"\n"].concat()).collect();
    scene.start_with(&Document::new(bytes));
    scene.show_much();
    let edits = scene
        .rng
        .between(History::MAX_REVISIONS / 2, 2 * History::MAX_REVISIONS);
    for _ in 0..edits {
        let lines = scene.now.lines();
        if lines < 10 || scene.rng.chance(3) {
            scene.outside(|draft, writer| writer.do_anything(draft));
            scene.show(scene.now.document.all());
        } else {
            let action = *scene
                .rng
                .pick(&[Action::Replace, Action::InsertAfter, Action::Delete]);
            let action = if lines > 2 * LINES {
                Action::Delete
            } else {
                action
            };
            let at = scene.rng.below(lines);
            let wish = scene.wish(scene.now.clone(), LineSpan::new(at..at + 1), action);
            scene.show(wish.span);
            scene.edit(Editor::Agent, wish);
        }
    }
}

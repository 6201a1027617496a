//! Somebody changed or deleted what the agent means.

use hashline_core::text::LineSpan;

use crate::landing::draft::Draft;
use crate::landing::scene::Scene;
use crate::landing::wish::Wish;
use crate::landing::writer::Writer;

/// The target line, or an end of the target range, has another text.
pub(super) fn target_changed(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    scene.outside(|draft, writer| change_an_end(draft, writer, wish.span));
    Some(vec![wish])
}

/// The same, and lines came or went above it.
pub(super) fn changed_and_shifted(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    scene.outside(|draft, writer| {
        change_an_end(draft, writer, wish.span);
        writer.move_down_or_up(draft, wish.span.start());
    });
    Some(vec![wish])
}

/// The target is gone, and perhaps some of its neighbours.
pub(super) fn target_deleted(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    scene.outside(|draft, writer| {
        let more = if writer.rng.chance(40) {
            writer.rng.between(1, 6)
        } else {
            0
        };
        let gone = wish.span.widened(more, draft.len());
        let kept = if gone.len() == draft.len() { 1 } else { 0 };
        draft.remove(gone.start() + kept..gone.end());
        if kept == 1 {
            writer.alter(draft, 0);
        }
    });
    Some(vec![wish])
}

/// A line inside the range was changed, came or went; its ends are as they were.
pub(super) fn inner_line_changed(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim_at_range(3, 12);
    scene.show_around(wish.span);
    scene.outside(|draft, writer| {
        let inner = writer
            .rng
            .between(wish.span.start() + 1, wish.span.end() - 2);
        match writer.rng.below(10) {
            0 => draft.remove(inner..inner + 1),
            1 => writer.insert(draft, inner, 3),
            _ => writer.alter(draft, inner),
        }
    });
    Some(vec![wish])
}

/// Only white space of the target changed: its tag is the same in omp.
pub(super) fn whitespace_only(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    scene.outside(|draft, writer| {
        let around = if writer.rng.chance(30) {
            writer.rng.between(1, 8)
        } else {
            0
        };
        let whole = wish.span.widened(around, draft.len());
        let touched = if writer.rng.chance(50) {
            whole
        } else {
            an_end(writer, wish.span)
        };
        touched
            .range()
            .for_each(|index| writer.reindent(draft, index));
    });
    Some(vec![wish])
}

fn change_an_end(draft: &mut Draft<'_>, writer: &mut Writer<'_>, span: LineSpan) {
    let end = an_end(writer, span);
    writer.alter(draft, end.start());
}

fn an_end(writer: &mut Writer<'_>, span: LineSpan) -> LineSpan {
    let index = if writer.rng.chance(50) {
        span.start()
    } else {
        span.end() - 1
    };
    LineSpan::new(index..index + 1)
}

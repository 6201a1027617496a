//! Lines that read alike, and somebody who copies or deletes one of them.

use hashline_core::text::LineSpan;

use crate::landing::scene::Scene;
use crate::landing::wish::{Action, Wish};

/// Copies of the target, with more or less of what stands around it, came above it.
pub(super) fn duplicates_above(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    scene.outside(|draft, writer| {
        let around = *writer.rng.pick(&[0, 0, 1, 2, 3, 4, 6, 15, 70]);
        let copied = wish.span.widened(around, draft.len());
        let directly = writer.rng.chance(40);
        for _ in 0..writer.rng.between(1, 3) {
            let gap = if directly {
                copied.start()
            } else {
                writer.rng.below(copied.start() + 1)
            };
            let texts = copied.range().map(|index| draft.text(index).to_vec());
            let texts: Vec<Vec<u8>> = texts.collect();
            draft.insert(gap, texts);
        }
    });
    Some(vec![wish])
}

/// The target is one of a run of equal lines, or of equal blocks, and one of them is gone.
pub(super) fn equal_neighbour_deleted(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let run = find_run(scene).unwrap_or_else(|| make_run(scene));
    let copies = run.lines.len() / run.period;
    let meant = scene.rng.below(copies);
    let action = *scene
        .rng
        .pick(&[Action::Replace, Action::Delete, Action::InsertAfter]);
    let start = run.lines.start() + meant * run.period;
    let len = if action == Action::InsertAfter {
        1
    } else {
        run.period
    };
    let wish = scene.wish(scene.now.clone(), LineSpan::new(start..start + len), action);
    scene.show_around(wish.span);
    scene.outside(|draft, writer| {
        let gone = run.lines.start() + writer.rng.below(copies) * run.period;
        draft.remove(gone..gone + run.period);
    });
    Some(vec![wish])
}

/// Equal blocks, one after another.
struct Run {
    lines: LineSpan,
    period: usize,
}

/// Looks for equal lines side by side, from a random line on; in half of the cases not at all.
fn find_run(scene: &mut Scene<'_>) -> Option<Run> {
    if scene.rng.chance(50) {
        return None;
    }
    let from = scene.rng.below(scene.now.lines());
    let text = |index| scene.now.text(index);
    let start = (from..scene.now.lines() - 1).find(|&at| text(at) == text(at + 1))?;
    let end = (start..scene.now.lines()).take_while(|&at| text(at) == text(start));
    Some(Run {
        lines: LineSpan::new(start..start + end.count()),
        period: 1,
    })
}

/// Makes a run before the agent sees the file: real lines, several times over.
fn make_run(scene: &mut Scene<'_>) -> Run {
    let period = *scene.rng.pick(&[1, 1, 1, 2, 3]);
    let more = scene.rng.between(1, 9);
    let start = scene.rng.below(scene.now.lines() - period);
    scene.outside(|draft, _| {
        for _ in 0..more {
            draft.copy(start..start + period, start + period);
        }
    });
    Run {
        lines: LineSpan::new(start..start + period * (more + 1)),
        period,
    }
}

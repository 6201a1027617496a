//! The agent's lines are as they were, but perhaps not where they were.

use crate::landing::scene::Scene;
use crate::landing::wish::Wish;

/// Lines came or went above the target, perhaps in several places, and some below.
pub(super) fn shifted_intact(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    scene.outside(|draft, writer| {
        if writer.rng.chance(30) {
            let below = writer.rng.between(wish.span.end(), draft.len());
            writer.insert(draft, below, 10);
        }
        let changes = if writer.rng.chance(30) { 2 } else { 1 };
        for _ in 0..changes {
            let start = draft.position(wish.meant()[0]).unwrap_or(0);
            writer.move_down_or_up(draft, start);
        }
    });
    // Two changes may cancel out.
    let place = wish.place_in(&scene.now)?;
    (place != wish.span).then(|| vec![wish])
}

/// Other lines have another text; every line has the number it had.
pub(super) fn elsewhere_changed(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    scene.outside(|draft, writer| writer.alter_elsewhere(draft, wish.span));
    let changed = scene.now.document != wish.seen.document;
    changed.then(|| vec![wish])
}

/// A block with the target in it stands elsewhere in the file.
pub(super) fn block_moved(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let wish = scene.aim();
    scene.show_around(wish.span);
    let around = scene.rng.below(16);
    let block = wish.span.widened(around, scene.now.lines());
    let rest = scene.now.lines() - block.len();
    if rest == 0 {
        return None;
    }
    scene.outside(|draft, writer| {
        let gap = writer.rng.below(rest);
        let gap = if gap < block.start() {
            gap
        } else {
            gap + block.len() + 1
        };
        draft.shift(block.range(), gap);
    });
    Some(vec![wish])
}

//! Longer stories: several edits, several answers, several writers.

use hashline_core::text::LineSpan;

use crate::landing::scene::{Editor, Scene};
use crate::landing::wish::{Action, Wish};

/// How many of its own edits the agent's anchors must outlive.
const OWN_EDITS: usize = 5;

/// The agent, another agent with the same ledger, and somebody without one take turns; then an anchor from any of the agent's answers.
pub(super) fn interleaved_writers(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    scene.show_much();
    for _ in 0..scene.rng.between(2, 6) {
        match scene.rng.below(3) {
            0 => drop(own_edit(scene)?),
            1 => scene.let_colleague_edit(),
            _ => scene.outside(|draft, writer| writer.do_anything(draft)),
        }
    }
    let answer = scene.rng.pick(&scene.answers.clone()).clone();
    Some(vec![scene.aim_in(&answer)?])
}

/// Two edits at once, one with an anchor from an older answer, one from a newer; between the two the agent and others have written.
pub(super) fn answers_mixed(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    scene.show_much();
    for _ in 0..scene.rng.between(1, 3) {
        own_edit(scene)?;
        if scene.rng.chance(50) {
            scene.outside(|draft, writer| writer.do_anything(draft));
            scene.show_much();
        }
    }
    let older = scene.rng.below(scene.answers.len() - 1);
    let newer = scene.rng.between(older + 1, scene.answers.len() - 1);
    let wishes = [older, newer].map(|index| {
        let answer = scene.answers[index].clone();
        let shown: Vec<usize> = answer.spans.iter().flat_map(|span| span.range()).collect();
        let at = (!shown.is_empty()).then(|| *scene.rng.pick(&shown))?;
        let seen = scene.shown_in(&answer);
        Some(scene.wish(seen, LineSpan::new(at..at + 1), Action::Replace))
    });
    let [Some(older), Some(newer)] = wishes else {
        return None;
    };
    // Two edits of one line are an overlap, which is another matter.
    (older.meant() != newer.meant()).then(|| vec![older, newer])
}

/// The agent edits five times, nobody else writes, and then it uses an anchor from its first reading.
pub(super) fn kept_across_own_edits(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    scene.show_much();
    let mut done = 0;
    for _ in 0..3 * OWN_EDITS {
        done += usize::from(own_edit(scene)?);
        if done == OWN_EDITS {
            let first = scene.answers[0].clone();
            return Some(vec![scene.aim_in(&first)?]);
        }
    }
    None
}

/// Lets the agent edit with an anchor from any of its answers, old or new. Tells whether the file changed.
pub(super) fn own_edit(scene: &mut Scene<'_>) -> Option<bool> {
    let answer = scene.rng.pick(&scene.answers.clone()).clone();
    let wish = scene.aim_in(&answer)?;
    Some(scene.edit(Editor::Agent, wish))
}

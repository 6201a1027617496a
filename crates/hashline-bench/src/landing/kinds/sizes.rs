//! Files of which the lines say little, because there are too few of them, or of which too many are there to be recorded.

use hashline_core::shown::History;
use hashline_core::text::{Document, LineSpan};

use crate::landing::draft::Draft;
use crate::landing::scene::Scene;
use crate::landing::wish::Wish;
use crate::landing::writer::Writer;

/// A file of a few lines, some of them blank, grows, or becomes another file in which the same lines stand.
pub(super) fn tiny(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let mut texts = scene.real_lines(6);
    for text in &mut texts {
        if scene.rng.chance(30) {
            text.clear();
        }
    }
    scene.start_with(&Document::new(joined(&texts)));
    let wish = scene.aim();
    scene.show(scene.now.document.all());
    // With three lines that say something beside it, a line is known again (L3): then these are the same lines, in a file that has grown.
    let others = texts.iter().enumerate();
    let others =
        others.filter(|(index, text)| !wish.span.range().contains(index) && !text.is_empty());
    let is_known_again = others.count() >= 3;
    let lines = texts.len();
    scene.outside(|draft, writer| match writer.rng.below(10) {
        0..5 => {
            if !is_known_again {
                (0..lines).for_each(|index| draft.rewrite(index, texts[index].clone()));
            }
            writer.insert(draft, lines, 12);
            writer.insert(draft, 0, 12);
        }
        5 => writer.insert(draft, 0, 8),
        6 => writer.insert(draft, lines, 8),
        7 => writer.alter_elsewhere(draft, wish.span),
        8 => writer.alter(draft, wish.span.start()),
        _ => writer.do_anything(draft),
    });
    if scene.rng.chance(20) {
        scene.show(scene.now.document.all());
    }
    Some(vec![wish])
}

/// A file that has too many lines to be recorded.
pub(super) fn huge(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let lines = History::MAX_LINES + scene.rng.between(40, 60);
    let wish = open_long(scene, lines);
    scene.outside(|draft, writer| write_to_long(draft, writer, &wish));
    Some(vec![wish])
}

/// A file that has almost too many lines to be recorded when it is shown, and then too many.
pub(super) fn grown(scene: &mut Scene<'_>) -> Option<Vec<Wish>> {
    let lines = History::MAX_LINES - scene.rng.below(10);
    let wish = open_long(scene, lines);
    scene.outside(|draft, writer| {
        write_to_long(draft, writer, &wish);
        let gap = match writer.rng.below(3) {
            0 => draft.len(),
            1 => wish.span.start().saturating_sub(writer.rng.below(6)),
            _ => writer.rng.below(draft.len()),
        };
        while draft.len() <= History::MAX_LINES {
            writer.insert(draft, gap, 20);
        }
    });
    Some(vec![wish])
}

/// Opens a long file, real lines between many short ones that repeat, shows a few of its lines, and wants to edit one of these.
fn open_long(scene: &mut Scene<'_>, lines: usize) -> Wish {
    let real = scene.now.lines();
    let before = scene.rng.below(lines - real);
    let period = *scene.rng.pick(&[1, 2, 3, 5, 9, 1_000]);
    let short = |count: usize, bytes: &mut Vec<u8>| {
        let numbers = (0..period).map(|number| format!("{number}\n"));
        let numbers: Vec<String> = numbers.collect();
        let numbers = numbers.iter().cycle().take(count);
        numbers.for_each(|number| bytes.extend_from_slice(number.as_bytes()));
    };
    let mut bytes = Vec::new();
    short(before, &mut bytes);
    for line in scene.now.document.lines() {
        bytes.extend_from_slice(line.text);
        bytes.push(b'\n');
    }
    short(lines - before - real, &mut bytes);
    scene.start_with(&Document::new(bytes));
    let action = scene.any_action();
    let among_real = scene.rng.chance(70);
    let start = if among_real {
        before + scene.rng.below(real)
    } else {
        scene.rng.below(lines)
    };
    let wish = scene.wish(scene.now.clone(), LineSpan::new(start..start + 1), action);
    let around = scene.rng.below(20);
    scene.show(wish.span.widened(around, lines));
    wish
}

/// Changes a long file so that other lines have the number of the one meant, or the same.
fn write_to_long(draft: &mut Draft<'_>, writer: &mut Writer<'_>, wish: &Wish) {
    let at = wish.span.start();
    match writer.rng.below(8) {
        0 => writer.alter(draft, at),
        1 => writer.alter_elsewhere(draft, wish.span),
        2 => draft.remove(at..at + 1),
        3 => draft.copy(at..at + 1, at),
        4 => {
            let block = at.saturating_sub(writer.rng.between(1, 8))..at;
            draft.copy(block, at);
        }
        5 | 6 => writer.move_down_or_up(draft, at),
        _ => {}
    }
}

fn joined(texts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = texts.join(&b"\n"[..]);
    bytes.push(b'\n');
    bytes
}

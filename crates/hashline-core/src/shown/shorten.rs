//! Which revisions a history keeps when it has too many, and how lines are followed past the others.
//!
//! The newest revisions are kept as they are. Of the older ones only those on the path to the latest revision can be kept; the steps of
//! those that are not kept become part of the next one's, so that our own changes are still followed exactly.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use super::history::{History, Origin, Recorded, Showing};
use super::sweep::RevisionPath;
use crate::text::Changes;

/// Returns the revisions of the history that are kept, oldest first.
pub(super) fn shortened(history: &History) -> Vec<Recorded> {
    let (older, recent) = history
        .recorded()
        .split_at(history.recorded().len() - History::RECENT);
    let path = RevisionPath::to(history, 0, history.recorded().len() - 1).places;
    let is_on_path = path.contains(&older.len());
    let path = &path[..path.partition_point(|place| *place < older.len())];
    let kept = worth_keeping(history, older.len(), path);
    let mut short = Vec::new();
    // The steps from the last revision that is kept.
    let mut steps = Vec::new();
    for &place in path {
        steps.push(older[place].origin.clone());
        if kept.contains(&place) {
            let latest = history.latest_revision(older[place].revision);
            let latest = latest.and_then(|latest| older.get(latest));
            let mut recorded = older[place].clone();
            recorded.origin = combined(std::mem::take(&mut steps));
            recorded.showings = latest.map_or_else(Vec::new, |latest| latest.showings.clone());
            short.push(recorded);
        }
    }
    let before = older.last().map(|before| before.revision);
    let follows = short.last().map(|last: &Recorded| last.revision) == before;
    let next = short.len();
    short.extend_from_slice(recent);
    short[next].origin = match recent[0].origin.clone() {
        own if is_on_path => {
            steps.push(own);
            combined(steps)
        }
        own if follows => own,
        _ => Origin::Seen,
    };
    // What its changes start from is gone.
    short[0].origin = Origin::Seen;
    for recorded in &mut short {
        drop_repeated(&mut recorded.showings);
    }
    short
}

/// Returns which of the places on the path are kept: those of revisions that came back lately, so that the path to now does not have to
/// go through what was undone, and those of revisions of which most lines were shown, of equal ones the newest.
fn worth_keeping(history: &History, recent: usize, path: &[usize]) -> BTreeSet<usize> {
    let recorded = history.recorded();
    let worth = |place: usize| {
        let latest = history.latest_revision(recorded[place].revision);
        let latest = latest.unwrap_or(place);
        (latest >= recent, recorded[latest].lines_shown())
    };
    let ranked = path.iter().map(|&place| (worth(place), place));
    let mut ranked: Vec<_> = ranked.filter(|(worth, _)| *worth > (false, 0)).collect();
    ranked.sort_by_key(|&ranked| Reverse(ranked));
    let places = ranked.into_iter().map(|(_, place)| place);
    places.take(History::OLDER).collect()
}

/// Combines steps that follow one another. Changes of different sessions are nobody's, so that no session counts the other's lines as its
/// own.
//
// With another program's change among them, our own changes are followed like that program's: by the lines alone, as if they had not been
// recorded.
fn combined(mut steps: Vec<Origin>) -> Origin {
    if steps.len() == 1 {
        return steps.remove(0);
    }
    let own = steps.iter().map(|step| match step {
        Origin::Written { changes, by } => Some((changes, by)),
        Origin::Seen => None,
    });
    let Some(own) = own.collect::<Option<Vec<_>>>() else {
        return Origin::Seen;
    };
    let (changes, by): (Vec<_>, Vec<_>) = own.into_iter().unzip();
    let first = by.first().copied().cloned().flatten();
    Origin::Written {
        changes: Changes::in_turn(&changes),
        by: first.filter(|first| by.iter().all(|by| by.as_ref() == Some(first))),
    }
}

/// Drops showings that are equal to a newer one: a file that is changed back and forth is shown alike again and again.
fn drop_repeated(showings: &mut Vec<Showing>) {
    if showings.len() < 2 {
        return;
    }
    let mut known = HashSet::new();
    let mut is_newest: Vec<bool> = showings
        .iter()
        .rev()
        .map(|showing| known.insert(showing))
        .collect();
    showings.retain(|_| is_newest.pop().unwrap_or_default());
}

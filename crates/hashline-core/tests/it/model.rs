//! A slow, obvious twin of the engine: editing as its definition reads, by number and tag alone, with no record of what was shown.
//!
//! It shares no code with the engine; how a tag fits a line is handed in, and so is what a name says. A file is a list of lines.

/// A line's bytes and how it ends.
type Line = (Vec<u8>, &'static [u8]);
/// Tells whether a tag fits a line's bytes at a number.
pub(crate) type Fits<'a> = &'a dyn Fn(&str, &[u8], u64) -> bool;
/// What a name says: a number and a tag; nothing if it is malformed.
pub(crate) type Name = Option<(u64, String)>;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Replace,
    Delete,
    Before,
    After,
    Start,
    End,
    SubstituteOne,
    SubstituteAll,
}

/// An edit: the lines it names (none, one, or both ends), and its texts as they were sent (old and new for a substitution).
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) kind: Kind,
    pub(crate) names: Vec<Name>,
    pub(crate) texts: Vec<String>,
}

/// Returns the new bytes, or the code of the refusal.
pub(crate) fn edit(
    bytes: &[u8],
    edits: &[Edit],
    dialect: &str,
    revision_is_known: bool,
    fits: Fits<'_>,
) -> Result<Vec<u8>, &'static str> {
    let drops_duplicates = matches!(dialect, "omp" | "openagent" | "lean");
    let mut wanted: Vec<&Edit> = Vec::new();
    for edit in edits {
        if !drops_duplicates || !wanted.iter().any(|earlier| same(earlier, edit)) {
            wanted.push(edit);
        }
    }
    check_names(bytes, &wanted, dialect, revision_is_known, fits)?;
    for (at, edit) in wanted.iter().enumerate() {
        if wanted[..at]
            .iter()
            .any(|earlier| overlap(earlier, edit, dialect))
        {
            return Err("overlap");
        }
    }
    let (_, lines) = cut(bytes);
    if wanted.iter().any(|edit| repeats_escape(edit, &lines)) {
        return Err("escaped_bytes");
    }
    let inserts = [Kind::Before, Kind::After, Kind::Start, Kind::End];
    if wanted
        .iter()
        .any(|edit| inserts.contains(&edit.kind) && edit.texts.is_empty())
    {
        return Err("empty_insert");
    }
    let mut bytes = place(bytes, &wanted);
    for edit in wanted.iter().filter(|edit| substitutes(edit)) {
        bytes = substitute(&bytes, edit)?;
    }
    Ok(bytes)
}

/// Cuts a file into its byte order mark and its lines; the final newline starts no further line.
fn cut(bytes: &[u8]) -> (&[u8], Vec<Line>) {
    let (bom, text) = bytes.split_at(if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    });
    let line = |raw: &[u8]| match raw {
        [text @ .., b'\r', b'\n'] => (text.to_vec(), &b"\r\n"[..]),
        [text @ .., b'\n'] => (text.to_vec(), &b"\n"[..]),
        text => (text.to_vec(), &b""[..]),
    };
    (
        bom,
        text.split_inclusive(|&byte| byte == b'\n')
            .map(line)
            .collect(),
    )
}

/// Cuts new text for `old` lines into lines: like [`payload`], but where the old line ends in `\r`s, as many of those that were sent stay.
/// Those of a line without an ending stay only in the last of the new lines.
fn payload_for(texts: &[String], old: &[Line]) -> Vec<String> {
    let ends = |line: &[u8]| line.len() - line.trim_ascii_end_of(b'\r').len();
    let pieces = texts.iter().flat_map(|text| {
        let whole = text.strip_suffix('\n').unwrap_or(text);
        let last = whole.matches('\n').count();
        let is_ended = move |at: usize| at < last || whole.len() < text.len();
        let pieces = whole.split('\n').enumerate();
        pieces.map(move |(at, piece)| (piece, is_ended(at)))
    });
    let pieces: Vec<(&str, bool)> = pieces.collect();
    let mut lines = Vec::new();
    for (j, &(piece, is_ended)) in pieces.iter().enumerate() {
        let sent = ends(piece.as_bytes());
        let body = &piece[..piece.len() - sent];
        let usual = sent.saturating_sub(if is_ended { 2 } else { 1 });
        let fits = |(_, ending): &&Line| !ending.is_empty() || j + 1 == pieces.len();
        let old = old.get(j).filter(fits);
        let meant = old.map_or(0, |(text, _)| ends(text)).min(sent);
        lines.push(format!("{body}{}", "\r".repeat(usual.max(meant))));
    }
    lines
}

trait TrimEnd {
    fn trim_ascii_end_of(&self, byte: u8) -> &[u8];
}

impl TrimEnd for [u8] {
    fn trim_ascii_end_of(&self, byte: u8) -> &[u8] {
        let end = self.iter().rposition(|&other| other != byte);
        &self[..end.map_or(0, |end| end + 1)]
    }
}

/// Returns whether new text repeats an escape with which one of the lines that it replaces is shown.
fn repeats_escape(edit: &Edit, lines: &[Line]) -> bool {
    let Some((first, last)) = named(edit).filter(|_| edit.kind == Kind::Replace) else {
        return false;
    };
    lines[first..=last].iter().any(|(text, _)| {
        text.iter().any(|byte| {
            let escape = format!("\\x{byte:02X}");
            !is_part_of_a_character(text, *byte)
                && edit.texts.iter().any(|new| new.contains(&escape))
        })
    })
}

/// Returns whether a byte value occurs in a line only as a part of valid characters.
fn is_part_of_a_character(text: &[u8], byte: u8) -> bool {
    let mut at = 0;
    while at < text.len() {
        let valid = (1..=4).find(|&length| {
            let end = (at + length).min(text.len());
            std::str::from_utf8(&text[at..end]).is_ok()
        });
        match valid {
            Some(length) => at += length,
            None if text[at] == byte => return false,
            None => at += 1,
        }
    }
    true
}

/// Cuts new text into lines: `\r\n` becomes `\n`, one trailing `\n` goes, the rest is split, one trailing `\r` goes from each piece.
fn payload(texts: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for text in texts {
        let text = text.replace("\r\n", "\n");
        let text = text.strip_suffix('\n').unwrap_or(&text);
        lines.extend(
            text.split('\n')
                .map(|piece| piece.strip_suffix('\r').unwrap_or(piece).to_owned()),
        );
    }
    lines
}

fn substitutes(edit: &Edit) -> bool {
    matches!(edit.kind, Kind::SubstituteOne | Kind::SubstituteAll)
}

fn same(a: &Edit, b: &Edit) -> bool {
    let same_text = if substitutes(a) {
        a.texts == b.texts
    } else {
        payload(&a.texts) == payload(&b.texts)
    };
    a.kind == b.kind && a.names == b.names && same_text
}

/// Checks every name; of several problems the dialect says which is told.
fn check_names(
    bytes: &[u8],
    edits: &[&Edit],
    dialect: &str,
    revision_is_known: bool,
    fits: Fits<'_>,
) -> Result<(), &'static str> {
    let (_, lines) = cut(bytes);
    let past_end = if dialect == "push" { 4 } else { 3 };
    let mut problems: Vec<(u8, &'static str)> = Vec::new();
    for edit in edits {
        let before = problems.len();
        if edit.names.contains(&None) {
            problems.push((1, "bad_anchor"));
        } else if !revision_is_known && !edit.names.is_empty() {
            problems.push((2, "unknown_rev"));
        } else {
            for (number, tag) in edit.names.iter().flatten() {
                match lines.get(usize::try_from(number.wrapping_sub(1)).unwrap_or(usize::MAX)) {
                    None => problems.push((past_end, "out_of_range")),
                    Some((text, _)) if !fits(tag, text, *number) => problems.push((4, "stale")),
                    Some(_) => {}
                }
            }
            if problems.len() == before && named(edit).is_some_and(|(first, last)| first > last) {
                problems.push((5, "bad_range"));
            }
        }
    }
    // A revision that nobody knows is refused even where no edit has an anchor.
    if !revision_is_known && !edits.is_empty() && edits.iter().all(|edit| edit.names.is_empty()) {
        problems.push((2, "unknown_rev"));
    }
    let edit_by_edit = dialect == "pi";
    let told = problems
        .iter()
        .min_by_key(|(kind, _)| if edit_by_edit { 0 } else { *kind });
    told.map_or(Ok(()), |(_, code)| Err(code))
}

/// Returns the indexes of the first and the last line that an edit names.
fn named(edit: &Edit) -> Option<(usize, usize)> {
    let index = |name: &Name| {
        name.as_ref()
            .and_then(|(number, _)| usize::try_from(number - 1).ok())
    };
    Some((index(edit.names.first()?)?, index(edit.names.last()?)?))
}

fn overlap(a: &Edit, b: &Edit, dialect: &str) -> bool {
    if matches!(dialect, "push" | "cowboy") && same(a, b) {
        return true;
    }
    let (Some((a_first, a_last)), Some((b_first, b_last))) = (named(a), named(b)) else {
        return false;
    };
    let share_a_line = a_first <= b_last && b_first <= a_last;
    share_a_line
        && match (a.kind, b.kind) {
            _ if dialect == "push" => true,
            (Kind::Before | Kind::After, Kind::Before | Kind::After) => false,
            (Kind::Before, _) => a_first != b_first,
            (Kind::After, _) => a_first != b_last,
            (_, Kind::Before) => b_first != a_first,
            (_, Kind::After) => b_first != a_last,
            _ => true,
        }
}

/// Returns the ending of the line at `index`; where it has none that of the nearest earlier line, else `\n`.
fn ending_like(lines: &[Line], index: usize) -> &'static [u8] {
    let mut upward = lines[..=index].iter().rev().map(|(_, ending)| *ending);
    upward.find(|ending| !ending.is_empty()).unwrap_or(b"\n")
}

/// Puts new lines into the gaps and in the place of old lines, all of them counted in the old file.
fn place(bytes: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let (bom, old) = cut(bytes);
    let Some(last) = old.len().checked_sub(1) else {
        let sent = |kind| {
            edits
                .iter()
                .filter(move |edit| edit.kind == kind)
                .map(|edit| edit.texts.join("\n"))
        };
        let texts: Vec<String> = sent(Kind::Start).chain(sent(Kind::End)).collect();
        return [bom, texts.join("\n").as_bytes()].concat();
    };
    let mut gaps: Vec<[Vec<Line>; 4]> = vec![Default::default(); old.len() + 1];
    let mut places: Vec<Vec<Line>> = old.iter().map(|line| vec![line.clone()]).collect();
    for edit in edits.iter().filter(|edit| !substitutes(edit)) {
        let (first, end) = named(edit).unwrap_or(if edit.kind == Kind::Start {
            (0, 0)
        } else {
            (last, last)
        });
        let text = |(j, line): (usize, String)| {
            (line.into_bytes(), ending_like(&old, (first + j).min(end)))
        };
        let replaced = match edit.kind {
            Kind::Replace => &old[first..=end],
            _ => &[],
        };
        let new: Vec<Line> = payload_for(&edit.texts, replaced)
            .into_iter()
            .enumerate()
            .map(text)
            .collect();
        match edit.kind {
            Kind::Start => gaps[0][0].extend(new),
            Kind::After => gaps[first + 1][1].extend(new),
            Kind::Before => gaps[first][2].extend(new),
            Kind::End => gaps[last + 1][3].extend(new),
            _ => {
                places[first..=end].fill(Vec::new());
                places[first] = new;
            }
        }
    }
    places.push(Vec::new());
    let mut new: Vec<Line> = gaps
        .into_iter()
        .zip(places)
        .flat_map(|(gap, place)| [gap.concat(), place].concat())
        .collect();
    // Only the old last line can lack an ending; whether the new last line has one is what it was. A blank one then has no bytes.
    new.iter_mut()
        .filter(|(_, ending)| ending.is_empty())
        .for_each(|(_, ending)| *ending = ending_like(&old, last));
    if let Some((_, ending)) = new.last_mut().filter(|_| old[last].1.is_empty()) {
        *ending = b"";
    }
    new.iter().fold(bom.to_vec(), |bytes, (text, ending)| {
        [&bytes, &text[..], ending].concat()
    })
}

/// Puts a text in the place of another, which may reach over line ends (`\n` stands for any of them). Everything else stays, byte for byte, and whether the file ends in a newline is what it was.
fn substitute(bytes: &[u8], edit: &Edit) -> Result<Vec<u8>, &'static str> {
    let (bom, lines) = cut(bytes);
    let (old, new) = (
        edit.texts[0].replace("\r\n", "\n"),
        edit.texts[1].replace("\r\n", "\n"),
    );
    // What can be matched, what is written if it is not, and on which line it stands.
    let mut symbols: Vec<(Option<u8>, Vec<u8>, usize)> = Vec::new();
    for (index, (text, ending)) in lines.iter().enumerate() {
        symbols.extend(text.iter().map(|&byte| (Some(byte), vec![byte], index)));
        symbols.extend((!ending.is_empty()).then(|| (Some(b'\n'), ending.to_vec(), index)));
    }
    let (mut written, mut at, mut count) = (bom.to_vec(), 0, 0);
    let wanted: Vec<Option<u8>> = old.bytes().map(Some).collect();
    while at < symbols.len() {
        let (_, bytes, line) = &symbols[at];
        let here = symbols[at..]
            .iter()
            .map(|(symbol, ..)| *symbol)
            .take(wanted.len())
            .eq(wanted.iter().copied());
        if !here || wanted.is_empty() {
            written.extend(bytes);
            at += 1;
            continue;
        }
        (at, count) = (at + wanted.len(), count + 1);
        let at_end =
            at == symbols.len() && lines.last().is_some_and(|(_, ending)| ending.is_empty());
        let new = if at_end {
            new.strip_suffix('\n').unwrap_or(&new)
        } else {
            &new
        };
        for (j, piece) in new.split('\n').enumerate() {
            written.extend(if j > 0 {
                ending_like(&lines, *line)
            } else {
                b""
            });
            written.extend(piece.as_bytes());
        }
    }
    // One that is meant to be the only one must not overlap another either.
    let starts = symbols.windows(wanted.len().max(1)).filter(|window| {
        window
            .iter()
            .map(|(symbol, ..)| *symbol)
            .eq(wanted.iter().copied())
    });
    let count = if edit.kind == Kind::SubstituteOne {
        starts.count()
    } else {
        count
    };
    match (count, edit.kind) {
        (0, _) => return Err("text_not_found"),
        (2.., Kind::SubstituteOne) => return Err("text_not_unique"),
        _ => {}
    }
    if bytes.ends_with(b"\n") && !written.ends_with(b"\n") && written.len() > bom.len() {
        written.extend(ending_like(&lines, lines.len() - 1));
    }
    Ok(written)
}

//! Files are read whole or in part, one or many, whatever others do.

use std::fs;
use std::path::Path;

use hashline_core::Policy;
use hashline_core::edit::{EditNo, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::render;
use hashline_core::scheme::Scheme;
use hashline_core::text::{Encoding, Excerpt, LineSpan, RevPrefix};
use hashline_workspace::DiskFault;
use hashline_workspace::DiskNote;
use hashline_workspace::ledger::{
    DiskLedger, Ledger, LedgerLimits, MemoryLedger, ShownBy, ShownLines,
};
use hashline_workspace::{ApplyOptions, Limits, Settings, Workspace};

fn workspace(root: &Path) -> Workspace {
    Workspace::open(&[root.to_path_buf()], Settings::default()).expect("the folder is there")
}

fn large(lines: usize) -> String {
    (0..lines)
        .map(|line| format!("line {line} of many, so that it is large\n"))
        .collect()
}

#[test]
fn a_file_that_fails_does_not_stop_the_others() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    fs::write(dir.path().join("b"), "b\0").expect("written");
    fs::write(dir.path().join("c"), "c\n").expect("written");
    let read = workspace(dir.path())
        .read_all(&["a", "b", "gone", "../out", "c"])
        .expect("read");
    let told = read.files.iter().map(|file| match file {
        Ok(file) => String::from_utf8_lossy(file.document.bytes()).into_owned(),
        Err(error) => error.code().as_str().to_owned(),
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        ["a\n", "binary", "file_not_found", "bad_path", "c\n"]
    );
    assert!(read.consistent && read.notes.is_empty());
}

#[test]
fn as_many_files_are_read_at_once_as_is_allowed() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    let workspace = workspace(dir.path());
    assert_eq!(
        workspace.read_all(&["a"; 256]).expect("read").files.len(),
        256
    );
    assert_eq!(
        workspace
            .read_all(&["a"; 257])
            .expect_err("refused")
            .code()
            .as_str(),
        "too_many"
    );
}

#[test]
fn a_part_of_a_file_is_what_the_whole_has_there() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("small", "\u{feff}one\r\ntwo\nthree".to_owned()),
        ("large", large(260_000)),
        (
            "wide",
            format!("\u{feff}{}no end", large(220_000).replace('\n', "\r\n")),
        ),
    ] {
        fs::write(dir.path().join(name), &text).expect("written");
        let workspace = workspace(dir.path());
        let whole = workspace.read(name).expect("read").document;
        for span in [
            0..2,
            1..3,
            199_999..200_003,
            219_999..220_005,
            300_000..300_001,
        ] {
            let span = LineSpan::new(span);
            let part = workspace.read_part(name, span).expect("read").excerpt;
            assert_eq!(part.revision, whole.revision());
            assert_eq!(part.line_count, whole.line_count());
            let lines =
                render::anchored_lines(part.lines(), Scheme::Omp).map(|line| line.to_string());
            let inside = span.widened(0, whole.line_count());
            let expected =
                render::anchored(&whole, inside, Scheme::Omp).map(|line| line.to_string());
            assert!(lines.eq(expected), "{name} {span:?}");
        }
    }
}

#[test]
fn a_part_is_refused_for_what_the_whole_is_refused_for() {
    let dir = tempfile::tempdir().expect("a folder");
    let head = large(260_000);
    let long = |len: usize| format!("{head}{}\r\nend\n", "x".repeat(len));
    let cases = [
        ("nul", format!("{head}\0\n").into_bytes(), Some("binary")),
        (
            "utf32",
            [b"\xff\xfe\0\0".to_vec(), head.clone().into_bytes()].concat(),
            Some("encoding"),
        ),
        ("longest", long(1 << 20).into_bytes(), None),
        (
            "too long",
            long((1 << 20) + 1).into_bytes(),
            Some("line_too_long"),
        ),
        (
            "open end",
            format!("{head}{}", "x".repeat((1 << 20) + 1)).into_bytes(),
            Some("line_too_long"),
        ),
    ];
    let workspace = workspace(dir.path());
    for (name, bytes, code) in cases {
        fs::write(dir.path().join(name), bytes).expect("written");
        let part = workspace.read_part(name, LineSpan::new(0..1)).map(|_| ());
        let whole = workspace.read(name).map(|_| ());
        assert_eq!(part, whole, "{name}");
        assert_eq!(
            part.err().map(|error| error.code().as_str()),
            code,
            "{name}"
        );
    }
}

#[test]
fn an_anchor_of_a_large_file_lands_while_it_has_that_revision() {
    let dir = tempfile::tempdir().expect("a folder");
    let state = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("large");
    fs::write(&file, large(210_000)).expect("written");
    let workspace = workspace(dir.path());
    let ledgers: [Box<dyn Ledger>; 2] = [
        Box::new(MemoryLedger::default()),
        Box::new(DiskLedger::new(
            state.path().join("state"),
            LedgerLimits::default(),
        )),
    ];
    for (turn, ledger) in ledgers.iter().enumerate() {
        let part = workspace
            .read_part("large", LineSpan::new(208_000..208_010))
            .expect("read");
        let line = render::anchored_lines(part.excerpt.lines(), Scheme::Omp)
            .nth(3)
            .expect("shown");
        let shows = ShownLines {
            session: None,
            scheme: Scheme::Omp,
            spans: &[part.excerpt.span()],
            cut: &[],
            tags: None,
            by: ShownBy::Read,
        };
        part.showed(&**ledger, &shows);
        let apply = |text: &str| {
            let edit = Operation::replace_line(line.anchor(), text.to_owned());
            let step = Step {
                no: EditNo::from_index(0),
                path: "large".to_owned(),
                action: FileAction::Edit(edit),
            };
            let rev = RevPrefix::parse(&part.excerpt.revision.short()).expect("a revision");
            let request = Request {
                steps: vec![step],
                revs: [("large".to_owned(), rev)].into(),
                ..Request::default()
            };
            let asking = ApplyOptions {
                session: None,
                policy: &Policy::default(),
                mode: Mode::Write,
                cancel: None,
            };
            workspace.apply(request, &**ledger, &asking).result
        };
        apply(&format!("turn {turn}")).expect("it lands");
        let text = fs::read_to_string(&file).expect("there");
        assert_eq!(text.lines().nth(208_003), Some(&*format!("turn {turn}")));
        fs::write(&file, format!("somebody's\n{text}")).expect("written");
        assert!(apply("again").is_err(), "it was changed since");
    }
}

#[test]
fn reading_goes_on_beside_a_conflict_and_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    let area = dir.path().join(".hashline");
    fs::create_dir(&area).expect("made");
    fs::write(area.join("journal"), "damaged").expect("written");
    let read = workspace(dir.path()).read_all(&["a"]).expect("read");
    assert_eq!(read.notes, [DiskNote::ForeignJournal]);
    assert!(read.files[0].is_ok() && read.consistent);
}

#[test]
fn files_that_are_too_large_together_are_refused_one_by_one() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in [("five", "1234\n"), ("three", "12\n"), ("two", "1\n")] {
        fs::write(dir.path().join(name), text).expect("written");
    }
    let read = |total: u64, file: u64| {
        let limits = Limits {
            total,
            file,
            ..Limits::default()
        };
        let settings = Settings {
            limits,
            ..Settings::default()
        };
        let workspace = Workspace::open(&[dir.path().to_path_buf()], settings).expect("open");
        let read = workspace.read_all(&["five", "three", "two"]).expect("read");
        let told = read.files.into_iter().map(|file| match file {
            Ok(file) => file.document.bytes().len().to_string(),
            Err(error) => match error.why {
                DiskFault::TooLargeTogether(bound) => format!("{} of {}", bound.found, bound.most),
                _ => error.code().as_str().to_owned(),
            },
        });
        told.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(read(10, 5), "5, 3, 2", "at the bound");
    assert_eq!(read(9, 5), "5, 3, 10 of 9", "one above");
    assert_eq!(read(7, 5), "5, 10 of 7, 2", "the next that fits is read");
    assert_eq!(read(4, 5), "10 of 4, 3, 10 of 4");
    assert_eq!(read(10, 4), "too_large, 3, 2", "by its own bound");
    assert_eq!(read(2, 4), "too_large, 10 of 2, 2");
}

#[test]
fn a_file_that_is_nearly_all_newlines_is_refused_whole_and_read_in_part() {
    let dir = tempfile::tempdir().expect("a folder");
    // Three million lines (of 2 to the 20th), and one more for every sixteen bytes.
    let most = 3_355_443;
    for (lines, code) in [(most, None), (most + 1, Some("too_large"))] {
        fs::write(dir.path().join("a"), "\n".repeat(lines)).expect("written");
        let workspace = workspace(dir.path());
        let read = workspace.read("a");
        assert_eq!(
            read.err().map(|error| error.code().as_str()),
            code,
            "{lines}"
        );
        let part = workspace.read_part("a", LineSpan::new(lines - 1..lines + 1));
        let excerpt = part.expect("a part of it is small").excerpt;
        assert_eq!((excerpt.line_count, excerpt.span().len()), (lines, 1));
    }
}

#[test]
fn bounds_hold_at_the_bound_and_not_above() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "12345\n1\n").expect("written");
    let code = |file: u64, line: usize| {
        let limits = Limits {
            file,
            line,
            ..Limits::default()
        };
        let settings = Settings {
            limits,
            ..Settings::default()
        };
        let workspace = Workspace::open(&[dir.path().to_path_buf()], settings).expect("open");
        let whole = workspace.read("a").err().map(|error| error.code().as_str());
        let part = workspace.read_part("a", LineSpan::new(0..1));
        assert_eq!(whole, part.err().map(|error| error.code().as_str()));
        whole
    };
    assert_eq!(code(8, 5), None);
    assert_eq!(code(7, 5), Some("too_large"));
    assert_eq!(code(8, 4), Some("line_too_long"));
}

#[test]
fn a_part_of_a_large_file_in_another_encoding_is_that_of_the_whole() {
    let dir = tempfile::tempdir().expect("a folder can be made");
    // Large enough to be read in pieces; above 8 MiB nothing is decoded.
    let latin = b"caf\xe9 number one\n".repeat(300_000);
    let utf_16: Vec<u8> = "\u{feff}"
        .chars()
        .chain("naïve\r\n".repeat(400_000).chars())
        .flat_map(|c| {
            u16::try_from(u32::from(c))
                .expect("it is small")
                .to_le_bytes()
        })
        .collect();
    let huge = b"caf\xe9 number one\n".repeat(700_000);
    // The only character that is not ASCII is cut by the end of a piece.
    let utf_8 = [&b"x\n".repeat(1_900_000)[1..], "é\nlast\n".as_bytes()].concat();
    let end = [&b"x\n".repeat(1_900_000)[..], b"caf\xe9"].concat();
    for (bytes, encoding) in [
        (latin, Some("windows-1252")),
        (utf_16, Some("UTF-16LE")),
        (huge, None),
        (utf_8, None),
        (end, Some("windows-1252")),
    ] {
        std::fs::write(dir.path().join("a"), &bytes).expect("it can be written");
        let workspace = workspace(dir.path());
        let whole = workspace.read("a").expect("it can be read").document;
        let name = |encoding: Option<Encoding>| encoding.map(Encoding::name);
        assert_eq!(name(whole.encoding()), encoding);
        assert_eq!(whole.file_bytes(), bytes);
        for wanted in [
            0..2,
            123_456..123_460,
            whole.line_count() - 2..whole.line_count(),
        ] {
            let wanted = LineSpan::new(wanted);
            let part = workspace.read_part("a", wanted).expect("it can be read");
            assert_eq!(part.excerpt, Excerpt::of(&whole, wanted));
            assert_eq!(name(part.excerpt.encoding), encoding);
        }
    }
}

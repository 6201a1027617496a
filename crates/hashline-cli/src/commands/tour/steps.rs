//! The steps of the tour. A shell runs every command exactly as written in this file, so that the user can type it again.

/// One step of the tour: an explanation, and the command that is then run.
pub(super) struct Step {
    pub(super) text: &'static str,
    pub(super) command: &'static str,
    /// The exit code that the command is expected to have.
    pub(super) exit: i32,
}

/// The steps of the tour, in order. The commands contain revisions and anchors, which are always the same because they are computed from the bytes of
/// the file.
pub(super) const STEPS: &[Step] = &[
    Step {
        text: "Read a file: every line comes with an anchor, its number and a tag of its text. The head names the revision.",
        command: "hashline read --header fleet.py",
        exit: 0,
    },
    Step {
        text: "Edit by naming an anchor. Nothing is retyped, and the answer shows the place with fresh anchors.",
        command: r#"hashline apply --context 2 <<'EOF'
{"path": "fleet.py", "rev": "6cddb524", "edits": [
  {"insert_after": {"anchor": "7:08", "text": "    if hours >= 8:\n        total *= 0.8"}}]}
EOF"#,
        exit: 0,
    },
    Step {
        text: "Meanwhile somebody else puts two lines on top.",
        command: r"printf '# Licence: MIT\n\n' | cat - fleet.py > new && mv new fleet.py",
        exit: 0,
    },
    Step {
        text: "The anchors you read first still land, on the line you saw: it was line 17 and is line 21 now.",
        command: r#"hashline apply --context 2 <<'EOF'
{"path": "fleet.py", "rev": "6cddb524", "edits": [
  {"set_line": {"anchor": "17:49", "new_text": "    print(describe(\"raft\", 8))"}}]}
EOF"#,
        exit: 0,
    },
    Step {
        text: "Now somebody else changes the very line you are about to change.",
        command: "sed 's/{cost} EUR/{cost:.2f} EUR/' fleet.py > new && mv new fleet.py",
        exit: 0,
    },
    Step {
        text: "That is refused. Nothing is written, their work is not lost, and you see the line as it is.",
        command: r#"hashline apply --context 2 <<'EOF'
{"path": "fleet.py", "rev": "6cddb524", "edits": [
  {"set_line": {"anchor": "13:a5", "new_text": "    return f\"{boat}, {hours} h: {cost} EUR\""}}]}
EOF"#,
        exit: 1,
    },
    Step {
        text: "The refusal holds all it takes to try again: the fresh anchor and the revision.",
        command: r#"hashline apply --context 2 <<'EOF'
{"path": "fleet.py", "rev": "200ca16f", "edits": [
  {"set_line": {"anchor": "17:a4", "new_text": "    return f\"{boat}, {hours} h: {cost:.2f} EUR\""}}]}
EOF"#,
        exit: 0,
    },
    Step {
        text: "What changed since you read it first, whoever did it:",
        command: "hashline diff fleet.py --rev 6cddb524",
        exit: 0,
    },
];

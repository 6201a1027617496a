//! What people are shown.

use hashline_agents::setup::{Agent, Editor, Scope, SetupAction, words};
use hashline_core::dialect::Dialect;

use super::stage::Stage;

#[test]
fn what_setup_says_reads_as_approved() {
    let mut told = String::new();
    for agent in Agent::ALL {
        for scope in [Scope::Project, Scope::User] {
            let stage = Stage::new(agent, scope);
            let plans = [
                stage.install(),
                stage.install(),
                stage.uninstall(),
                stage.uninstall(),
            ];
            for plan in plans {
                told += &format!("{}\n", stage.told(&words::summary(&plan)));
                if plan.action == SetupAction::Install && !plan.changes.is_empty() {
                    for change in &plan.changes {
                        told += &format!("  {}\n", stage.told(&change.path.display().to_string()));
                    }
                }
            }
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn the_diff_reads_as_approved() {
    let stage = Stage::new(Agent::Gemini, Scope::Project);
    stage.write(
        ".gemini/settings.json",
        "{\n  // mine\n  \"mcpServers\": {\n    \"a\": { \"command\": \"a\" } // first\n  }\n}\n",
    );
    stage.write("GEMINI.md", "# Rules");
    let plan = stage.install();
    let shown = words::diff(&plan.changes);
    let shown = shown.lines().take(75).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(stage.told(&shown));
}

#[test]
fn snippets_read_as_approved() {
    let told = |editor: Editor| {
        let snippet = editor.snippet("hashline", None);
        let (into, out) = (
            words::snippet(editor, &snippet),
            words::snippet_removal(editor, &snippet),
        );
        format!("{into}\n\n{out}\n\n")
    };
    let told: String = Editor::ALL.into_iter().map(told).collect();
    insta::assert_snapshot!(told);
}

#[test]
fn a_snippet_names_the_dialect_wherever_it_is_spoken() {
    for editor in Editor::ALL {
        let snippet = editor.snippet("/opt/my tools/hashline", Some(Dialect::LEAN));
        let told = words::snippet(editor, &snippet);
        assert!(
            told.contains("`hashline prompt --agent tools --dialect lean`"),
            "{told}"
        );
        let server = snippet.server.value.to_string();
        assert!(server.contains(r#"["mcp","--dialect","lean"]"#), "{server}");
        if let Some(hook) = snippet.hook {
            let line = "'/opt/my tools/hashline' hook --dialect lean";
            assert!(hook.value.to_string().contains(line), "{}", hook.value);
        }
    }
}

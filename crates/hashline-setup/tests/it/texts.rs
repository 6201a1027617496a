//! What people are shown.

use hashline_setup::{Agent, Direction, Editor, Scope, words};

use crate::stage::Stage;

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
                told += &format!("{}\n", stage.told(&words::outcome(&plan)));
                if plan.direction == Direction::Install && !plan.changes.is_empty() {
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
    let args = vec!["mcp".to_owned()];
    let told: String = Editor::ALL
        .into_iter()
        .map(|editor| {
            format!(
                "{}\n\n",
                words::snippet(editor, &editor.snippet("hashline", &args))
            )
        })
        .collect();
    insta::assert_snapshot!(told);
}

//! What a client is offered: the instructions and the tools, as it is told of them.
//!
//! The snapshot of the default dialect is also what the clients of `clients/sdk` are held to.

use serde_json::{Value, json};

use super::server::Server;
use crate::stage::Stage;

const DIALECTS: [&str; 6] = ["push", "omp", "cowboy", "openagent", "pi", "lean"];

fn offered(args: &[&str]) -> Value {
    let stage = Stage::new(&[]);
    let mut server = Server::silent(&stage, args);
    let info = server.shake_hands(&json!({}));
    let list = server.ask("tools/list", json!({}));
    let (info, list) = (&info["result"], &list["result"]);
    assert!(list.get("nextCursor").is_none());
    json!({
        "capabilities": info["capabilities"],
        "instructions": info["instructions"],
        "tools": list["tools"],
    })
}

#[test]
fn the_default_offer_is_as_it_was() {
    let offer = serde_json::to_string_pretty(&offered(&[])).unwrap();
    insta::assert_snapshot!("offer", offer);
}

#[test]
fn every_dialect_offers_four_tools_that_say_what_they_do() {
    for dialect in DIALECTS {
        let offer = offered(&["--dialect", dialect]);
        let tools = offer["tools"].as_array().unwrap();
        let names: Vec<&str> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["read", "search", "edit", "write"], "{dialect}");
        for tool in tools {
            // With a schema of results, clients show their model the data instead of the text.
            assert!(tool.get("outputSchema").is_none(), "{dialect}: {tool}");
            assert_eq!(tool["_meta"]["anthropic/alwaysLoad"], true, "{dialect}");
            assert_eq!(tool["inputSchema"]["type"], "object", "{dialect}");
            let looks = matches!(tool["name"].as_str(), Some("read" | "search"));
            assert_eq!(tool["annotations"]["readOnlyHint"], looks, "{dialect}");
            assert_eq!(tool["annotations"]["openWorldHint"], false, "{dialect}");
        }
        let required = tools[2]["inputSchema"]["required"].as_array().unwrap();
        let rev = if dialect == "pi" { "revs" } else { "rev" };
        assert!(required.contains(&rev.into()), "{dialect}: {required:?}");
    }
}

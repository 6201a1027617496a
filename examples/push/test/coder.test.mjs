// The Coder with a scripted model: all parts together, as `app/main.mjs` runs them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";

import { runCoder } from "../app/coder.mjs";
import { model } from "../app/scripted-model.mjs";
import { stage } from "./stage.mjs";

const HELLO = 'function hello() {\n  return "world";\n}\n';
const DONE = HELLO.replace("world", "moon");

for (const [name, settings] of [["edit-file is on", ""], ["edit-file is off", 'edit_file = "off"']]) {
  describe(`the Coder, where ${name}`, () => {
    let all;
    before(async () => (all = await stage(settings)));
    after(() => all.end());

    /** Lets the scripted model work; `between` runs before its message number N. */
    async function run(between = {}) {
      all.put("hello.ts", HELLO);
      const cards = [];
      const scripted = async (messages) => {
        between[messages.length]?.();
        return model(messages);
      };
      const end = await runCoder({ task: 'Let hello() return "moon".', model: scripted, sandbox: all.sandbox, show: (card) => cards.push(card) });
      return { ...end, cards: cards.map(({ tool, ok, error }) => [tool, ok ? "ok" : error]), text: all.get("hello.ts").toString() };
    }

    it("carries out a task", async () => {
      const { said, text, cards } = await run();
      assert.deepEqual([said, text], ['hello() returns "moon" now.', DONE]);
      const edits = settings ? [["sandbox_edit_file", "edit_disabled"], ["sandbox_write_file", "ok"]] : [["sandbox_edit_file", "ok"]];
      assert.deepEqual(cards, [["sandbox_read_file", "ok"], ...edits]);
    });

    it("never overwrites what somebody else has written meanwhile", async () => {
      const other = HELLO.replace("world", "sun") + "// by somebody else\n";
      // The model has read the file and is about to send its edit.
      const { text, cards } = await run({ 4: () => all.put("hello.ts", other) });
      if (settings) {
        assert.deepEqual(cards.slice(-1), [["sandbox_write_file", "STALE_FILE"]]);
        assert.equal(text, other);
      } else {
        assert.deepEqual(cards.slice(-2), [["sandbox_edit_file", "stale_ref"], ["sandbox_edit_file", "ok"]]);
        assert.equal(text, other.replace("sun", "moon"));
      }
    });

    it("runs as a program", async () => {
      all.put("hello.ts", HELLO);
      const env = { PATH: process.env.PATH, WORKER_URL: all.worker.url, APP_TOKEN: all.options.token, SANDBOX_ID: "main" };
      const { stdout } = await promisify(execFile)(process.execPath, [new URL("../app/main.mjs", import.meta.url).pathname], { env });
      assert.match(stdout, /^hello\(\) returns "moon" now\.$/m);
      assert.equal(all.get("hello.ts").toString(), DONE);
    });
  });
}

describe("a call that the model gets wrong", () => {
  it("is answered with what is wrong, and nothing is sent", async () => {
    const said = ["```json\nnot JSON\n```", '```json\n{"tool":"sandbox_exec","args":{"path":"a"}}\n```', "I give up."];
    const sandbox = { sandboxId: "main", url: "http://127.0.0.1:1" };
    const end = await runCoder({ task: "", model: async () => said.shift(), sandbox, show: () => assert.fail("nothing was called") });
    assert.equal(end.said, "I give up.");
    const told = end.messages.filter(({ role }) => role === "user").slice(1);
    assert.ok(told.every(({ content }) => content.startsWith("invalid_call: Nothing was written.")));
    assert.equal(told.length, 2);
  });

  it("ends after so many rounds", async () => {
    const call = '```json\n{"tool":"none"}\n```';
    const end = await runCoder({ task: "", model: async () => call, sandbox: { sandboxId: "main" }, show: () => {} });
    assert.match(end.said, /^No end after \d+ rounds/);
  });
});

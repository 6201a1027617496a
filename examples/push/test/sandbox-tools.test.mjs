// The eight tests of seed 001, by its names: through the app's functions, the worker and the service, down to the bytes of the file.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { editInSandbox, executeSandboxToolCall, readFromSandbox, validateSandboxToolCall } from "hashline-client/push";

import { stage } from "./stage.mjs";

const HELLO = 'function hello() {\n  return "world";\n}\n';
// The refs of its lines, as DIALECTS has them.
const [FIRST, SECOND, THIRD] = ["1:4qN7", "2:OcoM", "3:oHxE"];

describe("sandbox_edit_file", () => {
  let all;
  before(async () => (all = await stage()));
  after(() => all.end());

  /** Writes the file anew and sends edits of it; returns the answer and the file as it is then. */
  async function edit(edits, before = HELLO) {
    all.put("hello.ts", before);
    await readFromSandbox("main", "hello.ts", { ...all.options, annotate: true });
    const answer = await editInSandbox("main", "hello.ts", edits, all.options);
    return { answer, text: all.get("hello.ts").toString() };
  }

  it("validates hashline refs", async () => {
    const validate = (edits) => validateSandboxToolCall({ tool: "sandbox_edit_file", args: { path: "hello.ts", edits } });
    for (const ref of [FIRST, " 1 : 4qN7 ", "1:4qN7|function hello() {", "12:1zzzz"]) {
      assert.equal(validate([{ type: "delete_line", ref }]).ok, true, ref);
    }
    for (const ref of ["0:4qN7", "4qN7", "1:4qN", "1:4qN7xx", "1-4qN7", "1:4q_7", "", 1, undefined]) {
      const checked = validate([{ type: "delete_line", ref: FIRST }, { type: "delete_line", ref }]);
      assert.deepEqual([checked.ok, checked.failing_edit_index], [false, 1], String(ref));
    }
    const range = { type: "replace_range", start_ref: FIRST, new_content: "" };
    assert.match(validate([range]).message, /needs `end_ref`/);
    assert.equal(validate([{ ...range, end_ref: SECOND }]).ok, true);
    assert.equal(validate([{ type: "replace_line", ref: FIRST }]).ok, false);
    assert.equal(validate([{ type: "delete_line", ref: FIRST, new_content: "text" }]).ok, false);
    assert.equal(validate([{ type: "rewrite", ref: FIRST }]).ok, false);
    assert.equal(validate([]).ok, false);
    assert.equal(validateSandboxToolCall({ tool: "sandbox_exec", args: { path: "a" } }).ok, false);
    // The names that Push released mean the same.
    const released = validate([{ op: "replace_line", ref: FIRST, content: "x" }]);
    assert.deepEqual(released.call.args.edits, [{ type: "replace_line", ref: FIRST, new_content: "x" }]);
  });

  it("detects stale refs", async () => {
    const { answer, text } = await edit([{ type: "replace_line", ref: "2:bR7p", new_content: "x" }]);
    const { error, failing_edit_index, failing_ref, expected_hash, actual_hash, fresh_refs } = answer;
    assert.deepEqual([error, failing_edit_index, failing_ref, expected_hash, actual_hash], ["stale_ref", 0, "2:bR7p", "bR7p", "OcoM"]);
    assert.deepEqual(fresh_refs, ["1:4qN7|function hello() {", '2:OcoM|  return "world";', "3:oHxE|}"]);
    assert.equal(text, HELLO);
  });

  it("applies replace_line edits", async () => {
    const { answer, text } = await edit([{ type: "replace_line", ref: SECOND, new_content: "  return 'hello';" }]);
    assert.equal(text, "function hello() {\n  return 'hello';\n}\n");
    assert.deepEqual(answer.window, [["1:4qN7|function hello() {", "2:JNm4|  return 'hello';", "3:oHxE|}"]]);
    assert.match(answer.diff, /^-  return "world";\n\+  return 'hello';$/m);
  });

  it("applies replace_range edits", async () => {
    const { answer, text } = await edit([{ type: "replace_range", start_ref: FIRST, end_ref: THIRD, new_content: "export default {\n  hello: () => 'world'\n};" }]);
    assert.equal(text, "export default {\n  hello: () => 'world'\n};\n");
    assert.equal(answer.total_lines, 3);
  });

  it("applies insert_after/before edits", async () => {
    const { answer, text } = await edit([
      { type: "insert_after", ref: THIRD, new_content: "\nfunction goodbye() {\n  return 'bye';\n}" },
      { type: "insert_before", ref: FIRST, new_content: "// greetings" },
    ]);
    assert.equal(text, `// greetings\n${HELLO}\nfunction goodbye() {\n  return 'bye';\n}\n`);
    assert.equal(answer.applied, 2);
  });

  it("applies delete_line/range edits", async () => {
    assert.equal((await edit([{ type: "delete_line", ref: SECOND }])).text, "function hello() {\n}\n");
    const range = await edit([{ type: "delete_range", start_ref: FIRST, end_ref: SECOND }]);
    assert.equal(range.text, "}\n");
    const whole = await edit([{ type: "delete_range", start_ref: FIRST, end_ref: THIRD }]);
    assert.deepEqual([whole.text, whole.answer.window], ["", []]);
  });

  it("rejects edits with invalid refs", async () => {
    for (const [edits, error] of [
      [[{ type: "delete_line", ref: "2-OcoM" }], "invalid_ref"],
      [[{ type: "delete_line", ref: "OcoM" }], "invalid_ref"],
      [[{ type: "delete_line", ref: "9:OcoM" }], "stale_ref"],
      [[{ type: "delete_range", start_ref: THIRD, end_ref: FIRST }], "invalid_range"],
      [[{ type: "replace_line", new_content: "x" }], "invalid_edit"],
    ]) {
      const { answer, text } = await edit(edits);
      assert.deepEqual([answer.ok, answer.error, text], [false, error, HELLO]);
    }
  });

  it("applies multiple edits atomically", async () => {
    const all_ = [
      { type: "replace_line", ref: SECOND, new_content: "  return 1;" },
      { type: "insert_after", ref: THIRD, new_content: "// end" },
    ];
    assert.equal((await edit(all_)).text, "function hello() {\n  return 1;\n}\n// end\n");
    // One wrong edit, and none is applied; refs mean the lines before any of them.
    const wrong = await edit([...all_, { type: "delete_line", ref: "1:0000" }]);
    assert.deepEqual([wrong.answer.error, wrong.answer.failing_edit_index, wrong.text], ["stale_ref", 2, HELLO]);
    const sample = await edit([...all_, { type: "replace_range", start_ref: FIRST, end_ref: THIRD, new_content: "" }]);
    assert.deepEqual([sample.answer.error, sample.text], ["overlapping_edits", HELLO]);
  });

  it("overwrites no file that the agent has not seen", async () => {
    all.put("seen.txt", "somebody's text\n");
    const context = { ...all.sandbox, versions: new Map() };
    const run = (tool, args) => executeSandboxToolCall({ tool, args: { path: "seen.txt", ...args } }, context);
    const unseen = await run("sandbox_write_file", { content: "mine\n" });
    assert.deepEqual([unseen.ok, unseen.card.error], [false, "file_exists"]);
    assert.equal((await run("sandbox_read_file", {})).ok, true);
    assert.equal((await run("sandbox_write_file", { content: "mine\n" })).ok, true);
    // What it wrote itself, it has seen.
    assert.equal((await run("sandbox_write_file", { content: "mine again\n" })).ok, true);
    assert.equal(all.get("seen.txt").toString(), "mine again\n");
    const added = await executeSandboxToolCall({ tool: "sandbox_write_file", args: { path: "added.txt", content: "x" } }, context);
    assert.match(added.text, /^Done: created\.\nadded.txt \(rev [0-9a-f]{8}, 1 bytes\)$/);
  });

  it("shows anchors to the agent and none to the person who watches", async () => {
    all.put("hello.ts", HELLO);
    const run = async (tool, args) => executeSandboxToolCall(validateSandboxToolCall({ tool, args: { path: "hello.ts", ...args } }).call, all.sandbox);
    const read = await run("sandbox_read_file", {});
    assert.match(read.text, /^hello.ts \(rev [0-9a-f]{8}, 3 lines\)\n1:4qN7\|function hello\(\) \{\n2:OcoM\|/);
    assert.equal(read.card.content, HELLO.trimEnd());
    const edited = await run("sandbox_edit_file", { edits: [{ type: "replace_line", ref: SECOND, new_content: "  return 'hello';" }] });
    assert.match(edited.text, /^Done: 1 edit\.\nhello.ts \(rev [0-9a-f]{8}, 3 lines\)\n1:4qN7\|.*\n2:JNm4\|/);
    assert.deepEqual([edited.card.ok, edited.card.content], [true, "function hello() {\n  return 'hello';\n}"]);
    assert.match(edited.card.diff, /^\+  return 'hello';$/m);
    const stale = await run("sandbox_edit_file", { edits: [{ type: "delete_line", ref: SECOND }] });
    assert.match(stale.text, /^stale_ref: Nothing was written\.[^]*2:JNm4\|/);
    assert.equal(stale.card.error, "stale_ref");
    assert.doesNotMatch(JSON.stringify(stale.card), /JNm4/);
  });
});

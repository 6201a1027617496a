// A round trip against a sandbox that runs already. Opt-in, as in seed 001:
//   MODAL_SANDBOX_ID   the name of the sandbox
//   WORKER_URL         the worker in front of it, http://127.0.0.1:8787 unless given
//   APP_TOKEN          what the worker wants to see
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { editInSandbox, readFromSandbox, stripAnchors, writeToSandbox } from "hashline-client/push";

const { MODAL_SANDBOX_ID: sandbox, WORKER_URL: url = "http://127.0.0.1:8787", APP_TOKEN: token } = process.env;

describe("hashline integration", () => {
  it("round-trip: read annotated → edit → verify", { skip: sandbox ? false : "MODAL_SANDBOX_ID is not set" }, async () => {
    const options = { url, ...(token && { token }), session: crypto.randomUUID() };
    const path = `/workspace/hashline-round-trip-${crypto.randomUUID()}.txt`;
    const written = await writeToSandbox(sandbox, path, "one\ntwo\nthree\n", options);
    assert.equal(written.ok, true, written.message);
    const read = await readFromSandbox(sandbox, path, { ...options, annotate: true });
    assert.equal(stripAnchors(read.content), "one\ntwo\nthree");
    assert.equal(read.file_hash, written.version);
    const ref = read.content.split("\n")[1].split("|")[0];
    const edited = await editInSandbox(sandbox, path, [{ type: "replace_line", ref, new_content: "TWO" }], { ...options, rev: read.rev });
    assert.equal(edited.ok, true, edited.message);
    const verified = await readFromSandbox(sandbox, path, options);
    assert.deepEqual([verified.content, verified.file_hash], ["one\nTWO\nthree", edited.file_hash]);
    const again = await editInSandbox(sandbox, path, [{ type: "delete_line", ref }], { ...options, rev: read.rev });
    assert.equal(again.error, "stale_ref");
  });
});

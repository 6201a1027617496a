// The worker: what it passes on, what it adds, and what it refuses. In real workerd, in front of a real service.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { stage } from "./stage.mjs";

const READ = "/api/sandbox/read-file";
const MIB = 1024 * 1024;

describe("the worker", () => {
  let all;
  before(async () => (all = await stage()));
  after(() => all.end());

  const call = async (path, body, { method = "POST", headers = {}, ...more } = {}) => {
    const all_ = { Authorization: `Bearer ${all.options.token}`, "Content-Type": "application/json", ...headers };
    const answer = await fetch(all.worker.url + path, { method, headers: all_, ...(method !== "GET" && { body }), ...more });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: text ? JSON.parse(text) : undefined };
  };
  const json = (fields) => JSON.stringify({ sandbox_id: "main", ...fields });

  it("passes the answer through as the service gives it", async () => {
    all.put("a.txt", "one\ntwo\n");
    const request = { path: "a.txt", annotate: true };
    const direct = await fetch(all.service.url + READ, {
      method: "POST",
      headers: { Authorization: `Bearer ${all.service.token}`, "Content-Type": "application/json" },
      body: json(request),
    });
    const through = await call(READ, json(request));
    assert.deepEqual([through.status, through.text], [direct.status, await direct.text()]);
    assert.equal(through.headers.get("ETag"), direct.headers.get("ETag"));
    assert.equal(through.headers.get("Cache-Control"), "no-store");
  });

  it("passes conditions and statuses through", async () => {
    all.put("conditions.txt", "one\n");
    const read = await call(READ, json({ path: "conditions.txt" }));
    const known = await call(READ, json({ path: "conditions.txt" }), { headers: { "If-None-Match": read.headers.get("ETag") } });
    assert.deepEqual([known.status, known.text], [304, ""]);
    const other = `"${"0".repeat(64)}"`;
    const written = await call("/api/sandbox/write-file", json({ path: "conditions.txt", content: "x" }), { headers: { "If-Match": other } });
    assert.deepEqual([written.status, written.json.error], [412, "STALE_FILE"]);
    assert.equal(all.get("conditions.txt").toString(), "one\n");
  });

  it("passes the session, the task and the role on", async () => {
    all.put("role.txt", "one\n");
    const read = await call(READ, json({ path: "role.txt" }), { headers: { "Hashline-Role": "coder" } });
    assert.match(read.json.content, /^1:[0-9A-Za-z]{4}\|one$/);
  });

  it("passes on three routes and no other", async () => {
    for (const path of ["/", "/api/sandbox/", "/api/sandbox/exec", "/v1/read", "/metrics", "/openapi.json", "/api/sandbox/read-file/", "//api/sandbox/read-file"]) {
      assert.equal((await call(path, json({ path: "a.txt" }))).status, 404, path);
    }
    const got = await call(READ, undefined, { method: "GET" });
    assert.deepEqual([got.status, got.headers.get("Allow")], [405, "POST"]);
    assert.equal((await call(READ, json({ path: "a.txt" }), { headers: { "Content-Type": "text/plain" } })).status, 415);
  });

  it("serves only users of the app", async () => {
    for (const authorization of ["", "Bearer wrong", `Bearer ${all.service.token}`, all.options.token]) {
      const refused = await call(READ, json({ path: "a.txt" }), { headers: { Authorization: authorization } });
      assert.deepEqual([refused.status, refused.json.code], [401, "unauthorized"]);
    }
  });

  it("limits a body to 1 MiB", async () => {
    const body = (size) => {
      const around = json({ path: "large.txt", content: "" }).length;
      return json({ path: "large.txt", content: "x".repeat(size - around) });
    };
    const route = "/api/sandbox/write-file";
    assert.equal((await call(route, body(MIB))).json.ok, true);
    const large = await call(route, body(MIB + 1));
    assert.deepEqual([large.status, large.json.code], [413, "too_large"]);
    // Without a length beforehand it is counted.
    const stream = new Blob([body(MIB + 1)]).stream();
    assert.equal((await call(route, stream, { duplex: "half" })).status, 413);
    const small = new Blob([body(1000)]).stream();
    assert.equal((await call(route, small, { duplex: "half" })).json.bytes, 1000 - json({ path: "large.txt", content: "" }).length);
  });

  it("knows its sandboxes, and no property of an object", async () => {
    for (const sandbox of ["other", "", "__proto__", "constructor", "toString", null, 1, {}]) {
      const refused = await call(READ, JSON.stringify({ path: "a.txt", sandbox_id: sandbox }));
      assert.deepEqual([refused.status, refused.json.code], [404, "unknown_sandbox"], String(sandbox));
    }
    for (const body of ["", "no json", "[]", "null"]) assert.equal((await call(READ, body)).status, 404, body);
  });

  it("says when a sandbox cannot be reached, or does not accept it", async () => {
    for (const sandbox of ["asleep", "revoked"]) {
      const refused = await call(READ, json({ path: "a.txt", sandbox_id: sandbox }));
      assert.deepEqual([refused.status, refused.json.code], [502, "unreachable"]);
      assert.doesNotMatch(refused.text, /127\.0\.0\.1|0000/);
    }
  });

  it("shows its tokens to nobody, and logs nothing of what it passes on", async () => {
    all.put("secret.txt", "the text of a file\n");
    const read = await call(READ, json({ path: "secret.txt" }));
    const said = read.text + JSON.stringify([...read.headers]);
    assert.doesNotMatch(said, new RegExp(all.service.token));
    await call(READ, json({ path: "secret.txt", sandbox_id: "asleep" }));
    for (const secret of [all.service.token, all.options.token, "the text of a file", "secret.txt"]) {
      assert.ok(!all.worker.log().includes(secret), secret);
    }
  });
});

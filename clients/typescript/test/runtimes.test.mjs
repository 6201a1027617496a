// The cases in every runtime that the package is for, each a real one of a pinned version.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";

import { CASES, CONTROL } from "./cases.mjs";
import { workerd } from "./workerd-process.mjs";
import { stage } from "./workspaces.mjs";

const here = (name) => new URL(name, import.meta.url).pathname;
const module = (name) => here(`../node_modules/${name}`);

/** Runs the cases with a program that takes a script and its arguments. */
const by = (program) => async (given) => {
  const { stdout } = await promisify(execFile)(program, [here("portable.mjs"), JSON.stringify(given)]);
  return JSON.parse(stdout);
};

async function byWorkerd(given) {
  const worker = await workerd(module("@cloudflare/workerd-linux-64/bin/workerd"), here("workerd.capnp"));
  try {
    const response = await fetch(worker.url, { method: "POST", body: JSON.stringify(given) });
    return await response.json();
  } finally {
    await worker.end();
  }
}

const RUNTIMES = {
  "Node v20.": by(module("node20/bin/node")),
  "Node v24.": by(module("node24/bin/node")),
  "Bun 1.": by(module("@oven/bun-linux-x64/bin/bun")),
  "workerd Cloudflare-Workers": byWorkerd,
};

for (const [name, start] of Object.entries(RUNTIMES)) {
  describe(`the client in ${name}`, () => {
    let home;
    let server;
    let report;
    before(async () => {
      home = mkdtempSync(join(tmpdir(), "hashline-client-"));
      server = await stage(process.env.HASHLINE_BIN, home);
      report = await start(server.given);
    });
    after(async () => {
      await server.end();
      rmSync(home, { recursive: true, force: true });
    });

    it("is the runtime that was meant, and runs all cases", () => {
      assert.ok(report.runtime.startsWith(name), report.runtime);
      assert.deepEqual(report.ran, Object.keys(CASES));
    });
    it("notices a case that fails", () => {
      assert.deepEqual(Object.keys(report.control), Object.keys(CONTROL));
    });
    for (const name of Object.keys(CASES)) {
      it(name, () => assert.equal(report.failed[name], undefined));
    }
  });
}

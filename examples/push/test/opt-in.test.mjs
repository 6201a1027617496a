// The opt-in test is opted in to here, against a sandbox that is started for it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, it } from "node:test";
import { promisify } from "node:util";

import { stage } from "./stage.mjs";

let all;
before(async () => (all = await stage()));
after(() => all.end());

/** Runs the round trip with these variables, and returns how many tests passed and were skipped. */
async function roundTrip(variables) {
  const script = new URL("hashline-integration.test.mjs", import.meta.url).pathname;
  const env = { PATH: process.env.PATH, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, ["--test-reporter=tap", script], { env });
  const count = (what) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(stdout)[1]);
  return { passed: count("pass"), skipped: count("skipped"), failed: count("fail") };
}

it("makes the round trip in a sandbox that runs", async () => {
  const variables = { MODAL_SANDBOX_ID: "main", WORKER_URL: all.worker.url, APP_TOKEN: all.options.token };
  assert.deepEqual(await roundTrip(variables), { passed: 1, skipped: 0, failed: 0 });
});

it("makes none unless a sandbox is named", async () => {
  assert.deepEqual(await roundTrip({}), { passed: 0, skipped: 1, failed: 0 });
});

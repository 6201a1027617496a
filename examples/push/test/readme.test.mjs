// The commands of README.md, as they stand but for the ports, print what it says.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { it } from "node:test";

import { environment } from "../../../clients/typescript/test/service.mjs";

const root = new URL("..", import.meta.url).pathname;
const readme = readFileSync(join(root, "README.md"), "utf8");
const block = (kind, has) => [...readme.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"))].map(([, text]) => text).find((text) => text.includes(has));

/** Returns a port that is free. */
async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  await once(listener, "close");
  return port;
}

it("the example runs as it is told", async () => {
  const home = mkdtempSync(join(tmpdir(), "hashline-example-"));
  symlinkSync(process.env.HASHLINE_BIN, join(home, "hashline"));
  const [service, worker] = [await freePort(), await freePort()];
  const script = block("sh", "node app/main.mjs").replaceAll("8741", service).replaceAll("8787", worker);
  const path = [home, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...environment(home), PATH: path, TMPDIR: home };
  // A group of its own, so that the servers can be ended with it.
  const child = spawn("bash", ["-euc", script], { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  try {
    let printed = "";
    child.stdout.on("data", (chunk) => (printed += chunk));
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    assert.equal(printed, block("text", "ok: sandbox_read_file"));
  } finally {
    process.kill(-child.pid, "SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
});

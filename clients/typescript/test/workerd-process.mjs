// A real `workerd` for a test.
import { spawn } from "node:child_process";

import { ended, firstLine } from "./service.mjs";

/** Starts workerd with a configuration at a port that is free. Returns where its socket `http` is, and how to end it. */
export async function workerd(program, config, env = {}) {
  const args = ["serve", config, "--socket-addr", "http=127.0.0.1:0", "--control-fd=3"];
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "inherit", "pipe", "pipe"] });
  // Its log is kept, so that a test can look for what must not be in it.
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const listening = JSON.parse(await firstLine(child, child.stdio[3]));
  return { url: `http://127.0.0.1:${listening.port}`, log: () => log, end: () => ended(child) };
}

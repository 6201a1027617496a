// A real `hashline serve` for a test, in a folder of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The environment of a program that is started for a test: nothing of the person's. */
export function environment(home) {
  return { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
}

/**
 * Starts the service for one workspace, `main`, whose settings are lines of a workspace file. Returns where it is, its token, its files, and
 * how to end it.
 */
export async function serve(hashline, home, settings = "") {
  const root = join(home, "files");
  mkdirSync(root, { recursive: true });
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
  writeFileSync(join(home, "main.token"), token, { mode: 0o600 });
  const workspaces = join(home, "workspaces.toml");
  writeFileSync(workspaces, `[[workspace]]\nname = "main"\nroot = "files"\nas = "/workspace"\ntoken_file = "main.token"\n${settings}\n`);
  const args = ["--json", "serve", "--workspaces", workspaces, "--http", "0", "--token-file", join(home, "operator.token")];
  const child = spawn(hashline, args, { cwd: home, env: environment(home), stdio: ["ignore", "pipe", "inherit"] });
  const line = await firstLine(child);
  const url = JSON.parse(line).urls.find((url) => url.includes("127.0.0.1"));
  return { url, token, root, workspace: "main", end: () => ended(child) };
}

/** Returns the first line that a program prints; it is ended with the process that runs the test, whatever becomes of it. */
export async function firstLine(child, stream = child.stdout) {
  process.once("exit", () => child.kill("SIGKILL"));
  const exit = once(child, "exit").then(([code]) => {
    throw new Error(`${child.spawnfile} ended with ${code}`);
  });
  const [line] = await Promise.race([once(createInterface(stream), "line"), exit]);
  exit.catch(() => {});
  return line;
}

/** Ends a program and waits until it has ended. */
export async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

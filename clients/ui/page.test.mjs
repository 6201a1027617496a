// What the person who watches sees, in a real browser.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { agent, anchorOf, browse, open, serve, watch } from "./stage.mjs";

const MAIN = "fn main() {\n    let x = 1;\n    println!(\"{x}\");\n}\n";
const FILES = { "src/main.rs": MAIN };
const PATH = "src/main.rs";

let browser;
before(async () => { browser = await browse(); });
after(() => browser.close());

const edited = (path, anchor, text) => ({ path, edits: [{ set_line: { anchor, new_text: text } }] });

test("an edit by a client appears with its diff", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  assert.equal(await page.locator("#workspace").textContent(), "main");
  assert.equal(new URL(page.url()).hash, "", "the token is not in the address bar");
  const shown = await server.agent("/v1/read", { path: PATH });
  await server.agent("/v1/edit", edited(PATH, anchorOf(shown, "    let x = 1;"), "    let x = 2;"));
  const row = page.locator("tr.call.edit");
  await row.waitFor();
  assert.match(await row.innerText(), /src\/main\.rs/);
  assert.match(await row.locator(".badge").innerText(), /applied/);
  assert.match(await row.innerText(), /\+1 −1/);
  await row.locator("button").press("Enter");
  const diff = page.locator("tr.detail:not([hidden]) .diff");
  assert.match(await diff.locator(".add").innerText(), /let x = 2;/);
  assert.match(await diff.locator(".del").innerText(), /let x = 1;/);
  assert.equal(await page.locator("tr.call").count(), 2);
  // The numbers are drawn after the rows.
  await page.locator("#tiles").filter({ hasText: /Requests\s*2\s*Reads/ }).waitFor();
  const tiles = await page.locator("#tiles").innerText();
  assert.match(tiles, /Requests\s+2\s/);
  assert.match(tiles, /Applied\s+1\s/);
  assert.equal(await page.locator("#plots .mark.edit").count(), 2, "one in the plot, one in the legend");
});

test("lines that moved, repairs and refusals are shown as such", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  const shown = await server.agent("/v1/read", { path: PATH });
  const anchor = anchorOf(shown, "    println!(\"{x}\");");
  const gone = anchorOf(shown, "    let x = 1;");
  await server.agent("/v1/edit", { path: PATH, edits: [{ insert_after: { anchor: anchorOf(shown, "fn main() {"), text: "    // a\n    // b" } }] });
  await server.agent("/v1/edit", edited(PATH, anchor, `${anchor}|    print!("{x}");`));
  assert.equal(readFileSync(server.place(PATH), "utf8"), "fn main() {\n    // a\n    // b\n    let x = 1;\n    print!(\"{x}\");\n}\n");
  writeFileSync(server.place(PATH), "fn main() {\n    other();\n}\n");
  const refused = await server.agent("/v1/edit", edited(PATH, gone, "    let x = 3;"));
  assert.equal(refused.code, "stale");
  const rows = page.locator("tr.call");
  await rows.nth(3).waitFor();
  assert.match(await rows.nth(0).locator(".badge.warn").innerText(), /stale/);
  assert.match(await rows.nth(1).innerText(), /1 moved · 1 repaired/);
  await rows.nth(0).locator("button").click();
  assert.match(await page.locator("tr.detail:not([hidden]) .message").innerText(), /is gone/);
  await rows.nth(1).locator("button").click();
  assert.match(await page.locator("tr.detail:not([hidden]) .notes").innerText(), /line 3 was found at 5[^]*repaired/);
  await page.locator("#filter").selectOption("refused");
  assert.equal(await page.locator("tr.call:visible").count(), 1);
});

test("a pasted request is previewed, then applied", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  await page.getByLabel("Path").fill(PATH);
  await page.getByRole("button", { name: "Read", exact: true }).click();
  const anchor = page.locator("#lines button.anchor").nth(1);
  const name = await anchor.innerText();
  await page.getByLabel("Edit request").fill(JSON.stringify(edited(PATH, name, "    let x = 5;")));
  await page.getByRole("button", { name: "Preview" }).click();
  await page.locator("#verdict.info").waitFor();
  assert.match(await page.locator("#result .add").innerText(), /let x = 5;/);
  assert.equal(readFileSync(server.place(PATH), "utf8"), MAIN, "a preview writes nothing");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator("#verdict.good").waitFor();
  assert.equal(readFileSync(server.place(PATH), "utf8"), MAIN.replace("x = 1", "x = 5"));
});

test("a press on an anchor puts it into the request", async (t) => {
  const server = await serve(t, FILES);
  for (const dialect of ["omp", "push", "cowboy", "openagent", "pi", "lean"]) {
    writeFileSync(server.place(PATH), MAIN);
    const page = await watch(t, browser, server);
    await page.getByLabel("Anchors", { exact: true }).selectOption(dialect);
    await page.getByLabel("Path").fill(PATH);
    await page.getByLabel("Path").press("Enter");
    await page.locator("#lines button.anchor").nth(1).press("Enter");
    const request = await page.locator("#body").inputValue();
    await page.locator("#body").fill(request.replace("x = 1", "x = 8"));
    await page.locator("#body").press("Control+Enter");
    await page.locator("#verdict.info").waitFor();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator("#verdict.good").waitFor();
    assert.equal(readFileSync(server.place(PATH), "utf8"), MAIN.replace("x = 1", "x = 8"), dialect);
    await page.locator("#body").fill("{\"a\":}");
    await page.locator("#body").evaluate((box) => box.setSelectionRange(5, 5));
    await page.locator("#lines button.anchor").nth(0).click();
    const first = await page.locator("#lines button.anchor").nth(0).innerText();
    assert.equal(await page.locator("#body").inputValue(), `{"a":${first}}`);
  }
});

test("a stale request is refused with fresh anchors, and lands after a press on one", async (t) => {
  const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
  for (const dialect of ["omp", "push", "cowboy", "openagent", "pi", "lean"]) {
    const server = await serve(t, { "a.txt": text });
    const page = await watch(t, browser, server);
    const shown = await agent(server.url, server.token, { "Hashline-Dialect": dialect })("/v1/read", { path: "a.txt" });
    const parts = shown.lines.map((line) => line.split(/[|\t]/));
    const [two, nine] = [parts[1][0], parts[8][0]];
    writeFileSync(server.place("a.txt"), text.replace("two", "2").replace("five", "5\n5a"));
    const request = {
      omp: { path: "a.txt", edits: [{ set_line: { anchor: nine, new_text: "NINE" } }, { set_line: { anchor: two, new_text: "TWO" } }] },
      push: { path: "a.txt", edits: [{ type: "replace_line", ref: nine, new_content: "NINE" }, { type: "replace_line", ref: two, new_content: "TWO" }] },
      cowboy: { path: "a.txt", operations: [{ action: "replace", start: nine, content: "NINE" }, { action: "replace", start: two, content: "TWO" }] },
      openagent: { filePath: "a.txt", edits: [{ op: "replace", pos: nine, lines: ["NINE"] }, { op: "replace", pos: two, lines: ["TWO"] }] },
      pi: { patch: [{ op: "set_line", path: "a.txt", anchor: nine, text: "NINE" }, { op: "set_line", path: "a.txt", anchor: two, text: "TWO" }] },
      lean: { path: "a.txt", edits: [{ op: "replace", at: nine, lines: ["NINE"] }, { op: "replace", at: two, lines: ["TWO"] }] },
    }[dialect];
    await page.getByLabel("Anchors", { exact: true }).selectOption(dialect);
    await page.locator("#body").fill(JSON.stringify(request));
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator("#verdict.warn").waitFor();
    assert.match(await page.locator("#verdict").innerText(), /Nothing was written/);
    await page.locator("tr.call.refused .badge.warn").waitFor();
    // The first press is a mistake, the second the line that is meant.
    await page.locator("button.choice", { hasText: "three" }).click();
    await page.locator("button.choice").filter({ has: page.locator(".text", { hasText: /^2$/ }) }).press("Enter");
    assert.equal(await page.locator("button.choice[aria-pressed=true]").count(), 1);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator("#verdict.good").waitFor();
    const expected = text.replace("two", "TWO").replace("five", "5\n5a").replace("nine", "NINE");
    assert.equal(readFileSync(server.place("a.txt"), "utf8"), expected, dialect);
    await page.close();
  }
});

test("a stale version is refused, and the request can be made to require the present one", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  const shown = await agent(server.url, server.token, { "Hashline-Dialect": "push" })("/v1/read", { path: PATH });
  const ref = anchorOf(shown, "    let x = 1;");
  const request = { path: PATH, file_hash: "0".repeat(64), edits: [{ type: "replace_line", ref, new_content: "    let x = 6;" }] };
  await page.locator("#body").fill(JSON.stringify(request));
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Require the version" }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator("#verdict.good").waitFor();
  assert.equal(readFileSync(server.place(PATH), "utf8"), MAIN.replace("x = 1", "x = 6"));
});

test("what is not JSON is said to be none, and nothing is sent", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  for (const [typed, said] of [["", /no request/], ["{", /not JSON/], ["[]", /JSON object/]]) {
    await page.locator("#body").fill(typed);
    await page.getByRole("button", { name: "Preview" }).click();
    assert.match(await page.locator("#verdict.bad").innerText(), said);
  }
  assert.equal(await page.locator("tr.call").count(), 0);
});

test("text of files and requests is never markup", async (t) => {
  const evil = "<img src=x onerror=alert(1)><script>alert(1)</script>";
  const server = await serve(t, { "a.html": `${evil}\nsecond\n` });
  const page = await watch(t, browser, server);
  const shown = await server.agent("/v1/read", { path: "a.html" });
  await server.agent("/v1/edit", edited("a.html", anchorOf(shown, "second"), evil));
  await server.agent("/v1/read", { path: evil });
  await page.locator("tr.call").nth(2).waitFor();
  await page.getByRole("button", { name: "Show diffs" }).click();
  assert.match(await page.locator(".diff .add").innerText(), /<img src=x/);
  await page.getByLabel("Path").fill("a.html");
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await page.locator("#lines tr").nth(1).waitFor();
  assert.equal(await page.locator("main img, main script").count(), 0);
});

test("without a token, and with a wrong one, the page says so", async (t) => {
  const server = await serve(t, FILES);
  const page = await open(t, browser, server.url, { allowed: [/status of 401/] });
  assert.match(await page.locator("#gate").innerText(), /needs a token/);
  assert.equal(await page.locator("#page").isVisible(), false);
  await page.getByRole("textbox", { name: "Token" }).fill("no such token");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("does not accept this token").waitFor();
  await page.getByRole("textbox", { name: "Token" }).fill("0".repeat(64));
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("does not accept this token").waitFor();
  await page.getByRole("textbox", { name: "Token" }).fill(server.token);
  await page.getByRole("button", { name: "Open" }).click();
  await page.locator("#connection[data-state=good]").waitFor();
});

test("nothing is stored", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  await server.agent("/v1/read", { path: PATH });
  await page.locator("tr.call").waitFor();
  const stored = await page.evaluate(async () => [localStorage.length, sessionStorage.length, document.cookie, (await caches.keys()).length, (await indexedDB.databases()).length]);
  assert.deepEqual(stored, [0, 0, "", 0, 0]);
  await page.reload();
  assert.match(await page.locator("#gate").innerText(), /needs a token/);
  assert.equal(await page.content().then((html) => html.includes(server.token)), false);
});

test("each token sees its own workspace, and the operator's sees all and reads none", async (t) => {
  const server = await serve(t, FILES, { workspaces: ["alpha", "beta"] });
  const alpha = await watch(t, browser, server);
  const all = await watch(t, browser, server, { token: server.operator });
  assert.equal(await all.locator("#workspace").innerText(), "all workspaces");
  assert.match(await all.locator("#file").innerText(), /open the page with that workspace's token/);
  assert.equal(await all.getByLabel("Path").isVisible(), false);
  await agent(server.url, server.tokens.beta)("/v1/read", { path: PATH });
  await agent(server.url, server.tokens.alpha)("/v1/read", { path: PATH });
  await all.locator("tr.call").nth(1).waitFor();
  assert.match(await all.locator("tr.call").nth(1).innerText(), /beta · read/);
  await alpha.locator("tr.call").waitFor();
  assert.equal(await alpha.locator("tr.call").count(), 1);
});

test("a page of another origin cannot use the server, not even with the token", async (t) => {
  const server = await serve(t, FILES);
  const other = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<!doctype html><title>other</title>"));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const statuses = [];
  page.on("response", (response) => response.url().startsWith(server.url) && statuses.push(response.status()));
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  const tried = await page.evaluate(async ({ url, token }) => {
    const json = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const attempts = [
      [`${url}/v1/read`, { method: "POST", headers: json, body: "{\"path\":\"src/main.rs\"}" }],
      [`${url}/v1/edit`, { method: "POST", mode: "no-cors", body: "{\"path\":\"n\",\"edits\":[{\"op\":\"create\",\"content\":\"x\"}]}" }],
      [`${url}/ui/events`, { headers: { Authorization: `Bearer ${token}` } }],
      [`${url}/`, {}],
    ];
    const found = [];
    for (const [path, options] of attempts) found.push(await fetch(path, options).then((one) => (one.type === "opaque" ? "opaque" : "read"), () => "refused"));
    const loaded = (element) => new Promise((resolve) => {
      element.onload = () => resolve("loaded");
      element.onerror = () => resolve("refused");
      document.head.append(element);
    });
    found.push(await loaded(Object.assign(document.createElement("script"), { src: `${url}/ui/app.js`, type: "module" })));
    found.push(await loaded(Object.assign(document.createElement("script"), { src: `${url}/ui/app.js` })));
    return found;
  }, { url: server.url, token: server.token });
  assert.deepEqual(tried, ["refused", "opaque", "refused", "refused", "refused", "refused"]);
  assert.ok(statuses.every((status) => status === 403 || status === 405), `all were refused: ${statuses}`);
  const frame = await page.evaluate((url) => new Promise((resolve) => {
    const element = Object.assign(document.createElement("iframe"), { src: `${url}/` });
    element.onload = () => resolve(element.contentDocument === null ? "blocked" : "shown");
    document.body.append(element);
  }), server.url);
  assert.equal(frame, "blocked");
  assert.equal(await page.frames().at(-1).locator("#gate").count(), 0, "nothing of the page is in the frame");
});

test("the page connects again by itself after the stream ended", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  server.reload();
  await page.locator("#connection[data-state=bad]").waitFor();
  await page.locator("#connection[data-state=good]").waitFor();
  await server.agent("/v1/read", { path: PATH });
  await page.locator("tr.call").waitFor();
});

test("the page says that the server is gone", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server, { allowed: [/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|network error/] });
  await server.stop();
  await page.locator("#connection", { hasText: "trying again" }).waitFor();
});

test("without --ui there is no page", async (t) => {
  const server = await serve(t, FILES, { ui: false });
  for (const path of ["/", "/ui/app.js", "/ui/events", "/ui/edit"]) {
    assert.equal((await fetch(server.url + path)).status, 404, path);
  }
});

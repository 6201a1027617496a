// How the page looks, and whether everyone can use it: axe, the keyboard, narrow screens, and the pictures of the documentation.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { agent, anchorOf, browse, open, serve, watch } from "./stage.mjs";

/** Where pictures go; without it none are taken. */
const PICTURES = process.env.UI_PICTURES;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

const FILES = {
  "src/main.rs": [
    "use std::collections::BTreeMap;", "", "/// Counts the words of a text.", "fn count(text: &str) -> BTreeMap<&str, usize> {",
    "    let mut words = BTreeMap::new();", "    for word in text.split(' ') {", "        *words.entry(word).or_insert(0) += 1;", "    }", "    words", "}", "",
    "fn main() {", "    let words = count(\"to be or not to be\");", "    println!(\"{words:?}\");", "}", "",
  ].join("\n"),
  "src/config/environment/loader.rs": "pub fn load() {\n    todo!();\n}\n",
  "README.md": "# words\n\nCounts words.\n",
};

let browser;
before(async () => { browser = await browse(); });
after(() => browser.close());

/** What agents do in a minute or two. */
async function traffic(server) {
  const coder = agent(server.url, server.token, { "Hashline-Session": "coder" });
  const tests = agent(server.url, server.token, { "Hashline-Session": "tests" });
  const set = (shown, text, next) => ({ set_line: { anchor: anchorOf(shown, text), new_text: next } });
  const readme = await coder("/v1/read", { path: "README.md" });
  await coder("/v1/search", { pattern: "count" });
  const main = await coder("/v1/read", { path: "src/main.rs" });
  await coder("/v1/edit", { path: "README.md", edits: [set(readme, "Counts words.", "Counts the words of a text, in any language.")] });
  await coder("/v1/edit", { path: "src/main.rs", edits: [{ insert_after: { anchor: anchorOf(main, "use std::collections::BTreeMap;"), text: "use std::env;" } }] });
  await tests("/v1/read", { path: "src/config/environment/loader.rs" });
  await tests("/v1/write", { path: "tests/count.rs", content: "#[test]\nfn counts_words() {\n    assert_eq!(words::count(\"a a\").len(), 1);\n}\n" });
  await tests("/v1/read", { path: "src/missing.rs" });
  const line = "    let words = count(\"to be or not to be\");";
  const stale = { path: "src/main.rs", edits: [set(main, "    for word in text.split(' ') {", "    for word in text.lines() {")] };
  await coder("/v1/edit", { path: "src/main.rs", edits: [
    set(main, line, `${anchorOf(main, line)}|    let words = count(&env::args().nth(1).unwrap_or_default());`),
  ] });
  const path = server.place("src/main.rs");
  writeFileSync(path, readFileSync(path, "utf8").replace("text.split(' ')", "text.split_whitespace()"));
  await coder("/v1/edit", stale);
  const fresh = await coder("/v1/read", { path: "src/main.rs" });
  await coder("/v1/edit", { path: "src/main.rs", edits: [
    set(fresh, "    let mut words = BTreeMap::new();", "    let mut words = BTreeMap::<&str, usize>::new();"),
    set(fresh, "        *words.entry(word).or_insert(0) += 1;", "        *words.entry(word).or_default() += 1;"),
  ] });
  return { stale };
}

/** Shows all that the page can show: an open request with its diff, a file, a stale request with fresh anchors. */
async function fill(page, server) {
  const { stale } = await traffic(server);
  await page.locator("tr.call").nth(11).waitFor();
  await page.locator("tr.call button").first().click();
  await page.getByLabel("Path").fill("src/main.rs");
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await page.locator("#lines tr").first().waitFor();
  await page.locator("#body").fill(JSON.stringify(stale, null, 2));
  await page.getByRole("button", { name: "Preview" }).click();
  await page.locator("button.choice").first().waitFor();
  await page.locator("tr.call").nth(13).waitFor();
  // Nothing has the focus, and nothing more is drawn.
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(0, 0);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForFunction(() => document.querySelectorAll("#plots .mark").length === 17);
}

/** Returns what axe finds, serious or not. The script runs as one of the tools, which the policy of the page does not bind. */
async function axe(page) {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Runtime.evaluate", { expression: AXE });
  const { result, exceptionDetails } = await tools.send("Runtime.evaluate", {
    expression: "axe.run(document, { preload: false }).then(({ violations, passes }) => JSON.stringify({ violations, passes: passes.length }))",
    awaitPromise: true, returnByValue: true,
  });
  assert.equal(exceptionDetails, undefined);
  const { violations, passes } = JSON.parse(result.value);
  assert.ok(passes > 20, `axe has looked: ${passes} rules passed`);
  return violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

/** Takes a picture for the documentation, if pictures are wanted. */
async function picture(of, name) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await of.screenshot({ path: join(PICTURES, `${name}.png`) });
}

async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`${size}, ${colorScheme}: axe finds nothing, and nothing is wider than the screen`, async (t) => {
      const server = await serve(t, FILES);
      const phone = { deviceScaleFactor: 2, hasTouch: true, isMobile: true };
      const options = { viewport, colorScheme, locale: "en-GB", timezoneId: "UTC", ...(size === "phone" ? phone : {}) };
      const page = await watch(t, browser, server, options);
      assert.deepEqual(await axe(page), [], "before the first request");
      await fill(page, server);
      assert.deepEqual(await axe(page), []);
      assert.equal(await overflow(page), 0);
      await picture(page, `ui-${size}-${colorScheme}`);
      if (size === "desktop" && colorScheme === "light") await picture(page.locator("#request"), "ui-stale");
      const gate = await open(t, browser, server.url, options);
      assert.deepEqual(await axe(gate), [], "without a token");
    });
  }
}

test("axe finds what is planted", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  await page.evaluate(() => {
    document.querySelector("label[for=path]").remove();
    document.querySelector("#path").removeAttribute("placeholder");
    document.querySelector("#nothing").style.color = "#c8ccd4";
  });
  const found = (await axe(page)).join("\n");
  assert.match(found, /critical: label: #path/);
  assert.match(found, /serious: color-contrast: #nothing/);
});

test("at 320 pixels, and with text of twice the size, nothing is wider than the screen", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server, { viewport: { width: 320, height: 640 } });
  await fill(page, server);
  assert.equal(await overflow(page), 0);
  await page.setViewportSize({ width: 640, height: 800 });
  await page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });
  assert.equal(await overflow(page), 0);
});

test("all can be done by keyboard, in the order of the page, and the focus is seen", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  const shown = await server.agent("/v1/read", { path: "README.md" });
  await server.agent("/v1/edit", { path: "README.md", edits: [{ set_line: { anchor: anchorOf(shown, "# words"), new_text: "# Words" } }] });
  await page.locator("tr.call").nth(1).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "live");
  const seen = [];
  for (let step = 0; step < 16; step += 1) {
    await page.keyboard.press("Tab");
    seen.push(await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      const name = document.activeElement.id || document.activeElement.className || document.activeElement.textContent;
      return `${name}${outlineStyle === "none" || outlineWidth === "0px" ? " without a visible focus" : ""}`;
    }));
    if (seen.at(-1) === "call") await page.keyboard.press("Enter");
  }
  assert.deepEqual(seen, [
    "filter", "pause", "unfold", "call", "diff", "Open in the file view", "call", "Open in the file view", "path", "from", "dialect", "primary", "body",
    "session", "primary", "apply",
  ]);
});

test("new requests are announced, not too often", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  const announced = page.evaluate(() => new Promise((resolve) => {
    const said = [];
    new MutationObserver(() => {
      said.push(document.getElementById("news").textContent);
      if (said.reduce((sum, text) => sum + parseInt(text, 10), 0) === 20) resolve(said);
    }).observe(document.getElementById("news"), { childList: true });
  }));
  for (let count = 0; count < 20; count += 1) await server.agent("/v1/read", { path: "README.md" });
  const said = await announced;
  assert.ok(said.length < 10, `${said.length} announcements`);
  for (const text of said) assert.match(text, /^\d+ new requests?\. Latest: README\.md, read\.$/);
});

test("while the table is paused nothing is lost", async (t) => {
  const server = await serve(t, FILES);
  const page = await watch(t, browser, server);
  await page.getByRole("button", { name: "Pause" }).click();
  for (let count = 0; count < 3; count += 1) await server.agent("/v1/read", { path: "README.md" });
  await page.getByText("3", { exact: true }).first().waitFor();
  assert.equal(await page.locator("tr.call").count(), 0);
  await page.getByRole("button", { name: "Pause" }).click();
  assert.equal(await page.locator("tr.call").count(), 3);
});

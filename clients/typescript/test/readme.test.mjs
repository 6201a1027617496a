// The examples of README.md have the right types, and print what it says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import ts from "typescript";

import { serve } from "./service.mjs";

const here = (name) => new URL(name, import.meta.url).pathname;
const readme = readFileSync(here("../README.md"), "utf8");
const blocks = (kind) => [...readme.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"))].map(([, block]) => block);

it("the examples are right as they stand", async () => {
  const home = mkdtempSync(join(tmpdir(), "hashline-readme-"));
  mkdirSync(join(home, "node_modules"));
  symlinkSync(here(".."), join(home, "node_modules/hashline-client"));
  const server = await serve(process.env.HASHLINE_BIN, home);
  try {
    assert.deepEqual(blocks("ts").length, blocks("text").length);
    const source = `declare const process: { env: Record<string, string | undefined> };\n${blocks("ts").join("\n")}`;
    writeFileSync(join(home, "example.mts"), source);
    const options = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      types: [],
      strict: true,
    };
    const program = ts.createProgram([join(home, "example.mts")], options);
    const wrong = ts.getPreEmitDiagnostics(program).map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"));
    assert.deepEqual(wrong, []);
    program.emit();
    const env = { HASHLINE_URL: server.url, HASHLINE_TOKEN: server.token };
    const printed = execFileSync(process.execPath, [join(home, "example.mjs")], { env, encoding: "utf8" });
    assert.equal(printed.trim(), blocks("text").join("").trim());
  } finally {
    await server.end();
    rmSync(home, { recursive: true, force: true });
  }
});

it("every kind of error is in the table", () => {
  const rows = [...readme.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell.match(/\w+/g));
  const source = readFileSync(here("../src/errors.ts"), "utf8");
  const own = [...source.matchAll(/error: "(\w+)"/g)].map(([, name]) => name);
  for (const name of [...own, "STALE_FILE", "edit_disabled"]) assert.ok(rows.includes(name), name);
});

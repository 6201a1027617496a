// What is made from the program is as this program makes it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { prompts, types } from "../generate.mjs";
import { serve } from "./service.mjs";

const source = (name) => readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8");

it("the types are those of the document that the service hands out", async () => {
  const home = mkdtempSync(join(tmpdir(), "hashline-types-"));
  const server = await serve(process.env.HASHLINE_BIN, home);
  try {
    assert.equal(source("openapi.ts"), await types(server), "run generate.mjs");
  } finally {
    await server.end();
    rmSync(home, { recursive: true, force: true });
  }
});

it("the prompts are those that the program prints", () => {
  assert.equal(source("prompts.ts"), prompts(process.env.HASHLINE_BIN), "run generate.mjs");
});

// Writes the files that are made from the program: the types from its OpenAPI document, and its prompts.
//
// node generate.mjs --hashline PROGRAM [--scratch FOLDER]
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import openapiTS, { astToString } from "openapi-typescript";

import { serve } from "./test/service.mjs";

const GENERATED = "// Made by generate.mjs from the program: do not edit.\n";
const PROMPTS = [
  ["SANDBOX_TOOL_PROTOCOL", "The tools of a sandbox, for an agent that is taught them in its own words."],
  ["CODER_SYSTEM_PROMPT", "How an agent carries out a task with the tools of a sandbox; contains `SANDBOX_TOOL_PROTOCOL`."],
];

/** Returns the text of `src/openapi.ts`, from the document that a running server hands out. */
export async function types({ url, token }) {
  const response = await fetch(`${url}/openapi.json`, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`/openapi.json: ${response.status}`);
  return GENERATED + astToString(await openapiTS(await response.json(), { alphabetize: true }));
}

/** Returns the text of `src/prompts.ts`. */
export function prompts(hashline) {
  const one = ([name, about]) => {
    const text = execFileSync(hashline, ["prompt", "--name", name], { encoding: "utf8" });
    return `\n/** ${about} */\nexport const ${name} = ${JSON.stringify(text)};\n`;
  };
  return GENERATED + PROMPTS.map(one).join("");
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { values } = parseArgs({ options: { hashline: { type: "string" }, scratch: { type: "string", default: tmpdir() } } });
  const server = await serve(values.hashline, mkdtempSync(join(values.scratch, "generate-")));
  try {
    const here = (name) => new URL(`src/${name}`, import.meta.url);
    writeFileSync(here("openapi.ts"), await types(server));
    writeFileSync(here("prompts.ts"), prompts(values.hashline));
  } finally {
    await server.end();
  }
}

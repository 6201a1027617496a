// Runs every client over every way, and counts.
//
// node run.mjs --hashline PROGRAM --scratch FOLDER --python PYTHON [--only PART-OF-A-NAME] [CLIENT ...]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const here = (name) => new URL(name, import.meta.url).pathname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hashline: { type: "string" },
    scratch: { type: "string" },
    python: { type: "string", default: "python3" },
    only: { type: "string", default: "" },
  },
});

const RUNNERS = [
  { client: "ts", over: "stdio", command: [process.execPath, here("ts.mjs")] },
  { client: "ts", over: "http", command: [process.execPath, here("ts.mjs")] },
  { client: "python", over: "stdio", command: [values.python, here("python.py")] },
  { client: "python", over: "http", command: [values.python, here("python.py")] },
  { client: "inspector", over: "stdio", command: [process.execPath, here("inspector.mjs")] },
  { client: "inspector", over: "http", command: [process.execPath, here("inspector.mjs")] },
  { client: "ts", over: "stdio", command: [process.execPath, here("ts.mjs")], control: true },
  { client: "python", over: "stdio", command: [values.python, here("python.py")], control: true },
  { client: "inspector", over: "stdio", command: [process.execPath, here("inspector.mjs")], control: true },
  { client: "conformance", over: "http", command: [process.execPath, here("conformance.mjs")] },
];

/**
 * Runs one, and returns how many of its cases passed and failed. One that ends badly without saying why has failed once more. A control is
 * made of cases that must fail.
 */
async function run({ client, over, command: [program, ...args], control }) {
  const began = Date.now();
  const scratch = join(values.scratch, `${client}-${over}`);
  const table = control ? ["--table", here("controls.json")] : [];
  const words = [...args, "--hashline", values.hashline, "--scratch", scratch, "--over", over, "--only", values.only, ...table];
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const [good, bad] = control ? ["FAIL ", "ok "] : ["ok ", "FAIL "];
  const count = { passed: 0, failed: 0 };
  const exit = once(child, "exit");
  const name = `${client} over ${over}${control ? ", what must fail" : ""}`;
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith(good)) count.passed += 1;
    else console.log(`${name}: ${line}`);
    if (line.startsWith(bad)) count.failed += 1;
  }
  const [code] = await exit;
  const wanted = control ? 1 : 0;
  if (code !== wanted && count.failed === 0) count.failed += 1;
  console.log(`${name}: ${count.passed} passed, ${count.failed} failed, ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return count;
}

const isWanted = ({ client, control }) =>
  (positionals.length === 0 || positionals.includes(client)) && !(control && values.only);
const wanted = RUNNERS.filter(isWanted);
rmSync(values.scratch, { recursive: true, force: true });
const counts = [];
for (const runner of wanted) counts.push(await run(runner));
const sum = (key) => counts.reduce((all, count) => all + count[key], 0);
const [passed, failed] = [sum("passed"), sum("failed")];
console.log(`${passed} passed, ${failed} failed`);
// A run of nothing proves nothing.
process.exit(failed === 0 && passed > 0 ? 0 : 1);

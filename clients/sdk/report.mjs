// One line for each case: `ok NAME`, or `FAIL NAME: why`.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const CASES = new URL("cases.json", import.meta.url).pathname;

/** The arguments that every runner takes. */
export function asked() {
  const { values } = parseArgs({
    options: {
      hashline: { type: "string" },
      scratch: { type: "string" },
      over: { type: "string", default: "stdio" },
      only: { type: "string", default: "" },
      table: { type: "string", default: CASES },
    },
  });
  return values;
}

/** The cases, and the texts they speak of by name. */
export function table() {
  return JSON.parse(readFileSync(asked().table));
}

/** Whether these are the real cases: cases that are made to fail are run without those that only one client can play. */
export function isReal() {
  return asked().table === CASES;
}

/** A case that takes so long hangs. */
const HANGS = 120_000;

function inTime(running) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), HANGS);
  });
  return Promise.race([running, late]).finally(() => clearTimeout(timer));
}

/** Runs cases, so many at once, and ends the program with what came of them. */
export async function report(tests, atOnce, run) {
  const { only } = asked();
  const left = tests.filter((test) => test.name.includes(only));
  let failed = 0;
  const worker = async () => {
    for (let test; (test = left.shift()); ) {
      try {
        await inTime(run(test));
        console.log(`ok ${test.name}`);
      } catch (error) {
        failed += 1;
        console.log(`FAIL ${test.name}: ${error.message.replaceAll("\n", "\\n")}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  process.exit(failed ? 1 : 0);
}

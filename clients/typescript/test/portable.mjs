// Runs the cases in the runtime that runs this file, and prints what became of them as a line of JSON. What they are given comes as an argument.
import * as api from "../dist/index.js";
import * as push from "../dist/push.js";
import { CASES, CONTROL, run } from "./cases.mjs";

const given = JSON.parse(process.argv[2]);
const failed = await run(CASES, given, api, push);
const control = await run(CONTROL, given, api, push);
const runtime = globalThis.Bun ? `Bun ${Bun.version}` : `Node ${process.version}`;
console.log(JSON.stringify({ runtime, ran: Object.keys(CASES), failed, control }));

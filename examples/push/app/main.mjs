// Runs one task: node app/main.mjs
// Environment: WORKER_URL, APP_TOKEN, SANDBOX_ID.
import { runCoder } from "./coder.mjs";
import { model } from "./scripted-model.mjs";

const { WORKER_URL: url = "http://127.0.0.1:8787", APP_TOKEN: token, SANDBOX_ID: sandboxId = "main" } = process.env;
const sandbox = { url, token, sandboxId, session: crypto.randomUUID(), task: crypto.randomUUID() };

const show = (card) => {
  console.log(`${card.ok ? "ok" : card.error}: ${card.tool} ${card.path}`);
  console.log(card.diff ?? card.content ?? card.message);
};
const { said } = await runCoder({ task: 'Let hello() in hello.ts return "moon".', model, sandbox, show });
console.log(said);

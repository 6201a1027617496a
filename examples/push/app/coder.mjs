// The Coder: a loop in which a model reads and edits files of a sandbox with the tools of CODER_SYSTEM_PROMPT.
import { CODER_SYSTEM_PROMPT, executeSandboxToolCall, validateSandboxToolCall } from "hashline-client/push";

/** How many calls one task may take. */
const MAX_ROUNDS = 20;

/**
 * Carries out a task. `model` gets the messages so far and returns the next one; `sandbox` says where the worker is and which sandbox is meant;
 * `show` gets a card of each call, for the person who watches. Returns what the model said at the end.
 */
export async function runCoder({ task, model, sandbox, show }) {
  const context = { ...sandbox, role: "coder", versions: new Map() };
  const messages = [
    { role: "system", content: CODER_SYSTEM_PROMPT },
    { role: "user", content: task },
  ];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const said = await model(messages);
    messages.push({ role: "assistant", content: said });
    const block = /```json\n(.*?)\n```/s.exec(said)?.[1];
    if (block === undefined) return { said, messages };
    messages.push({ role: "user", content: await callTool(block, context, show) });
  }
  return { said: `No end after ${MAX_ROUNDS} rounds.`, messages };
}

/** Carries out a call that the model wrote, and returns what the model is told. */
async function callTool(block, context, show) {
  const checked = validateSandboxToolCall(parse(block));
  if (!checked.ok) return `${checked.error}: ${checked.message}`;
  const { text, card } = await executeSandboxToolCall(checked.call, context);
  show(card);
  return text;
}

/** Parses a call; `undefined` if it is not JSON, which is no call. */
function parse(block) {
  try {
    return JSON.parse(block);
  } catch {
    return undefined;
  }
}

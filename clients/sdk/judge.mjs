// Walks through a case with whatever client makes the calls, and throws where something is not as it must be.
import { lines } from "./stage.mjs";

/** Runs a case. `call(tool, args)` resolves to `{ isError, text, result }`, or to `{ protocol, text }` for an error of the protocol. */
export async function judge(test, stage, call) {
  const taken = {};
  for (const [at, step] of test.steps.entries()) {
    try {
      await walk(test, step, stage, call, taken);
    } catch (error) {
      error.message = `step ${at + 1}: ${error.message}`;
      throw error;
    }
  }
  stage.check(test.after);
}

async function walk(test, step, stage, call, taken) {
  if (step.write) stage.make(step.write);
  if (step.after) stage.check(step.after);
  if (!step.tool) return;
  const answer = await call(step.tool, filled(step.arguments, taken));
  shape(answer, step);
  words(answer.text, step, stage);
  for (const [name, pattern] of Object.entries(step.take ?? {})) {
    const found = answer.text.match(new RegExp(pattern, "m"));
    if (!found) throw new Error(`${pattern} takes nothing from: ${answer.text}`);
    taken[name] = found[1];
  }
  if (step.shows) await follow(step.shows, test.files[step.shows.file], answer, call);
}

/** A result is one text and nothing beside it, and is an error if it must be. */
function shape(answer, step) {
  if (answer.protocol !== step.protocol) throw new Error(`the protocol says ${answer.protocol}: ${answer.text}`);
  if (answer.protocol !== undefined) return;
  if (answer.isError !== (step.error ?? false)) throw new Error(`isError is ${answer.isError}: ${answer.text}`);
  const { content, structuredContent } = answer.result;
  if (structuredContent !== undefined) throw new Error("there is structured content");
  if (content.length !== 1 || content[0].type !== "text") throw new Error("it is not one text");
}

function words(text, step, stage) {
  if (step.text !== undefined && text !== stage.text(step.text)) throw new Error(`it says: ${text}`);
  for (const pattern of step.match ?? []) {
    if (!new RegExp(pattern, "m").test(text)) throw new Error(`${pattern} is not in: ${text}`);
  }
  for (const pattern of step.lacks ?? []) {
    if (new RegExp(pattern, "m").test(text)) throw new Error(`${pattern} is in: ${text}`);
  }
}

/** Goes on with the call that each answer names, to the end: all lines must have been shown, each once. */
async function follow(shows, file, answer, call) {
  let pages = 1;
  const shown = shownLines(answer.text);
  for (;;) {
    const next = answer.text.match(/^Next: read (\{.*\})$/m);
    if (!next) break;
    answer = await call("read", JSON.parse(next[1]));
    shown.push(...shownLines(answer.text));
    if (++pages > 50) throw new Error("it never ends");
  }
  if (pages < shows.pages) throw new Error(`${pages} pages`);
  const wanted = lines(file, shows.first, shows.last);
  if (JSON.stringify(shown) !== JSON.stringify(wanted)) throw new Error(`it shows ${shown.length} lines, not ${wanted.length}`);
}

function shownLines(text) {
  return [...text.matchAll(/^\d+:[0-9a-f]+\|(.*)$/gm)].map((line) => line[1]);
}

/** Puts in what was taken from earlier answers. */
function filled(value, taken) {
  return JSON.parse(JSON.stringify(value).replace(/\$\{(\w+)\}/g, (_, name) => taken[name]));
}

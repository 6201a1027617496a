// hashline for pi: `read` with an anchor on every line and `apply_hash` to change files by anchors, in place of the built-in `read`, `edit` and
// `write`, and a guard for the shell.
//
// Belongs into `.pi/extensions/` of a project or `~/.pi/agent/extensions/`; `hashline setup pi` puts it there.
// Off switches: the environment variable `HASHLINE_HOOK=off`, or a file `.hashline-off` in the project; they are looked at with every call, and while
// one of them is on, pi's own tools are there. Who starts pi with one of them turns hashline on with `/reload`.
// If the program is missing, pi keeps its own tools and says so.

import { extname } from "node:path";
import type { ExtensionAPI, ExtensionContext, Theme, ToolRenderResultOptions } from "@earendil-works/pi-coding-agent";
import { createReadTool, keyHint } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

import { DIALECT, learn, objection, offBy, readPages, rootOf, run, send } from "../shared.js";

const SPOKEN = ["--dialect", DIALECT || "pi"];

/** The tool that changes files here. */
const EDITOR = "apply_hash";

/** The tools that are taken away: files are changed by `apply_hash`. */
const REPLACED = ["edit", "write"];

/** An answer with more lines is shown to the person as one line, until they open it. */
const COLLAPSE_LINES = 12;

/** What models see as a picture is left to the built-in tool. */
const PICTURES = [".png", ".jpg", ".jpeg", ".gif", ".webp"];

interface ReadInput {
  path?: string;
  paths?: string[];
  offset?: number;
  limit?: number;
  search?: string;
  regex?: boolean;
  caseSensitive?: boolean;
  contextBefore?: number;
  contextAfter?: number;
  maxMatches?: number;
}

/** What the program says of edits: their shape, and how to make them. */
interface Taught {
  schema: Record<string, unknown>;
  prompt: string;
}

/** What the person sees of an answer while it is closed. */
interface Details {
  summary: string;
}

export default async function hashline(pi: ExtensionAPI) {
  if (offBy(process.cwd())) return;
  let taught: Taught;
  try {
    taught = await learn(process.cwd(), SPOKEN);
  } catch (problem) {
    const told = `${(problem as Error).message}; the built-in tools stay`;
    pi.on("session_start", (_event, ctx) => (ctx.hasUI ? ctx.ui.notify(`hashline: ${told}`, "error") : console.error(`hashline: ${told}`)));
    return;
  }
  registerRead(pi);
  registerApply(pi, taught);
  const settle = switchTools(pi);
  pi.on("session_start", (_event, ctx) => settle(ctx));
  pi.on("before_agent_start", (_event, ctx) => settle(ctx));
  pi.on("turn_start", (_event, ctx) => settle(ctx));
  pi.on("tool_call", async (event, ctx) => {
    if (offBy(ctx.cwd)) return undefined;
    if (REPLACED.includes(event.toolName)) {
      return { block: true, reason: `Nothing was written. ${event.toolName} is turned off here: change files with the tool ${EDITOR}.` };
    }
    return event.toolName === "bash" ? guard(String(event.input.command ?? ""), ctx) : undefined;
  });
}

/** Returns what gives the model our editor or pi's own, as the off switches are. */
function switchTools(pi: ExtensionAPI) {
  // Only what was taken away is given back: a person may have taken away some themselves.
  let away: string[] = [];
  return (ctx: ExtensionContext) => {
    const active = pi.getActiveTools();
    const unwanted = offBy(ctx.cwd) ? [EDITOR] : REPLACED;
    const leaving = active.filter((name) => unwanted.includes(name));
    const coming = away.filter((name) => !unwanted.includes(name) && !active.includes(name));
    // Not without need: other tools are another prompt, and what a provider has cached of it is lost.
    if (leaving.length + coming.length === 0) return;
    away = [...away.filter((name) => !coming.includes(name)), ...leaving];
    pi.setActiveTools([...active.filter((name) => !leaving.includes(name)), ...coming]);
  };
}

function registerRead(pi: ExtensionAPI) {
  pi.registerTool({
    name: "read",
    label: "read",
    description:
      "Read files, or parts of them. Every line is shown with an anchor (`12:a3|text`), and the first line of each file names its revision, `rev`: apply_hash takes both. Of a big file read a part (offset, limit), or only the lines that hold a text (search). Also shows pictures (jpg, png, gif, webp).",
    promptSnippet: "Read files with an anchor on every line",
    promptGuidelines: ["Use read to look at files instead of cat or sed; copy its anchors and rev into apply_hash."],
    parameters: READ_PARAMETERS,
    async execute(id, input, signal, onUpdate, ctx) {
      const paths = pathsOf(input);
      if (paths.length === 0) throw new Error("Nothing was read: path is missing.");
      const by = offBy(ctx.cwd);
      if (by && input.search) throw new Error(`Nothing was read: hashline is turned off by ${by}, and a search needs it. Read without search.`);
      const isPicture = paths.length === 1 && PICTURES.includes(extname(paths[0]).toLowerCase());
      if (by || isPicture) {
        const { offset, limit } = input;
        const own = createReadTool(ctx.cwd);
        return readEach(paths, (path) => own.execute(id, { path, offset, limit }, signal, onUpdate as never)) as never;
      }
      const text = await readPages(input, paths, ([command, ...rest]: string[]) => run([command, ...SPOKEN, ...rest], { ...place(ctx), signal }));
      const lines = text.split("\n");
      return {
        content: [{ type: "text" as const, text }],
        details: { summary: paths.length === 1 ? lines[0] : `${paths.length} files, ${lines.length} lines` },
      };
    },
    renderCall: (input: ReadInput, theme) => call("read", pathsOf(input).join(", ") + (input.search ? ` for ${input.search}` : ""), theme),
    renderResult: closed,
  });
}

function registerApply(pi: ExtensionAPI, taught: Taught) {
  const { title: _title, ...schema } = taught.schema;
  pi.registerTool({
    name: EDITOR,
    label: EDITOR,
    description: taught.prompt.replaceAll("`edit`", `\`${EDITOR}\``),
    promptSnippet: "Change, make, move and delete files by anchors, all or nothing",
    promptGuidelines: ["Use apply_hash for every change of a file; no shell command may change one."],
    parameters: Type.Unsafe<Record<string, unknown>>(schema),
    async execute(_id, input, signal, _onUpdate, ctx) {
      const by = offBy(ctx.cwd);
      if (by) throw new Error(`Nothing was written: hashline is turned off by ${by}. Without that it works again; until then use edit and write.`);
      // What it throws pi marks as an error.
      const text = await send(SPOKEN, { ...place(ctx), signal, input: JSON.stringify(input) });
      return { content: [{ type: "text" as const, text }], details: { summary: text.split("\n")[0] } };
    },
    renderCall: (input: Record<string, unknown>, theme) => call(EDITOR, filesOf(input), theme),
    renderResult: closed,
  });
}

const READ_PARAMETERS = Type.Object({
  path: Type.Optional(Type.String({ description: "The file." })),
  paths: Type.Optional(Type.Array(Type.String(), { description: "Several files at once, instead of path." })),
  offset: Type.Optional(Type.Integer({ description: "The first line, counted from 1." })),
  limit: Type.Optional(Type.Integer({ description: "How many lines at most." })),
  search: Type.Optional(Type.String({ description: "Show only lines that hold this text." })),
  regex: Type.Optional(Type.Boolean({ description: "Take the text as a regular expression." })),
  caseSensitive: Type.Optional(Type.Boolean({ description: "Tell upper from lower case." })),
  contextBefore: Type.Optional(Type.Integer({ description: "How many lines to show before each match." })),
  contextAfter: Type.Optional(Type.Integer({ description: "How many lines to show after each match." })),
  maxMatches: Type.Optional(Type.Integer({ description: "How many matching lines of a file at most (200 unless given)." })),
});

/** Reads files one by one, as pi's own tool does, which takes one path. */
async function readEach(paths: string[], read: (path: string) => Promise<{ content: { type: string; text?: string }[] }>) {
  if (paths.length === 1) return read(paths[0]);
  const parts = [];
  for (const path of paths) {
    const { content } = await read(path).catch((problem: Error) => ({ content: [{ type: "text", text: problem.message }] }));
    parts.push(`--- ${path} ---`, ...content.map((part) => part.text ?? "(a picture: read it alone)"));
  }
  return { content: [{ type: "text", text: parts.join("\n").trimEnd() }], details: { summary: `${paths.length} files` } };
}

function pathsOf(input: ReadInput): string[] {
  const paths = input.paths?.length ? input.paths : input.path ? [input.path] : [];
  // Some models write a path as people mention files.
  return paths.map((path) => path.replace(/^@/, ""));
}

/** Stops a shell command that goes past the editor. Whatever goes wrong here lets it pass. */
async function guard(command: string, ctx: ExtensionContext) {
  const root = rootOf(ctx.cwd);
  const reason = await objection(command, { ...place(ctx), root, editor: EDITOR }).catch((problem: Error) => {
    if (ctx.hasUI) ctx.ui.notify(`hashline: the shell guard did not answer, the command passes: ${problem.message}`, "warning");
  });
  return reason ? { block: true, reason } : undefined;
}

/** Says where a call is, and in whose name. */
function place(ctx: ExtensionContext) {
  return { cwd: ctx.cwd, session: `pi-${ctx.sessionManager.getSessionId()}` };
}

function filesOf(input: Record<string, unknown>): string {
  const operations = Array.isArray(input.patch) ? (input.patch as { path?: string; from?: string }[]) : [];
  const named = operations.map((operation) => operation?.path ?? operation?.from ?? input.path);
  return [...new Set(named.filter(Boolean))].join(", ");
}

function call(tool: string, what: string, theme: Theme) {
  return new Text(`${theme.fg("toolTitle", theme.bold(tool))} ${theme.fg("accent", what)}`, 0, 0);
}

/** Shows a long answer as its first line, until the person opens it. */
function closed(
  result: { content: { type: string; text?: string }[]; details?: unknown },
  { expanded }: ToolRenderResultOptions,
  theme: Theme,
) {
  const text = result.content.map((part) => part.text ?? "").join("\n");
  const lines = text.split("\n");
  if (expanded || lines.length <= COLLAPSE_LINES) return new Text(lines.map((line) => theme.fg("toolOutput", line)).join("\n"), 0, 0);
  const summary = (result.details as Details | undefined)?.summary ?? lines[0];
  return new Text(
    `${theme.fg("toolOutput", summary)} ${theme.fg("muted", `(${lines.length} lines, ${keyHint("app.tools.expand", "to expand")})`)}`,
    0,
    0,
  );
}

// hashline for OpenCode: `read`, `edit` and `write` that work by anchors, in place of the built-in tools of these names, and a guard for the shell.
//
// Belongs into `.opencode/plugins/` of a project or `~/.config/opencode/plugins/`; `hashline setup opencode` puts it there. All the work is
// done by the program `hashline` (`HASHLINE_BIN` names another), which gets its input through a pipe and never through a shell.
// Off switches: the environment variable `HASHLINE_HOOK=off`, or a file `.hashline-off` in the project; both are read when OpenCode starts.
// If the program is missing, OpenCode keeps its own tools, and the log says so.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, extname, isAbsolute, join, relative, resolve } from "node:path";

// `hashline setup` writes the program and the dialect it was told into these two lines.
const HASHLINE = "hashline";
const DIALECT = "";

const PROGRAM = process.env.HASHLINE_BIN || HASHLINE;
const SPOKEN = DIALECT ? ["--dialect", DIALECT] : [];

// OpenCode cuts answers at 2,000 lines or 50 KiB; a page stays below, so that it is we who say how to go on.
const PAGE_LINES = 1500;
const PAGE_BYTES = 48 * 1024;

// The guard is advice: a shell command does not wait for it longer than this.
const GUARD_MS = 2000;
const CALL_MS = 60_000;

// What models see as a picture or a document is handed on whole, as the built-in tool does.
const MEDIA = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
};

// Tools of other versions that edit files; where they exist, they are stopped.
const OTHER_EDITORS = ["patch", "multiedit"];

export const Hashline = async ({ client, directory, worktree }) => {
  const root = worktree && worktree !== "/" ? worktree : directory;
  if (isOff(directory, root)) return {};
  const log = (level, message) => client?.app?.log?.({ body: { service: "hashline", level, message } })?.catch?.(() => {});
  let taught;
  try {
    taught = await learn(directory);
  } catch (problem) {
    log("error", `${problem.message}; the built-in tools stay`);
    return {};
  }
  const editor = (name) => ({ description: taught.prompt.replaceAll("`edit`", `\`${name}\``), schema: taught.edit, execute: editAs(name) });
  const tools = {
    read: { description: READ, schema: READ_SCHEMA, execute: read },
    edit: editor("edit"),
    write: { description: WRITE, schema: WRITE_SCHEMA, execute: write },
    // OpenCode offers GPT models this one instead of `edit` and `write`.
    apply_patch: editor("apply_patch"),
  };
  // Which of the two names the model of a session knows.
  const editors = new Map();
  return {
    tool: Object.fromEntries(
      Object.entries(tools).map(([name, { description, execute }]) => [
        name,
        { description, args: {}, execute: (args, context) => execute(args ?? {}, place(context, root)) },
      ]),
    ),
    // Schemas are given here and not as `args`, which would make every field a required one.
    "tool.definition": async ({ toolID }, definition) => {
      if (tools[toolID]) definition.jsonSchema = tools[toolID].schema;
    },
    "chat.params": async ({ sessionID, model }) => {
      editors.set(sessionID, editorFor(model?.id ?? ""));
    },
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      if (OTHER_EDITORS.includes(tool))
        throw new Error(`Nothing was written. ${tool} is turned off here: change files with the tool edit.`);
      if (tool === "bash") await guard(args, { directory, root, log, editor: editors.get(sessionID) ?? "edit" });
    },
  };
};

const READ = `Reads a file, or a part of it. Every line is shown with an anchor (\`12:a3|text\`), and the first line names the revision, \`rev\`: the tool edit takes both. Of a big file read a part (offset, limit), or only the lines that hold a text (search). Also lists folders and shows pictures.`;

const WRITE = `Makes a new file with this content, folders included. A file that is there already is replaced only with the \`rev\` that read showed, and only if nobody has changed it since. To change lines use the tool edit.`;

const READ_SCHEMA = {
  type: "object",
  properties: {
    filePath: { type: "string", description: "The file." },
    paths: { type: "array", items: { type: "string" }, description: "Several files at once, instead of filePath." },
    offset: { type: "integer", description: "The first line, counted from 1." },
    limit: { type: "integer", description: `How many lines at most (${PAGE_LINES} unless given).` },
    search: { type: "string", description: "Show only lines that hold this text." },
    regex: { type: "boolean", description: "Take the text as a regular expression." },
    caseSensitive: { type: "boolean", description: "Tell upper from lower case." },
    contextBefore: { type: "integer", description: "How many lines to show before each match." },
    contextAfter: { type: "integer", description: "How many lines to show after each match." },
  },
};

const WRITE_SCHEMA = {
  type: "object",
  properties: {
    filePath: { type: "string", description: "The file to make." },
    content: { type: "string", description: "Its content, exactly, without anchors." },
    rev: { type: "string", description: "The revision that read showed, to replace a file that exists." },
  },
  required: ["filePath", "content"],
};

/** Returns the editor that OpenCode offers to a model. */
function editorFor(model) {
  const patches = model.includes("gpt-") && !model.includes("oss") && !model.includes("gpt-4");
  return patches ? "apply_patch" : "edit";
}

/** Says whether hashline is turned off for this project. */
function isOff(directory, root) {
  if (process.env.HASHLINE_HOOK === "off") return true;
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".hashline-off"))) return true;
    if (folder === root || folder === dirname(folder)) return false;
  }
}

/** Asks the program for the schema of an edit and the instructions; throws if it cannot be started. */
async function learn(cwd) {
  const [schema, prompt] = await Promise.all([
    hashline(["schema", "--tool", "edit", ...SPOKEN], { cwd }),
    hashline(["prompt", "--agent", "tools", ...SPOKEN], { cwd }),
  ]);
  if (schema.code !== 0 || prompt.code !== 0) throw new Error(`${PROGRAM} does not answer: ${schema.stderr || prompt.stderr}`);
  const { title, description, ...rest } = JSON.parse(schema.stdout);
  return {
    edit: { ...rest, required: [...new Set([...(rest.required ?? []), ...(rest.properties.rev ? ["rev"] : [])])] },
    prompt: prompt.stdout,
  };
}

/** What a call needs to know about where it is. */
function place(context, root) {
  const cwd = context.directory;
  return {
    cwd,
    session: `opencode-${context.sessionID}`,
    signal: context.abort,
    absolute: (path) => (isAbsolute(path) ? path : resolve(cwd, path)),
    /** Asks the person, or the rules they have set, as the built-in tools do. */
    async ask(permission, path, metadata = {}) {
      const file = isAbsolute(path) ? path : resolve(cwd, path);
      const inside = relative(root, file);
      if (inside.startsWith("..") || isAbsolute(inside)) {
        const folder = join(dirname(file), "*");
        await context.ask({ permission: "external_directory", patterns: [folder], always: [folder], metadata: { filepath: file } });
      }
      await context.ask({ permission, patterns: [inside || "."], always: ["*"], metadata: { filepath: file, ...metadata } });
    },
  };
}

async function read(args, at) {
  const paths = args.paths?.length ? args.paths : [args.filePath ?? args.path].filter(Boolean);
  if (paths.length === 0) throw new Error("Nothing was read: filePath is missing.");
  for (const path of paths) await at.ask("read", path);
  if (paths.length === 1) {
    const other = await notText(paths[0], at);
    if (other) return other;
  }
  const options = args.search ? searchOptions(args) : ["--start-line", String(Math.max(1, args.offset ?? 1))];
  const limit = Math.min(args.limit ?? PAGE_LINES, PAGE_LINES);
  const page = (lines) =>
    hashline(["read", ...SPOKEN, "--header", ...options, ...(args.search ? [] : ["--lines", String(lines)]), "--", ...paths], at);
  let shown = await page(limit);
  const fitting = linesWithin(shown.stdout, PAGE_BYTES);
  // Asked again, so that the header and the record of what was shown are about these lines only.
  if (!args.search && fitting < limit && shown.stdout.length > PAGE_BYTES)
    shown = await page(Math.max(1, Math.floor(fitting / paths.length)));
  const told = [shown.stdout, shown.stderr].filter(Boolean).join("\n").trimEnd();
  if (shown.code !== 0 && !shown.stdout) throw new Error(told);
  return {
    title: paths.join(", "),
    output: told + goOn(shown.stdout, paths),
    metadata: { preview: told.split("\n").slice(0, 20).join("\n") },
  };
}

function searchOptions({ search, regex, caseSensitive, contextBefore, contextAfter }) {
  return [
    `--search=${search}`,
    ...(regex ? ["--regex"] : []),
    ...(caseSensitive ? ["--case-sensitive"] : []),
    ...(contextBefore ? ["--before", String(contextBefore)] : []),
    ...(contextAfter ? ["--after", String(contextAfter)] : []),
  ];
}

/** Returns how many lines of a text fit into so many bytes, its header not counted. */
function linesWithin(text, bytes) {
  let used = 0;
  let lines = 0;
  for (const line of text.split("\n")) {
    used += Buffer.byteLength(line) + 1;
    if (used > bytes) return Math.max(0, lines - 1);
    lines += 1;
  }
  return lines;
}

/** Names the call that shows the next lines, if there are more. */
function goOn(text, paths) {
  const [, last, total] = /\(rev \w+, lines? \d+(?:-(\d+))? of (\d+)\)/.exec(text.slice(0, text.indexOf("\n"))) ?? [];
  return paths.length === 1 && last && Number(last) < Number(total)
    ? `\n(lines ${Number(last) + 1}-${total} are not shown: go on with offset ${Number(last) + 1})`
    : "";
}

/** Shows what has no lines: a folder, or a picture. */
async function notText(path, at) {
  const file = at.absolute(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) {
    const entries = await readdir(file, { withFileTypes: true });
    const names = entries.map((entry) => entry.name + (entry.isDirectory() ? "/" : "")).sort();
    return { title: path, output: names.join("\n") || "(empty)", metadata: {} };
  }
  const mime = MEDIA[extname(file).toLowerCase()];
  if (!found || !mime) return undefined;
  const url = `data:${mime};base64,${(await readFile(file)).toString("base64")}`;
  return { title: path, output: `${path} is attached.`, metadata: {}, attachments: [{ type: "file", mime, url }] };
}

/** Returns the edit tool under a name, for its own messages. */
function editAs(name) {
  return async (args, at) => {
    if (typeof args.patchText === "string" || typeof args.oldString === "string") {
      throw new Error(
        `Nothing was written. Files are changed by anchors here: look at the file with the tool read, then call ${name} with path, rev and edits.`,
      );
    }
    const { filePath, ...rest } = args;
    return apply(filePath === undefined ? rest : { path: filePath, ...rest }, at);
  };
}

async function write(args, at) {
  const path = args.filePath ?? args.path;
  const content = args.content ?? "";
  return apply(args.rev ? { path, rev: args.rev, edits: [{ op: "rewrite", content }] } : { path, edits: [{ op: "create", content }] }, at);
}

/** Asks for leave with the change to be seen, then makes it. */
async function apply(request, at) {
  const input = JSON.stringify(request);
  const tried = await hashline(["apply", ...SPOKEN, "--dry-run", "--json", "--emit", "diff"], { ...at, input });
  const plan = parsed(tried.stdout);
  if (plan?.ok === false) throw new Error(plan.message);
  const files = plan?.files ?? [];
  for (const file of files) await at.ask("edit", file.path, { diff: file.diff ?? "" });
  const done = await hashline(["apply", ...SPOKEN, "--answer", "words"], { ...at, input });
  const told = [done.stdout, done.stderr].filter(Boolean).join("\n").trimEnd();
  if (done.code !== 0) throw new Error(told);
  return {
    title: files.map((file) => file.path).join(", "),
    output: told,
    metadata: { diff: files.map((file) => file.diff ?? "").join("\n") },
  };
}

/** Stops a shell command that goes past the editor. Whatever goes wrong here lets it pass. */
async function guard(args, { directory, root, log, editor }) {
  if (isOff(directory, root) || typeof args?.command !== "string") return;
  const cwd = args.workdir ? resolve(directory, args.workdir) : directory;
  let verdict;
  try {
    const judged = await hashline(["guard", "--json", "--root", root, "--cwd", cwd], {
      cwd: directory,
      input: args.command,
      limit: GUARD_MS,
    });
    verdict = parsed(judged.stdout);
    if (!verdict) throw new Error(judged.stderr.trim() || `exit ${judged.code}`);
  } catch (problem) {
    log("warn", `the shell guard did not answer, the command passes: ${problem.message}`);
    return;
  }
  if (!verdict.verdict?.endsWith("-bypass")) return;
  const reads = verdict.verdict === "read-bypass";
  const instead = reads ? "Use the tool read: it shows the lines with anchors." : `Use the tool ${editor}.`;
  throw new Error(`Not run: ${about(verdict)}. ${instead}`);
}

/** Says what a command would do, without the command line that the guard recommends: here there are tools. */
function about({ message, verdict }) {
  return message?.split(";")[0] ?? verdict;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs the program: `{ code, stdout, stderr }`. */
function hashline(args, { cwd, session, input = "", signal, limit = CALL_MS }) {
  return new Promise((done, fail) => {
    const named = session ? [args[0], "--session", session, ...args.slice(1)] : args;
    const child = spawn(PROGRAM, named, { cwd, stdio: ["pipe", "pipe", "pipe"], signal });
    // Not the `timeout` of `spawn`: that keeps a process alive whose child never started.
    const timer = setTimeout(() => child.kill("SIGKILL"), limit);
    const out = [];
    const err = [];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    child.stdin.on("error", () => {});
    child.once("error", (problem) => {
      clearTimeout(timer);
      const missing = problem.code === "ENOENT";
      fail(new Error(missing ? `the program ${PROGRAM} is not installed or not on the PATH` : `${PROGRAM} failed: ${problem.message}`));
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      done({ code, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(err).toString("utf8") });
    });
    child.stdin.end(input);
  });
}

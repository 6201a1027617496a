// hashline for OpenCode: `read`, `edit` and `write` that work by anchors, in place of the built-in tools of these names, and a guard for the shell.
//
// Belongs into `.opencode/plugins/` of a project or `~/.config/opencode/plugins/`; `hashline setup opencode` puts it there.
// Off switches: the environment variable `HASHLINE_HOOK=off`, or a file `.hashline-off` in the project; they are looked at with every call. OpenCode
// hands out tools when it starts: what is turned off before that keeps the built-in ones, what is turned off later says so.
// If the program is missing, OpenCode keeps its own tools, and the log says so.

import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, extname, isAbsolute, join, relative, resolve } from "node:path";

import { DIALECT, ending, learn, objection, offBy, PAGE_BYTES, PAGE_LINES, parsed, readPages, rootOf, run, send } from "../shared.js";

const SPOKEN = DIALECT ? ["--dialect", DIALECT] : [];

// What models see as a picture or a document is handed on whole, as the built-in tool does, up to more than any of them takes.
const MOST_MEDIA = 20 * 1024 * 1024;
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
  if (offBy(directory)) return {};
  const log = (level, message) => client?.app?.log?.({ body: { service: "hashline", level, message } })?.catch?.(() => {});
  let taught;
  try {
    taught = await learn(directory, SPOKEN);
  } catch (problem) {
    log("error", `${problem.message}; the built-in tools stay`);
    return {};
  }
  const schema = editSchema(taught.schema);
  const editor = (name) => ({ description: taught.prompt.replaceAll("`edit`", `\`${name}\``), schema, execute: editAs(name) });
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
        {
          description,
          args: {},
          execute: async (args, context) => {
            const by = offBy(context.directory);
            // For this run OpenCode has given its own tools away, so there is nothing to fall back to.
            if (by) throw new Error(turnedOff(by));
            return execute(args ?? {}, place(context, root));
          },
        },
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
      if (offBy(directory)) return;
      if (OTHER_EDITORS.includes(tool))
        throw new Error(`Nothing was written. ${tool} is turned off here: change files with the tool edit.`);
      if (tool === "bash") await guard(args, { directory, log, editor: editors.get(sessionID) ?? "edit" });
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
    limit: { type: "integer", description: "How many lines at most." },
    search: { type: "string", description: "Show only lines that hold this text." },
    regex: { type: "boolean", description: "Take the text as a regular expression." },
    caseSensitive: { type: "boolean", description: "Tell upper from lower case." },
    contextBefore: { type: "integer", description: "How many lines to show before each match." },
    contextAfter: { type: "integer", description: "How many lines to show after each match." },
    maxMatches: { type: "integer", description: "How many matching lines of a file at most (200 unless given)." },
  },
};

const WRITE_SCHEMA = {
  type: "object",
  properties: {
    filePath: { type: "string", description: "The file to make." },
    content: { type: "string", description: "Its content, exactly, without anchors." },
    rev: { type: "string", description: "The revision that read showed, to replace a file that exists." },
    keep_anchors: { type: "boolean", description: "The file shall hold the anchors that the content carries." },
  },
  required: ["filePath", "content"],
};

/** Returns the editor that OpenCode offers to a model. */
function editorFor(model) {
  const patches = model.includes("gpt-") && !model.includes("oss") && !model.includes("gpt-4");
  return patches ? "apply_patch" : "edit";
}

/** Says that nothing was done, why, and what can be. */
function turnedOff(by) {
  return `Nothing was done: hashline is turned off by ${by}. Without that it works again at once; OpenCode's own tools come back when OpenCode is started anew. Until then there is the shell.`;
}

/** Returns the schema of an edit, which must name the revision. */
function editSchema({ title, description, ...rest }) {
  return { ...rest, required: [...new Set([...(rest.required ?? []), ...(rest.properties.rev ? ["rev"] : [])])] };
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
  const output = await readPages(args, paths, ([command, ...rest]) => run([command, ...SPOKEN, ...rest], at));
  return { title: paths.join(", "), output, metadata: { preview: output.split("\n").slice(0, 20).join("\n") } };
}

/** Shows what has no lines: a folder, or a picture. */
async function notText(path, at) {
  const file = at.absolute(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) return { title: path, output: await listed(file), metadata: {} };
  const mime = MEDIA[extname(file).toLowerCase()];
  if (!found?.isFile() || !mime) return undefined;
  if (found.size > MOST_MEDIA)
    throw new Error(`Nothing was read: ${path} has ${found.size} bytes, and no more than ${MOST_MEDIA} are handed on.`);
  const url = `data:${mime};base64,${(await readFile(file)).toString("base64")}`;
  return { title: path, output: `${path} is attached.`, metadata: {}, attachments: [{ type: "file", mime, url }] };
}

/** Lists a folder, as much as one answer takes. */
async function listed(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.map((entry) => entry.name + (entry.isDirectory() ? "/" : "")).sort();
  let room = PAGE_BYTES;
  const end = names.findIndex((name, index) => index === PAGE_LINES || (room -= Buffer.byteLength(name) + 1) < 0);
  if (end < 0) return names.join("\n") || "(empty)";
  return `${names.slice(0, end).join("\n")}\n(${names.length - end} more are not shown: list them in the shell)`;
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

async function write({ filePath, path = filePath, content = "", rev, keep_anchors }, at) {
  return apply({ path, content, rev: rev || undefined, keep_anchors }, at, ["--whole"]);
}

/** Asks for leave with the change to be seen, then makes it. What cannot be seen before is not asked for, and not made. */
async function apply(request, at, kind = []) {
  const how = { ...at, input: JSON.stringify(request) };
  // In words, so that a refusal is a page: the lines that it shows count as shown.
  const tried = await run(["apply", ...SPOKEN, ...kind, "--dry-run", "--json", "--answer", "words", "--emit", "diff"], how);
  const plan = parsed(tried.stdout);
  if (plan?.ok === false) throw new Error(plan.message);
  if (plan?.ok !== true || tried.code !== 0)
    throw new Error(`Nothing was written: what the change would do is not known, for ${ending(tried)}.`);
  const files = plan.files ?? [];
  if (files.length === 0) throw new Error("Nothing was written: the change names no file.");
  for (const { path, from, diff = "" } of files)
    for (const touched of new Set([from, path].filter(Boolean))) await at.ask("edit", touched, { diff });
  const output = await send([...SPOKEN, ...kind], how);
  return {
    title: files.map((file) => file.path).join(", "),
    output,
    metadata: { diff: files.map((file) => file.diff ?? "").join("\n") },
  };
}

/** Stops a shell command that goes past the editor. Whatever goes wrong here lets it pass. */
async function guard(args, { directory, log, editor }) {
  if (typeof args?.command !== "string") return;
  const cwd = args.workdir ? resolve(directory, args.workdir) : directory;
  const stopped = await objection(args.command, { cwd, root: rootOf(directory), editor }).catch((problem) => {
    log("warn", `the shell guard did not answer, the command passes: ${problem.message}`);
  });
  if (stopped) throw new Error(stopped);
}

// The names of seed 001 (Push): the functions by which an application reads and edits files of a sandbox through its worker, and the tool calls
// of its agent.

import type { EditOperation, EditResult, ReadResult, WriteResult } from "./answers.js";
import type { EditOptions, ReadOptions, Role, WriteOptions } from "./client.js";
import { Hashline } from "./client.js";
import type { HashlineError } from "./errors.js";
import { refOf, stripAnchors } from "./refs.js";

export { CODER_SYSTEM_PROMPT, SANDBOX_TOOL_PROTOCOL } from "./prompts.js";
export { stripAnchors } from "./refs.js";
export type { EditOperation, EditResult, ReadResult, WriteResult } from "./answers.js";

/** Where the worker is, and who is calling. */
export type SandboxOptions = {
  /** The address of the worker; the origin of the page that calls unless given. */
  url?: string | URL;
  /** What the worker wants to see of its users; the token of the sandbox is only known to the worker. */
  token?: string;
  session?: string;
  task?: string;
  role?: Role;
  fetch?: typeof fetch;
};

/** Reads a file of a sandbox. */
export async function readFromSandbox(sandboxId: string, path: string, options: SandboxOptions & ReadOptions = {}): Promise<ReadResult> {
  const [client, rest] = connect(sandboxId, options);
  return client.readFile(path, rest);
}

/** Edits lines of a file of a sandbox: all edits, or none. */
export async function editInSandbox(
  sandboxId: string,
  path: string,
  edits: readonly EditOperation[],
  options: SandboxOptions & EditOptions = {},
): Promise<EditResult> {
  const [client, rest] = connect(sandboxId, options);
  return client.editFile(path, edits, rest);
}

/** Writes a whole file of a sandbox. */
export async function writeToSandbox(
  sandboxId: string,
  path: string,
  content: string | Uint8Array,
  options: SandboxOptions & WriteOptions = {},
): Promise<WriteResult> {
  const [client, rest] = connect(sandboxId, options);
  return client.writeFile(path, content, rest);
}

function connect<O extends SandboxOptions>(sandboxId: string, options: O): [Hashline, Omit<O, keyof SandboxOptions>] {
  const { url = "", token, session, task, role, fetch, ...rest } = options;
  const caller = {
    ...(token !== undefined && { token }),
    ...(session !== undefined && { session }),
    ...(task !== undefined && { task }),
    ...(role !== undefined && { role }),
    ...(fetch !== undefined && { fetch }),
  };
  return [new Hashline({ url, sandboxId, ...caller }), rest];
}

/** An agent's call to read a file. */
export type SandboxReadFileCall = { tool: "sandbox_read_file"; args: { path: string; start_line?: number; end_line?: number } };

/** An agent's call to edit lines of a file. */
export type SandboxEditFileCall = {
  tool: "sandbox_edit_file";
  args: { path: string; edits: EditOperation[]; rev?: string; file_hash?: string; full_refresh?: boolean; dry_run?: boolean };
};

/** An agent's call to write a whole file. */
export type SandboxWriteFileCall = { tool: "sandbox_write_file"; args: { path: string; content: string; expected_version?: string } };

/** A call of one of the tools that `SANDBOX_TOOL_PROTOCOL` teaches. */
export type SandboxToolCall = SandboxReadFileCall | SandboxEditFileCall | SandboxWriteFileCall;

/** A call that is well-formed, or what is wrong with it, for the agent. */
export type ValidatedCall<C extends SandboxToolCall = SandboxToolCall> =
  | { ok: true; call: C }
  | { ok: false; error: "invalid_call"; message: string; failing_edit_index?: number };

/** Says whether a value, such as the JSON that an agent wrote, is a call that can be carried out. Nothing is read or written. */
export function validateSandboxToolCall(value: unknown): ValidatedCall {
  if (!isObject(value) || !isObject(value["args"])) return invalid('A call is {"tool": …, "args": {…}}.');
  const { tool, args } = value;
  if (!isText(args["path"])) return invalid("`path` must name a file.");
  switch (tool) {
    case "sandbox_read_file":
      return checked(tool, args, { start_line: isLine, end_line: isLine });
    case "sandbox_write_file":
      if (typeof args["content"] !== "string") return invalid("`content` must be the text of the file.");
      return checked(tool, args, { content: isString, expected_version: isText });
    case "sandbox_edit_file":
      return validateEdits(args);
    default:
      return invalid("`tool` must be sandbox_read_file, sandbox_edit_file or sandbox_write_file.");
  }
}

function validateEdits(args: Fields): ValidatedCall {
  const edits = args["edits"];
  if (!Array.isArray(edits) || edits.length === 0) return invalid("`edits` must be a list of at least one edit.");
  const operations: EditOperation[] = [];
  for (const [index, edit] of edits.entries()) {
    const operation = readOperation(edit);
    if (typeof operation === "string") return { ...invalid(`Edit ${index + 1}: ${operation}`), failing_edit_index: index };
    operations.push(operation);
  }
  const extras = { rev: isText, file_hash: isText, full_refresh: isFlag, dry_run: isFlag };
  return checked("sandbox_edit_file", { ...args, edits: operations }, { edits: Array.isArray, ...extras });
}

/** Which refs each type of edit has, and whether it has new text. */
const OPERATIONS: Record<EditOperation["type"], { refs: string[]; text: boolean }> = {
  replace_line: { refs: ["ref"], text: true },
  replace_range: { refs: ["start_ref", "end_ref"], text: true },
  insert_after: { refs: ["ref"], text: true },
  insert_before: { refs: ["ref"], text: true },
  delete_line: { refs: ["ref"], text: false },
  delete_range: { refs: ["start_ref", "end_ref"], text: false },
};

/** Reads an edit, also with the names that Push released (`op`, `content`); returns what is wrong with it, if something is. */
function readOperation(edit: unknown): EditOperation | string {
  if (!isObject(edit)) return "an edit is an object.";
  const type = edit["type"] ?? edit["op"];
  if (typeof type !== "string" || !Object.hasOwn(OPERATIONS, type)) return `\`type\` must be one of ${Object.keys(OPERATIONS).join(", ")}.`;
  const { refs, text } = OPERATIONS[type as EditOperation["type"]];
  for (const field of refs) {
    const ref = edit[field];
    if (typeof ref !== "string") return `\`${type}\` needs \`${field}\`.`;
    if (refOf(ref) === undefined) return `\`${field}\` is not a ref such as 12:OcoM.`;
  }
  const content = edit["new_content"] ?? edit["content"];
  if (text && typeof content !== "string") return `\`${type}\` needs \`new_content\`.`;
  if (!text && content !== undefined && content !== null && content !== "") return `\`${type}\` has no \`new_content\`.`;
  const named = refs.map((field) => [field, edit[field]]);
  return { type, ...Object.fromEntries(named), ...(text && { new_content: content }) } as EditOperation;
}

/** Keeps the fields that a call may have, if they are what they must be; others are dropped. */
function checked(tool: SandboxToolCall["tool"], args: Fields, fields: Record<string, (value: unknown) => boolean>): ValidatedCall {
  const kept: Fields = { path: args["path"] };
  for (const [field, fits] of Object.entries(fields)) {
    const value = args[field];
    if (value === undefined || value === null) continue;
    if (!fits(value)) return invalid(`\`${field}\` cannot be used as it is.`);
    kept[field] = value;
  }
  return { ok: true, call: { tool, args: kept } as SandboxToolCall };
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isString = (value: unknown) => typeof value === "string";
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isFlag = (value: unknown) => typeof value === "boolean";
const isLine = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
const invalid = (message: string) => ({ ok: false, error: "invalid_call", message: `Nothing was written. ${message}` }) as const;

/** On whose behalf calls are carried out. One context is one agent's: keep it from call to call. */
export type SandboxContext = SandboxOptions & {
  sandboxId: string;
  signal?: AbortSignal;
  /**
   * The versions of files that the agent has seen, by path. `executeSandboxToolCall` fills it and sends a file's version with a write, so that
   * no change of somebody else is overwritten; a file that the agent has not seen is only written if it does not exist.
   */
  versions?: Map<string, string>;
};

/** What a person is shown of a call. */
export type SandboxCard = {
  tool: SandboxToolCall["tool"];
  path: string;
  ok: boolean;
  /** Lines of the file, without anchors: those read, or those around the edits. */
  content?: string;
  /** A unified diff of what was changed. */
  diff?: string;
  /** The name of the error, such as `stale_ref`. */
  error?: string;
  message?: string;
};

/** The result of a call: text for the agent, with anchors, and a card for the person who watches, without. */
export type SandboxToolResult = { ok: boolean; text: string; card: SandboxCard };

/** Carries out a call that `validateSandboxToolCall` has accepted. */
export async function executeSandboxToolCall(call: SandboxToolCall, context: SandboxContext): Promise<SandboxToolResult> {
  const { sandboxId, versions, ...options } = context;
  const { path } = call.args;
  switch (call.tool) {
    case "sandbox_read_file": {
      const { path: _, ...lines } = call.args;
      const result = await readFromSandbox(sandboxId, path, { ...options, ...lines, annotate: true });
      if (!result.ok) return refused(call, result);
      versions?.set(path, result.file_hash);
      const heading = `${path} (rev ${result.rev}, ${result.total_lines} lines)`;
      const rest = result.truncated ? `\n[cut; read on with "start_line":${result.end_line + 1}]` : "";
      const text = `${heading}\n${result.content}${rest}`;
      return { ok: true, text, card: { tool: call.tool, path, ok: true, content: stripAnchors(result.content) } };
    }
    case "sandbox_edit_file": {
      const { path: _, edits, ...rest } = call.args;
      const result = await editInSandbox(sandboxId, path, edits, { ...options, ...rest });
      if (!result.ok) return refused(call, result);
      if (!result.dry_run) versions?.set(path, result.file_hash);
      const done = result.dry_run ? "Checked; nothing was written" : "Done";
      const shown = result.content ?? result.window.map((lines) => lines.join("\n")).join("\n\n");
      const text = `${done}: ${result.applied} ${result.applied === 1 ? "edit" : "edits"}.\n${path} (rev ${result.rev}, ${result.total_lines} lines)\n${shown}`;
      return { ok: true, text, card: { tool: call.tool, path, ok: true, content: stripAnchors(shown), diff: result.diff } };
    }
    case "sandbox_write_file": {
      const { path: _, content, expected_version = versions?.get(path) } = call.args;
      const expected = expected_version === undefined ? { create: versions !== undefined } : { expected_version };
      const result = await writeToSandbox(sandboxId, path, content, { ...options, ...expected });
      if (!result.ok) return refused(call, result);
      versions?.set(path, result.version);
      const text = `Done: ${result.created ? "created" : "replaced"}.\n${path} (rev ${result.rev}, ${result.bytes} bytes)`;
      return { ok: true, text, card: { tool: call.tool, path, ok: true, content } };
    }
  }
}

function refused(call: SandboxToolCall, error: HashlineError): SandboxToolResult {
  const name = error.error === "refused" || error.error === "denied" ? error.code : error.error;
  const card = { tool: call.tool, path: call.args.path, ok: false, error: name, message: firstLine(error.message) };
  return { ok: false, text: `${name}: ${error.message}`, card };
}

/** Returns the sentence of a message that says what happened: the lines after it have anchors and are for the agent. */
function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}

// What the plugins of hashline share: how the program is called, and what its answers come to.
//
// `hashline setup` puts this text into a plugin, in place of the line that imports it: a plugin is one file. All the work is done by the program
// `hashline` (`HASHLINE_BIN` names another), which gets its input through a pipe and never through a shell.

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as paths from "node:path";

// `hashline setup` writes the program and the dialect it was told into these two lines.
const HASHLINE = "hashline";
export const DIALECT = "";

export const PROGRAM = process.env.HASHLINE_BIN || HASHLINE;

// Agents cut answers at 2,000 lines or 50 KiB; a page stays below, as everywhere in hashline (docs/mcp.md), so that it is we who say how to go on.
export const PAGE_LINES = 1500;
export const PAGE_BYTES = 36_000;

/** What the program says on standard error has this room; the page that it prints leaves it free. */
const NOTES_BYTES = PAGE_BYTES / 16;

/** How many matching lines of a file can be asked for. */
const MOST_MATCHES = 1000;

/** The guard is advice: a shell command does not wait for it longer than this. */
const GUARD_MS = 2000;
const CALL_MS = 60_000;

/** So much of an answer is kept; what is longer was not asked for by a page. */
const MOST_OUTPUT = 64 * 1024 * 1024;

const OFF_VARIABLE = "HASHLINE_HOOK";
const OFF_FILE = ".hashline-off";

/** Returns what turns hashline off where an agent works, in words; nothing if it is on. As the hook: `docs/hook.md`. */
export function offBy(cwd) {
  if (process.env[OFF_VARIABLE]?.toLowerCase() === "off") return `the environment variable ${OFF_VARIABLE}`;
  const root = rootOf(cwd);
  for (let folder = paths.resolve(cwd); ; folder = paths.dirname(folder)) {
    const file = paths.join(folder, OFF_FILE);
    if (facts(file)) return `the file ${file}`;
    if (folder === root) return undefined;
  }
}

/** Returns the root for a working directory, as the program finds it: the nearest folder that holds `.git`, or a `.hashline` that marks it. */
export function rootOf(cwd) {
  const start = paths.resolve(cwd);
  for (let folder = start; ; folder = paths.dirname(folder)) {
    if (fs.existsSync(paths.join(folder, ".git"))) return folder;
    if (!isCommon(folder) && isOwn(paths.join(folder, ".hashline"))) return folder;
    if (folder === paths.dirname(folder)) return start;
  }
}

/** Says whether much lies in a folder that has nothing to do with each other: there a `.hashline` marks no project. */
function isCommon(folder) {
  const home = paths.relative(folder, os.homedir());
  const holdsHome = home !== ".." && !home.startsWith(`..${paths.sep}`) && !paths.isAbsolute(home);
  return holdsHome || (process.platform !== "win32" && ((facts(folder, fs.statSync)?.mode ?? 0) & 0o002) !== 0);
}

/** Says whether a mark is a folder of the user's own, which nobody else may write into. */
function isOwn(mark) {
  const found = facts(mark);
  if (!found?.isDirectory()) return false;
  return process.platform === "win32" || (found.uid === process.geteuid() && (found.mode & 0o022) === 0);
}

/** Returns what is known of a file, as a rule of a link itself; nothing if it cannot be looked at. */
function facts(file, look = fs.lstatSync) {
  try {
    return look(file);
  } catch {
    return undefined;
  }
}

/** Asks the program for the schema of an edit and the instructions; throws if it does not answer. */
export async function learn(cwd, spoken) {
  const [schema, prompt] = await Promise.all([
    run(["schema", "--tool", "edit", ...spoken], { cwd }),
    run(["prompt", "--agent", "tools", ...spoken], { cwd }),
  ]);
  for (const answer of [schema, prompt]) if (answer.code !== 0) throw new Error(`${PROGRAM} does not answer: ${ending(answer)}`);
  return { schema: JSON.parse(schema.stdout), prompt: prompt.stdout };
}

/**
 * Shows files, or the lines of them that hold a text: one page, and the calls that read the rest. `call(args)` runs the program.
 * Throws if none of them can be read.
 *
 * The program cuts the page, because it records the lines that it prints as shown: what it prints is passed on whole.
 */
export async function readPages(asked, files, call) {
  const shown = await call(["read", "--page", ...pageOptions(asked), "--", ...files]);
  if (shown.stopped || !shown.stdout) throw new Error(clipped(`Nothing was read: ${ending(shown)}`, NOTES_BYTES));
  const text = told(shown);
  if (shown.code !== 0) throw new Error(text);
  return text;
}

/** Returns the options of the program for what was asked of each file. */
function pageOptions({ offset, limit, search, regex, caseSensitive, contextBefore, contextAfter, maxMatches = limit }) {
  const number = (option, value, most = Number.MAX_SAFE_INTEGER) =>
    value === undefined || value === null ? [] : [option, String(Math.min(Math.max(1, value), most))];
  const start = number("--start-line", offset);
  if (!search) return [...start, ...number("--lines", limit)];
  return [
    ...start,
    `--search=${search}`,
    ...(regex ? ["--regex"] : []),
    ...(caseSensitive ? ["--case-sensitive"] : []),
    ...(contextBefore ? ["--before", String(contextBefore)] : []),
    ...(contextAfter ? ["--after", String(contextAfter)] : []),
    ...number("--max-matches", maxMatches, MOST_MATCHES),
  ];
}

/** Returns a text that is no longer than so many bytes, and says so if it was. */
function clipped(text, bytes) {
  const mark = " [... the rest is not shown]";
  return Buffer.byteLength(text) <= bytes ? text : beginning(text, bytes - mark.length) + mark;
}

/** Returns the first so many bytes of a text, without half a character at the end. */
function beginning(text, bytes) {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}

/**
 * Sends a request; returns in words what was done. Throws with the refusal, or, if there is no answer, with that it is not known what
 * became of it.
 */
export async function send(args, how) {
  const done = await run(["apply", ...args, "--answer", "words"], how);
  if (done.code === 0) return told(done);
  // With an exit code of its own the program has said what was written, if anything was.
  if ([1, 2].includes(done.code) && told(done)) throw new Error(told(done));
  throw new Error(`It is not known whether anything was written: ${ending(done)}. Read the file again before you go on.`);
}

/** Returns why a shell command is not run and what to do instead; nothing if it may run. Throws if the guard does not answer. */
export async function objection(command, { cwd, root, session, editor }) {
  const judged = await run(["guard", "--json", "--root", root, "--cwd", cwd], { cwd: root, session, input: command, limit: GUARD_MS });
  const verdict = parsed(judged.stdout);
  if (!verdict) throw new Error(ending(judged));
  const file = verdict.file ?? "files";
  switch (verdict.verdict) {
    case "read-bypass":
      return `Not run: \`${verdict.command}\` shows ${file} without anchors. Use the tool read: it shows the lines with anchors.`;
    case "write-bypass":
      return `Not run: \`${verdict.command}\` changes ${file} without anchors. Use the tool ${editor}.`;
    default:
      return undefined;
  }
}

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns all that the program said. */
function told({ stdout, stderr }) {
  // What the program prints is a page, with room for this; the lines in it count as shown, so none of them is cut here.
  return [stdout.replace(/\n$/, ""), clipped(stderr.trimEnd(), NOTES_BYTES)].filter(Boolean).join("\n");
}

/** Says how a call ended that has no answer. */
export function ending({ code, stderr, stopped }) {
  return [`hashline ${stopped ?? `ended with exit code ${code}`}`, stderr.trim()].filter(Boolean).join(": ");
}

/**
 * Runs the program: `{ code, stdout, stderr, stopped }`, the last if it was ended before it was done, and how. Throws if it cannot be
 * started or the call was taken back before.
 */
export function run([command, ...rest], { cwd, session, input = "", signal, limit = CALL_MS }) {
  const args = session ? [command, "--session", session, ...rest] : [command, ...rest];
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(new Error("Nothing was done: the call was taken back."));
    const child = spawn(PROGRAM, args, { cwd, stdio: ["pipe", "pipe", "pipe"] });
    let stopped;
    const stop = (how) => {
      stopped ??= how;
      child.kill("SIGKILL");
    };
    const takenBack = () => stop("was stopped, since the call was taken back");
    signal?.addEventListener("abort", takenBack);
    // Not the `timeout` of `spawn`: that keeps a process alive whose child never started.
    const timer = setTimeout(stop, limit, `was stopped after ${limit / 1000} seconds without an answer`);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", takenBack);
    };
    const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
    child.stdin.on("error", () => {});
    child.once("error", (problem) => {
      settle();
      const missing = problem.code === "ENOENT";
      fail(new Error(missing ? `the program ${PROGRAM} is not installed or not on the PATH` : `${PROGRAM} failed: ${problem.message}`));
    });
    child.once("close", (code, by) => {
      settle();
      done({ code, stdout: stdout(), stderr: stderr(), stopped: stopped ?? (by ? `was ended by ${by}` : undefined) });
    });
    child.stdin.end(input);
  });
}

function collected(stream) {
  const chunks = [];
  let size = 0;
  stream.on("data", (chunk) => {
    size += chunk.length;
    if (size <= MOST_OUTPUT) chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

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

/** A line takes at least so much of a page: that bounds the lines, too. */
const LEAST_LINE = PAGE_BYTES / PAGE_LINES;

/** What is said besides the lines has this room: how to go on, what the program noted. */
const NOTES_BYTES = PAGE_BYTES / 16;

/** The room for lines of files. */
const WHOLE_ROOM = PAGE_BYTES - 3 * NOTES_BYTES;

/** With less room than this left, the next file waits for a page of its own. */
const LEAST_BYTES = 4 * 1024;

/** How many matching lines a search shows unless more are asked for, and at most. */
const MATCHES = 200;
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
 * Shows files, or the lines of them that hold a text: as much as one answer takes, and how to go on. `call(args)` runs the program.
 * Throws if none of them can be read.
 */
export async function readPages(asked, files, call) {
  const parts = [];
  const waiting = [];
  let room = WHOLE_ROOM;
  let failures = 0;
  for (const file of files) {
    const part = room < LEAST_BYTES ? undefined : await page(asked, file, room, call);
    if (!part) {
      waiting.push(file);
      continue;
    }
    failures += part.failed ? 1 : 0;
    room -= cost(part.text) + LEAST_LINE;
    parts.push(part.text + (part.next ? goOn(part, files.length === 1 ? undefined : file) : ""));
  }
  const unread = waiting.length > 20 ? `${waiting.slice(0, 20).join(", ")} and ${waiting.length - 20} more` : waiting.join(", ");
  if (waiting.length > 0) parts.push(clipped(`(there was no room for ${unread}`, NOTES_BYTES) + ": read on with another call)");
  const text = parts.join("\n\n");
  if (failures === parts.length) throw new Error(text);
  return text;
}

/** Shows as much of a file as there is room for: `{ text, next?, total?, failed? }`; nothing if it would have to be torn to shreds. */
async function page(asked, file, room, call) {
  let count = Math.max(1, asked.search ? Math.min(asked.limit ?? MATCHES, MOST_MATCHES) : Math.min(asked.limit ?? PAGE_LINES, PAGE_LINES));
  const start = ["--start-line", String(Math.max(1, asked.offset ?? 1))];
  for (;;) {
    const part = asked.search ? [...searchOptions(asked), "--max-matches", String(count)] : ["--lines", String(count)];
    const shown = await call(["read", "--header", ...start, ...part, "--", file]);
    if (shown.stopped || !shown.stdout) {
      return { text: clipped(`${file} was not read: ${told({ ...shown, stdout: "" }) || ending(shown)}`, NOTES_BYTES), failed: true };
    }
    if (cost(shown.stdout) <= room) return { text: told(shown, aside), ...following(shown.stdout) };
    const fewer = fitting(shown.stdout, room, count);
    if (fewer === count) {
      if (room < WHOLE_ROOM) return undefined;
      return { text: `${beginning(shown.stdout, room)}\n(cut here: this is longer than one answer can be)`, ...following(shown.stdout) };
    }
    // Asked again, so that the header and the record of what was shown are about these lines only.
    count = fewer;
  }
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

/** Returns how many lines, or matches, to ask for if so many are too long for the room; at least one. */
function fitting(text, room, count) {
  const lines = text.replace(/\n$/, "").split("\n");
  let used = 0;
  const beyond = lines.findIndex((line) => (used += cost(line)) > room);
  const fit = Math.max(0, beyond - 1);
  const matches = /(\d+) matching of \d+ lines?\)$/.exec(lines[0])?.[1];
  // The lines of a match are as many as those of the others, more or less; if not, the next page is too long, and it is asked again.
  const fewer = matches ? Math.min(matches - 1, Math.floor((matches * fit) / (lines.length - 1))) : Math.min(count - 1, fit);
  return Math.max(1, fewer);
}

/** Reads off a page which line comes next, if there are more: `{ next, total }`. */
function following(text) {
  const header = text.slice(0, text.indexOf("\n"));
  const [, last, total] = /\(rev \w+, lines? (?:\d+-)?(\d+) of (\d+)\)$/.exec(header) ?? [];
  if (last) return Number(last) < Number(total) ? { next: Number(last) + 1, total } : {};
  if (!/\(rev \w+, the first \d+ matching of \d+ lines?\)$/.test(header)) return {};
  const shown = /^ *(\d+)/.exec(text.trimEnd().split("\n").at(-1))?.[1];
  return shown ? { next: Number(shown) + 1 } : {};
}

/** Names the call that shows what comes next; `file` if there are several. */
function goOn({ next, total }, file) {
  const what = total ? `lines ${next}-${total}${file ? ` of ${file}` : ""} are not shown` : `more lines${file ? ` of ${file}` : ""} match`;
  return `\n(${what}: go on with ${file ? "that file alone, " : ""}offset ${next})`;
}

/** Says whether a line on standard error is for somebody at a command line. */
function aside(line) {
  return line.includes("--max-matches");
}

/** Returns how many bytes of a page a text takes. */
function cost(text) {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .reduce((sum, line) => sum + Math.max(LEAST_LINE, Buffer.byteLength(line) + 1), 0);
}

/** Returns a text that is no longer than so many bytes, and says so if it was. */
function clipped(text, bytes) {
  return Buffer.byteLength(text) <= bytes ? text : `${beginning(text, bytes)} [... the rest is not shown]`;
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

/** Returns all that the program said, without lines on standard error that are left out. */
function told({ stdout, stderr }, isLeftOut = () => false) {
  const beside = stderr.split("\n").filter((line) => !isLeftOut(line));
  // What the program prints is a page, with room for these; the lines in it count as shown, so none of them is cut here.
  return [stdout, clipped(beside.join("\n"), NOTES_BYTES)].filter(Boolean).join("\n").trimEnd();
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

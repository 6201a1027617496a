// hashline for pi: `read` with an anchor on every line and `apply_hash` to change files by anchors, in place of the built-in `read`, `edit` and
// `write`, and a guard for the shell.
//
// Belongs into `.pi/extensions/` of a project or `~/.pi/agent/extensions/`; `hashline setup pi` puts it there. All the work is done by the
// program `hashline` (`HASHLINE_BIN` names another), which gets its input through a pipe and never through a shell.
// Off switches: the environment variable `HASHLINE_HOOK=off`, or a file `.hashline-off` in the project; both are read when pi starts.
// If the program is missing, pi keeps its own tools and says so.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { ExtensionAPI, ExtensionContext, Theme, ToolRenderResultOptions } from "@earendil-works/pi-coding-agent";
import { createReadTool, keyHint } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

// `hashline setup` writes the program and the dialect it was told into these two lines.
const HASHLINE = "hashline";
const DIALECT = "";

const PROGRAM = process.env.HASHLINE_BIN || HASHLINE;
const SPOKEN = ["--dialect", DIALECT || "pi"];

/** The tools that are taken away: files are changed by `apply_hash`. */
const REPLACED = ["edit", "write"];

/** pi's own limits for an answer are 2,000 lines and 50 KiB; a page stays below. */
const PAGE_LINES = 1500;
const PAGE_BYTES = 48 * 1024;

/** An answer with more lines is shown to the person as one line, until they open it. */
const COLLAPSE_LINES = 12;

/** The guard is advice: a shell command does not wait for it longer than this. */
const GUARD_MS = 2000;
const CALL_MS = 60_000;

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
}

interface Answer {
	code: number | null;
	stdout: string;
	stderr: string;
}

/** What the person sees of an answer while it is closed. */
interface Details {
	summary: string;
}

export default async function hashline(pi: ExtensionAPI) {
	if (isOff(process.cwd())) return;
	let taught: { schema: Record<string, unknown>; prompt: string };
	try {
		taught = await learn(process.cwd());
	} catch (problem) {
		const told = `${(problem as Error).message}; the built-in tools stay`;
		pi.on("session_start", (_event, ctx) => (ctx.hasUI ? ctx.ui.notify(`hashline: ${told}`, "error") : console.error(`hashline: ${told}`)));
		return;
	}
	registerRead(pi);
	registerApply(pi, taught);
	pi.on("session_start", () => pi.setActiveTools(pi.getActiveTools().filter((name) => !REPLACED.includes(name))));
	pi.on("tool_call", async (event, ctx) => {
		if (REPLACED.includes(event.toolName)) {
			return { block: true, reason: `Nothing was written. ${event.toolName} is turned off here: change files with the tool apply_hash.` };
		}
		return event.toolName === "bash" ? guard(String(event.input.command ?? ""), ctx) : undefined;
	});
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
			if (paths.length === 1 && PICTURES.includes(extname(paths[0]).toLowerCase())) {
				return createReadTool(ctx.cwd).execute(id, { path: paths[0] }, signal, onUpdate) as never;
			}
			const text = await read(input, paths, signal, ctx);
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

function registerApply(pi: ExtensionAPI, taught: { schema: Record<string, unknown>; prompt: string }) {
	pi.registerTool({
		name: "apply_hash",
		label: "apply_hash",
		description: taught.prompt,
		promptSnippet: "Change, make, move and delete files by anchors, all or nothing",
		promptGuidelines: ["Use apply_hash for every change of a file; no shell command may change one."],
		parameters: Type.Unsafe<Record<string, unknown>>(taught.schema),
		async execute(_id, input, signal, _onUpdate, ctx) {
			const answer = await run(["apply", ...SPOKEN, "--answer", "words"], { ctx, signal, input: JSON.stringify(input) });
			const text = both(answer);
			// Thrown, because that is how pi marks a result as an error.
			if (answer.code !== 0) throw new Error(text);
			return { content: [{ type: "text" as const, text }], details: { summary: text.split("\n")[0] } };
		},
		renderCall: (input: Record<string, unknown>, theme) => call("apply_hash", filesOf(input), theme),
		renderResult: closed,
	});
}

const READ_PARAMETERS = Type.Object({
	path: Type.Optional(Type.String({ description: "The file." })),
	paths: Type.Optional(Type.Array(Type.String(), { description: "Several files at once, instead of path." })),
	offset: Type.Optional(Type.Integer({ description: "The first line, counted from 1." })),
	limit: Type.Optional(Type.Integer({ description: `How many lines at most (${PAGE_LINES} unless given).` })),
	search: Type.Optional(Type.String({ description: "Show only lines that hold this text." })),
	regex: Type.Optional(Type.Boolean({ description: "Take the text as a regular expression." })),
	caseSensitive: Type.Optional(Type.Boolean({ description: "Tell upper from lower case." })),
	contextBefore: Type.Optional(Type.Integer({ description: "How many lines to show before each match." })),
	contextAfter: Type.Optional(Type.Integer({ description: "How many lines to show after each match." })),
});

/** Says whether hashline is turned off for this project. */
function isOff(cwd: string): boolean {
	if (process.env.HASHLINE_HOOK === "off") return true;
	const root = rootOf(cwd);
	for (let folder = cwd; ; folder = dirname(folder)) {
		if (existsSync(join(folder, ".hashline-off"))) return true;
		if (folder === root) return false;
	}
}

/** Returns the nearest folder that holds a repository, as the program itself takes it; else the folder itself. */
function rootOf(cwd: string): string {
	for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
		if (existsSync(join(folder, ".git")) || existsSync(join(folder, ".hashline"))) return folder;
	}
	return cwd;
}

/** Asks the program for the schema of `apply_hash` and the instructions; throws if it cannot be started. */
async function learn(cwd: string) {
	const ask = (args: string[]) => run(args, { cwd });
	const [schema, prompt] = await Promise.all([
		ask(["schema", "--tool", "edit", ...SPOKEN]),
		ask(["prompt", "--agent", "tools", ...SPOKEN]),
	]);
	if (schema.code !== 0 || prompt.code !== 0) throw new Error(`${PROGRAM} does not answer: ${schema.stderr || prompt.stderr}`);
	const { title: _title, ...rest } = JSON.parse(schema.stdout);
	return { schema: rest, prompt: prompt.stdout.replaceAll("`edit`", "`apply_hash`") };
}

function pathsOf(input: ReadInput): string[] {
	const paths = input.paths?.length ? input.paths : input.path ? [input.path] : [];
	// Some models write a path as people mention files.
	return paths.map((path) => path.replace(/^@/, ""));
}

async function read(input: ReadInput, paths: string[], signal: AbortSignal | undefined, ctx: ExtensionContext): Promise<string> {
	if (paths.length === 0) throw new Error("Nothing was read: path is missing.");
	const options = input.search ? searchOptions(input) : ["--start-line", String(Math.max(1, input.offset ?? 1))];
	const limit = Math.min(input.limit ?? PAGE_LINES, PAGE_LINES);
	const page = (lines: number) =>
		run(["read", ...SPOKEN, "--header", ...options, ...(input.search ? [] : ["--lines", String(lines)]), "--", ...paths], { ctx, signal });
	let shown = await page(limit);
	const fitting = linesWithin(shown.stdout, PAGE_BYTES);
	// Asked again, so that the header and the record of what was shown are about these lines only.
	if (!input.search && fitting < limit && shown.stdout.length > PAGE_BYTES)
		shown = await page(Math.max(1, Math.floor(fitting / paths.length)));
	if (shown.code !== 0 && !shown.stdout) throw new Error(both(shown));
	return both(shown) + goOn(shown.stdout, paths);
}

function searchOptions(input: ReadInput): string[] {
	return [
		`--search=${input.search}`,
		...(input.regex ? ["--regex"] : []),
		...(input.caseSensitive ? ["--case-sensitive"] : []),
		...(input.contextBefore ? ["--before", String(input.contextBefore)] : []),
		...(input.contextAfter ? ["--after", String(input.contextAfter)] : []),
	];
}

/** Returns how many lines of a text fit into so many bytes, its header not counted. */
function linesWithin(text: string, bytes: number): number {
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
function goOn(text: string, paths: string[]): string {
	const [, last, total] = /\(rev \w+, lines? \d+(?:-(\d+))? of (\d+)\)/.exec(text.slice(0, text.indexOf("\n"))) ?? [];
	if (paths.length !== 1 || !last || Number(last) >= Number(total)) return "";
	return `\n(lines ${Number(last) + 1}-${total} are not shown: go on with offset ${Number(last) + 1})`;
}

/** Stops a shell command that goes past the editor. Whatever goes wrong here lets it pass. */
async function guard(command: string, ctx: ExtensionContext) {
	if (isOff(ctx.cwd)) return undefined;
	let verdict: { verdict?: string; message?: string };
	try {
		const judged = await run(["guard", "--json", "--root", rootOf(ctx.cwd), "--cwd", ctx.cwd], { ctx, input: command, limit: GUARD_MS });
		verdict = JSON.parse(judged.stdout || JSON.stringify({ verdict: "none" }));
		if (verdict.verdict === "none") throw new Error(judged.stderr.trim() || `exit ${judged.code}`);
	} catch (problem) {
		if (ctx.hasUI) ctx.ui.notify(`hashline: the shell guard did not answer, the command passes: ${(problem as Error).message}`, "warning");
		return undefined;
	}
	if (!verdict.verdict?.endsWith("-bypass")) return undefined;
	// Without the command line that the guard recommends: here there are tools.
	const what = verdict.message?.split(";")[0] ?? verdict.verdict;
	const instead = verdict.verdict === "read-bypass" ? "Use the tool read: it shows the lines with anchors." : "Use the tool apply_hash.";
	return { block: true, reason: `Not run: ${what}. ${instead}` };
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

function both(answer: Answer): string {
	return [answer.stdout, answer.stderr].filter(Boolean).join("\n").trimEnd();
}

/** Runs the program, in the name of the session if there is one. */
function run(
	args: string[],
	how: { cwd?: string; ctx?: ExtensionContext; input?: string; signal?: AbortSignal; limit?: number },
): Promise<Answer> {
	const session = how.ctx?.sessionManager.getSessionId();
	const [command, ...rest] = args;
	const named = session ? [command, "--session", `pi-${session}`, ...rest] : args;
	return new Promise((done, fail) => {
		const child = spawn(PROGRAM, named, { cwd: how.ctx?.cwd ?? how.cwd, stdio: ["pipe", "pipe", "pipe"], signal: how.signal });
		// Not the `timeout` of `spawn`: that keeps a process alive whose child never started.
		const timer = setTimeout(() => child.kill("SIGKILL"), how.limit ?? CALL_MS);
		const out: Buffer[] = [];
		const err: Buffer[] = [];
		child.stdout.on("data", (chunk) => out.push(chunk));
		child.stderr.on("data", (chunk) => err.push(chunk));
		child.stdin.on("error", () => {});
		child.once("error", (problem: NodeJS.ErrnoException) => {
			clearTimeout(timer);
			const missing = problem.code === "ENOENT";
			fail(new Error(missing ? `the program ${PROGRAM} is not installed or not on the PATH` : `${PROGRAM} failed: ${problem.message}`));
		});
		child.once("close", (code) => {
			clearTimeout(timer);
			done({ code, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(err).toString("utf8") });
		});
		child.stdin.end(how.input ?? "");
	});
}

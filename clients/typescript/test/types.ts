// What the compiler must accept, and what it must not: a line after `@ts-expect-error` that is accepted is an error itself. Never run.
import { Hashline, type EditOperation, type HashlineError } from "../dist/index.js";
import { executeSandboxToolCall, validateSandboxToolCall, type SandboxEditFileCall } from "../dist/push.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>) => {};

const client = new Hashline({ url: new URL("http://127.0.0.1"), role: "coder" });
// @ts-expect-error: there is no such role
new Hashline({ url: "", role: "reviewer" });

const read = await client.readFile("a", { annotate: true, start_line: 1 });
// @ts-expect-error: an error has no content
read.content;
if (read.ok) same<typeof read.content, string>(true);
// @ts-expect-error: no such option
await client.readFile("a", { startLine: 1 });

const edited = await client.editFile("a", [{ type: "delete_line", ref: "1:0000" }]);
if (edited.ok) same<typeof edited.window, string[][]>(true);
else if (edited.error === "stale_ref") {
  same<typeof edited.fresh_refs, string[]>(true);
  same<typeof edited.failing_edit_index, number>(true);
} else if (edited.error === "edit_disabled") same<typeof edited.use, "write-file">(true);
else if (edited.error === "STALE_FILE") same<typeof edited.current_version, string | null>(true);
else if (edited.error === "stale_file") same<typeof edited.actual_hash, string>(true);
else if (edited.error === "denied") same<typeof edited.status, number>(true);
else if (edited.error === "refused") same<typeof edited.retryable, boolean>(true);
else if (edited.error === "aborted") same<typeof edited.written, false | "unknown">(true);
else if (edited.error === "network") same<typeof edited.cause, unknown>(true);
else if (edited.error === "http") same<typeof edited.status, number>(true);
// @ts-expect-error: the service has no such error
else if (edited.error === "stale-ref") edited;
else same<typeof edited.retryable, boolean>(true);

export const message = (error: HashlineError): string => error.message;

// @ts-expect-error: a replacement needs text
export const withoutText: EditOperation = { type: "replace_line", ref: "1:0000" };
// @ts-expect-error: a deletion has none
export const withText: EditOperation = { type: "delete_line", ref: "1:0000", new_content: "" };

const verified = await client.post("/v1/verify", { path: "a", anchors: ["1:0000"] });
if (verified.ok) same<typeof verified.anchors extends unknown[] ? true : false, true>(true);
// @ts-expect-error: there is no such route
await client.post("/v1/delete", { path: "a" });

const checked = validateSandboxToolCall({});
if (checked.ok) await executeSandboxToolCall(checked.call, { sandboxId: "main", versions: new Map() });
export const call: SandboxEditFileCall = { tool: "sandbox_edit_file", args: { path: "a", edits: [{ type: "delete_line", ref: "1:0000" }] } };

// What the routes are asked and what they answer, named from the OpenAPI document of the server (`openapi.ts`).

import type { HashlineError } from "./errors.js";
import type { components, paths } from "./openapi.js";

type Schemas = components["schemas"];

/** A route that takes a request by POST. */
export type Route = { [P in keyof paths]: paths[P] extends { post: unknown } ? P : never }[keyof paths];

/** The request of a route. */
export type RequestOf<R extends Route> = paths[R]["post"] extends { requestBody: { content: { "application/json": infer B } } } ? B : never;

/** What a route answers if it does what it was asked. */
export type Answer<R extends Route> = paths[R]["post"] extends { responses: { 200: { content: { "application/json": infer A } } } }
  ? Exclude<A, { ok: false }>
  : never;

/** An answer, or why there is none. */
export type Result<A> = A | HashlineError;

/** The lines of a file that was read. */
export type ReadDone = Schemas["PushReadAnswer"];
/** Edits that were applied, or checked in a dry run. */
export type EditDone = Schemas["PushDone"];
/** A file that was written. */
export type WriteDone = Schemas["PushWritten"];
/** Files with matching lines. */
export type Found = Schemas["FoundAnswer"] & { ok: true };

/** The answer to `readFile`. */
export type ReadResult = Result<ReadDone>;
/** The answer to `editFile`. */
export type EditResult = Result<EditDone>;
/** The answer to `writeFile`. */
export type WriteResult = Result<WriteDone>;
/** The answer to `search`. */
export type SearchResult = Result<Found>;

/** One edit. Every ref is copied from lines that were shown, such as `12:OcoM`. */
export type EditOperation =
  | { type: "replace_line" | "insert_after" | "insert_before"; ref: string; new_content: string }
  | { type: "replace_range"; start_ref: string; end_ref: string; new_content: string }
  | { type: "delete_line"; ref: string }
  | { type: "delete_range"; start_ref: string; end_ref: string };

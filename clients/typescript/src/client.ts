// The client: one method for each thing that an application does with the files of a sandbox.

import type { Answer, EditDone, EditOperation, EditResult, Found, ReadDone, ReadResult, RequestOf, Result, Route, SearchResult, WriteDone, WriteResult } from "./answers.js";
import type { StaleRef } from "./errors.js";
import { send } from "./http.js";
import { movedLines } from "./moved.js";
import { refOf, refsOf } from "./refs.js";

/** Which agent of a task is calling: a coder is shown anchors unless it says otherwise, an orchestrator is not. */
export type Role = "coder" | "orchestrator";

/** Where the service is, and who is calling. */
export type HashlineOptions = {
  /** The address of the service, or of a worker in front of it; `""` for the origin of the page that calls. */
  url: string | URL;
  /** The token of the workspace; a worker in front of the service adds it itself. */
  token?: string;
  /** The conversation that the refs belong to. */
  session?: string;
  /** The task on behalf of which the calls are made. */
  task?: string;
  role?: Role;
  /** The name of the workspace, for a worker that serves several. */
  sandboxId?: string;
  /** What sends requests; `fetch` unless given. */
  fetch?: typeof fetch;
};

/** What every call takes. */
export type CallOptions = {
  signal?: AbortSignal;
};

export type ReadOptions = CallOptions & Omit<RequestOf<"/api/sandbox/read-file">, "path" | "operation" | "sandbox_id">;

export type WriteOptions = CallOptions &
  Omit<RequestOf<"/api/sandbox/write-file">, "path" | "content" | "sandbox_id"> & {
    /** Whether the file must not exist yet. */
    create?: boolean;
  };

export type SearchOptions = CallOptions & Omit<RequestOf<"/v1/search">, "pattern" | "sandbox_id">;

/** Edits with other refs, and the revision under which all of these were shown. */
export type Rebased = { edits: readonly EditOperation[]; rev: string };

/**
 * Decides what to do about a line that is not what it was. Returns the edits with refs from `refusal.fresh_refs` and nowhere else; or edits
 * with refs of another read, with its `rev`; or `undefined` to give up. What to do with a line that changed is for this function to know:
 * the client never replaces a ref by whatever stands at its number now.
 */
export type Rebase = (
  refusal: StaleRef,
  edits: readonly EditOperation[],
) => readonly EditOperation[] | Rebased | undefined | Promise<readonly EditOperation[] | Rebased | undefined>;

export type EditOptions = CallOptions & {
  /** The revision under which the refs were shown. */
  rev?: string;
  /** The SHA-256 that the file must have. */
  file_hash?: string;
  /** Whether to answer with the whole file as well. */
  full_refresh?: boolean;
  /** Whether only to check the edits. */
  dry_run?: boolean;
  encoding?: string;
  /** What to do about a stale ref. */
  rebase?: Rebase;
  /**
   * The annotated text that the refs were copied from. With it, lines that only moved are followed without asking: see `movedLines`. This
   * helps with a server that does not know what was shown; one that does follows them itself.
   */
  shown?: string;
  /** How often a request with a stale ref is sent again; 1 unless given. */
  retryStale?: number;
};

/** A client of `hashline serve`. It keeps nothing between calls. */
export class Hashline {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #sandbox: { sandbox_id?: string };
  readonly #fetch: typeof fetch;

  constructor(options: HashlineOptions) {
    this.#base = String(options.url).replace(/\/+$/, "");
    this.#headers = {
      ...(options.token !== undefined && { Authorization: `Bearer ${options.token}` }),
      ...(options.session !== undefined && { "Hashline-Session": options.session }),
      ...(options.task !== undefined && { "Hashline-Task": options.task }),
      ...(options.role !== undefined && { "Hashline-Role": options.role }),
    };
    this.#sandbox = options.sandboxId === undefined ? {} : { sandbox_id: options.sandboxId };
    // In workers and browsers `fetch` must be called as a function, not as a method.
    const own = options.fetch;
    this.#fetch = own ? (input, init) => own(input, init) : (input, init) => fetch(input, init);
  }

  /** Reads a file, or a range of its lines; with `annotate`, every line has its ref in front. */
  async readFile(path: string, options: ReadOptions = {}): Promise<ReadResult> {
    const { signal, ...fields } = options;
    return this.#send<ReadDone>("/api/sandbox/read-file", { path, ...fields }, signal, false);
  }

  /** Edits lines of a file by their refs: all edits, or none. */
  async editFile(path: string, edits: readonly EditOperation[], options: EditOptions = {}): Promise<EditResult> {
    const { signal, rebase, shown, retryStale = 1, ...fields } = options;
    let request: object = { path, edits, ...fields };
    let sent = edits;
    for (let left = retryStale; ; left -= 1) {
      const result = await this.#send<EditDone>("/api/sandbox/edit-file", request, signal, true);
      if (result.ok || result.error !== "stale_ref" || left <= 0) return result;
      const again = (await this.#followed(path, edits, sent, options)) ?? (await rebased(result, sent, rebase));
      if (!again) return result;
      sent = again.edits;
      request = { path, ...fields, ...again };
    }
  }

  /** Writes a whole file: text, or bytes. */
  async writeFile(path: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<WriteResult> {
    const { signal, create = false, ...fields } = options;
    const body = typeof content === "string" ? { content } : { content: base64(content), encoding: "base64" };
    const condition = create ? { "If-None-Match": "*" } : {};
    return this.#send<WriteDone>("/api/sandbox/write-file", { path, ...fields, ...body }, signal, true, condition);
  }

  /** Searches the files of the workspace. The anchors of the answer are refs that `editFile` takes. */
  async search(pattern: string, options: SearchOptions = {}): Promise<SearchResult> {
    const { signal, ...fields } = options;
    return this.#send<Found>("/v1/search", { pattern, ...fields }, signal, false);
  }

  /** Sends a request to any route, in the form of the OpenAPI document. */
  async post<R extends Route>(route: R, request: RequestOf<R>, options: CallOptions = {}): Promise<Result<Answer<R>>> {
    const writes = !["/api/sandbox/read-file", "/v1/read", "/v1/search", "/v1/verify"].includes(route);
    return this.#send<Answer<R>>(route, request as object, options.signal, writes);
  }

  async #send<A>(route: Route, body: object, signal: AbortSignal | undefined, writes: boolean, condition: Record<string, string> = {}): Promise<Result<A>> {
    const dialect = route.startsWith("/v1/") ? { "Hashline-Dialect": "push" } : {};
    const headers = { ...this.#headers, ...dialect, ...condition };
    const url = this.#base + route;
    return (await send(this.#fetch, { url, headers, body: { ...body, ...this.#sandbox }, signal, writes })) as Result<A>;
  }

  /** Returns the edits with the refs that their lines have now, if all of them only moved. */
  async #followed(path: string, edits: readonly EditOperation[], sent: readonly EditOperation[], options: EditOptions): Promise<(Rebased & { file_hash: string }) | undefined> {
    // What a function decided is no longer about the text that was shown, and `file_hash` says that the file must be that one.
    if (options.shown === undefined || sent !== edits || options.file_hash !== undefined) return undefined;
    const { signal, encoding } = options;
    const now = await this.readFile(path, { annotate: true, ...(signal && { signal }), ...(encoding !== undefined && { encoding }) });
    if (!now.ok || now.truncated) return undefined;
    const moved = movedLines(options.shown, now.content, edits);
    return moved && { edits: moved, rev: now.rev, file_hash: now.file_hash };
  }
}

/** Asks the caller's function, and checks that the refs of its edits were shown. */
async function rebased(refusal: StaleRef, sent: readonly EditOperation[], rebase: Rebase | undefined): Promise<Rebased | undefined> {
  const decided = await rebase?.(refusal, sent);
  if (decided === undefined || "rev" in decided) return decided;
  const fresh = new Set(refusal.fresh_refs.map(refOf));
  const isShown = decided.flatMap(refsOf).every((ref) => fresh.has(refOf(ref)));
  // A ref from before may by chance be that of another line under the new revision.
  return isShown && typeof refusal.rev === "string" ? { edits: decided, rev: refusal.rev } : undefined;
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x2000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(binary);
}

// One request over HTTP: whatever happens becomes a value, and nothing is thrown.

import type { Aborted, Denied, EditDisabled, EditRefused, HashlineError, HttpFailed, NetworkFailed, Refused, StaleFile, StaleRef, StaleVersion } from "./errors.js";

/** A request as it is sent. */
export type HttpRequest = {
  url: string;
  headers: Record<string, string>;
  body: object;
  signal: AbortSignal | undefined;
  /** Whether the request may change a file. */
  writes: boolean;
};

type Refusal = StaleRef | StaleFile | StaleVersion | EditDisabled | EditRefused | Refused | Denied;

/** Sends a request and returns the answer, as it came if it is `ok`. */
export async function send(fetchFn: typeof fetch, request: HttpRequest): Promise<({ ok: true } & Record<string, unknown>) | HashlineError> {
  const { signal } = request;
  if (signal?.aborted) return aborted(signal, false);
  const unknown = request.writes ? "unknown" : false;
  let response: Response;
  let text: string;
  try {
    response = await fetchFn(request.url, {
      method: "POST",
      headers: { ...request.headers, "Content-Type": "application/json" },
      body: JSON.stringify(request.body),
      // A redirect would carry the token to wherever it points.
      redirect: "manual",
      ...(signal && { signal }),
    });
    text = await response.text();
  } catch (cause) {
    return signal?.aborted ? aborted(signal, unknown) : failed(cause, unknown);
  }
  return read(response.status, text, unknown);
}

/** Reads the answer to a request. */
function read(status: number, text: string, written: false | "unknown"): ({ ok: true } & Record<string, unknown>) | HashlineError {
  const answer = parse(text);
  if (answer?.["ok"] === true) return answer as { ok: true };
  if (answer?.["ok"] !== false || typeof answer["message"] !== "string") {
    const message = `The answer (status ${status}) is not one of the service's.`;
    return { ok: false, error: "http", status, message, written } satisfies HttpFailed;
  }
  if (answer["code"] === "internal") return { ok: false, error: "http", status, message: answer["message"], written } satisfies HttpFailed;
  return named(status, answer);
}

/** Statuses with which the routes of seed 001 refuse what a request wants of a file; with others they deny the request itself. */
const REFUSED = [200, 400, 412];

/** Gives a refusal the `error` by which it is told apart, if it has another one or none. */
function named(status: number, answer: Record<string, unknown>): Refusal {
  const { error } = answer;
  // By this name only headers are refused: a body has the seed's names.
  if (typeof error === "string" && error !== "bad_request" && REFUSED.includes(status)) return answer as EditRefused | StaleVersion | EditDisabled;
  const isRefused = "written" in answer && !("error" in answer);
  return isRefused ? ({ ...answer, error: "refused" } as Refused) : ({ ...answer, error: "denied", status } as Denied);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function aborted(signal: AbortSignal, written: false | "unknown"): Aborted {
  return { ok: false, error: "aborted", message: `The call was aborted. ${fate(written)}`, written, reason: signal.reason };
}

function failed(cause: unknown, written: false | "unknown"): NetworkFailed {
  const why = cause instanceof Error ? cause.message : String(cause);
  return { ok: false, error: "network", message: `The service cannot be reached: ${why}. ${fate(written)}`, written, cause };
}

function fate(written: false | "unknown"): string {
  return written === false ? "Nothing was written." : "Whether anything was written is not known: read the file before you go on.";
}

// Why a call was not carried out: a union that is told apart by `error`, all with `ok: false` and a `message` that can be shown to a model.

import type { components } from "./openapi.js";

type Schemas = components["schemas"];
type PushRefused = Schemas["PushRefused"];

/** A line is not what it was when it was shown. Nothing was written; `fresh_refs` are the lines around it as they are now. */
export type StaleRef = PushRefused & { error: "stale_ref"; failing_edit_index: number; failing_ref: string; fresh_refs: string[] };

/** The file is not the one that `file_hash` names. Nothing was written. */
export type StaleFile = PushRefused & { error: "stale_file"; expected_hash: string; actual_hash: string };

/** The file is not the one that `expected_version` names. Nothing was written. */
export type StaleVersion = Schemas["PushStaleFile"];

/** `edit-file` is off for this task. Nothing was written; `use` names the route to use instead. */
export type EditDisabled = Schemas["EditDisabled"];

/** A request of seed 001's routes was refused for another reason, such as `invalid_ref` or `overlapping_edits`. */
export type EditRefused = Omit<PushRefused, "error"> & { error: Exclude<PushRefused["error"], "stale_ref" | "stale_file"> };

/** A request of the routes below `/v1` was refused; `code` says why. */
export type Refused = Schemas["Refused"] & { error: "refused" };

/** The request was refused before its body was looked at, by the server or a proxy of its kind: `unauthorized`, `too_large`, ... */
export type Denied = Schemas["Denied"] & { error: "denied"; status: number };

/** The answer is not one of the service's, such as a proxy's page. What became of an edit is not known. */
export type HttpFailed = { ok: false; error: "http"; status: number; message: string; written: false | "unknown" };

/** The request could not be sent, or its answer did not arrive. In the second case what became of an edit is not known. */
export type NetworkFailed = { ok: false; error: "network"; message: string; written: false | "unknown"; cause: unknown };

/** The signal of the call was aborted; `reason` is the signal's. An edit that was on its way may have been carried out. */
export type Aborted = { ok: false; error: "aborted"; message: string; written: false | "unknown"; reason: unknown };

/** Why a call was not carried out. */
export type HashlineError =
  | StaleRef
  | StaleFile
  | StaleVersion
  | EditDisabled
  | EditRefused
  | Refused
  | Denied
  | HttpFailed
  | NetworkFailed
  | Aborted;

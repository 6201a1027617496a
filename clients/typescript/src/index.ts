// The package's door: a client of `hashline serve`, its answers and errors as types, and what to do with refs.
// The names that seed 001 has for the same things are in `hashline-client/push`.

export { Hashline } from "./client.js";
export type { CallOptions, EditOptions, HashlineOptions, ReadOptions, Rebase, Rebased, Role, SearchOptions, WriteOptions } from "./client.js";
export type {
  Aborted,
  Denied,
  EditDisabled,
  EditRefused,
  HashlineError,
  HttpFailed,
  NetworkFailed,
  Refused,
  StaleFile,
  StaleRef,
  StaleVersion,
} from "./errors.js";
export type { Answer, EditDone, EditOperation, EditResult, Found, ReadDone, ReadResult, Result, Route, SearchResult, WriteDone, WriteResult } from "./answers.js";
export type { components, paths } from "./openapi.js";
export { movedLines } from "./moved.js";
export { refOf, stripAnchors } from "./refs.js";

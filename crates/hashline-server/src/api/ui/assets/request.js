// The request box: preview, apply, and the way out of a refusal by fresh anchors.

import { post } from "./api.js";
import { $, anchored, count, diffView, el, shortened } from "./dom.js";
import { dialect } from "./files.js";

/** Fields of requests that hold text of a file, where nothing is replaced that looks like an anchor. */
const TEXTS = new Set(["new_text", "old_text", "new_content", "text", "lines", "content", "old", "new"]);

/** A request that replaces one line, in each dialect. */
const TEMPLATES = {
  omp: ({ path, rev, anchor, text }) => ({ path, rev, edits: [{ set_line: { anchor, new_text: text } }] }),
  push: ({ path, rev, anchor, text }) => ({ path, rev, edits: [{ type: "replace_line", ref: anchor, new_content: text }] }),
  cowboy: ({ path, rev, anchor, text }) => ({ path, rev, operations: [{ action: "replace", start: anchor, content: text }] }),
  openagent: ({ path, rev, anchor, text }) => ({ filePath: path, rev, edits: [{ op: "replace", pos: anchor, lines: [text] }] }),
  pi: ({ path, rev, anchor, text }) => ({ patch: [{ op: "set_line", path, anchor, text }], revs: { [path]: rev } }),
  lean: ({ path, rev, anchor, text }) => ({ path, rev, edits: [{ op: "replace", at: anchor, lines: [text] }] }),
};

let usual = "omp";
let failed = () => {};
let isBusy = false;

/** Prepares the box; `fail` handles an error of the connection. */
export function start(fail) {
  failed = fail;
  $("request-form").addEventListener("submit", (event) => {
    event.preventDefault();
    send(true);
  });
  $("apply").addEventListener("click", () => send(false));
  $("clear").addEventListener("click", () => {
    $("body").value = "";
    say("", "");
    $("body").focus();
  });
  $("body").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send(true);
    }
  });
}

/** Sets the dialect of the workspace. */
export function setUsual(name) {
  usual = name;
}

/** Puts an anchor into the request where the cursor is; into an empty box, a request that replaces its line. */
export function use(line) {
  const box = $("body");
  if (box.value.trim() === "") {
    box.value = pretty(TEMPLATES[dialect() || usual](line));
    say("", `A request that replaces line ${line.anchor} is in the box: change its text.`);
  } else {
    insert(line.anchor);
    say("", `${line.anchor} is in the request, where the cursor was.`);
  }
}

function insert(text) {
  const box = $("body");
  box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
}

const pretty = (value) => JSON.stringify(value, null, 2);

/** Returns the request in the box, or null after saying what is wrong with it. */
function parsed() {
  try {
    const value = JSON.parse($("body").value);
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
    say("bad", "A request is a JSON object.");
  } catch (error) {
    say("bad", $("body").value.trim() === "" ? "There is no request in the box." : `This is not JSON: ${error.message}`);
  }
  return null;
}

async function send(isPreview) {
  const request = parsed();
  if (request === null || isBusy) return;
  isBusy = true;
  say("", isPreview ? "Checking" : "Applying");
  try {
    const body = isPreview ? { ...request, dry_run: true } : request;
    const answer = await post("/ui/edit", body, { dialect: dialect(), session: $("session").value.trim() });
    if (answer.ok) showDone(answer);
    else showRefused(answer);
  } catch (error) {
    say("bad", `No answer: ${error.message || "the token is not accepted"}. Read the file again to see whether anything was written.`);
    failed(error);
  } finally {
    isBusy = false;
  }
}

function say(kind, text, ...result) {
  $("verdict").hidden = text === "";
  $("verdict").className = `note own ${kind}`;
  $("verdict").textContent = text;
  $("result").replaceChildren(...result);
}

function showDone(answer) {
  const changed = answer.files.filter((file) => file.changed).length;
  const what = answer.dry_run ? `Preview: ${count(changed, "file")} would change; nothing was written.` : `Applied: ${count(changed, "file")} changed.`;
  const parts = answer.files.flatMap((file) => [
    el("p", { class: "file" }, el("b", {}, file.path), ` ${file.status}, +${file.added} −${file.removed}`),
    notes(file),
    file.diff ? diffView(file.diff, file.path) : null,
  ]);
  say(answer.dry_run ? "info" : "good", what, ...parts.filter(Boolean));
}

function notes(file) {
  const all = [
    ...(file.moves ?? []).map((moved) => `Edit ${moved.edit}: line ${moved.from} was found at ${moved.to}`),
    ...(file.repairs ?? []).map((repair) => `Edit ${repair.edit}: repaired (${repair.rule})`),
    ...(file.hints ?? []).map((hint) => `Edit ${hint.edit}: looks like a mistake (${hint.rule}), and is as it was sent`),
  ];
  return all.length > 0 ? el("ul", { class: "notes" }, all.map((one) => el("li", {}, one))) : null;
}

function showRefused(answer) {
  const failures = [answer, ...(answer.also ?? [])];
  const parts = failures.flatMap((failure) => [...problems(failure, answer), ...current(failure)]);
  const written = answer.written === false ? "Nothing was written." : "It is not known whether anything was written; read the file again.";
  const head = answer.code === "stale" ? `Refused as stale. ${written}` : `Refused (${answer.code}). ${written}`;
  if (parts.length === 0) parts.push(el("p", { class: "message" }, answer.message));
  say(answer.retryable ? "warn" : "bad", head, ...parts);
}

/** Lists the refused anchors of a file with the lines that are there now: a press on one puts it in the place of the refused one. */
function problems(failure, answer) {
  return (failure.problems ?? []).map((problem) => {
    const title = `Edit ${problem.edit}, ${problem.anchor}`;
    const lines = problem.candidates ? problem.candidates.flatMap((one) => one.lines) : problem.now;
    const fresh = { edit: problem.edit, refused: problem.anchor, others: failure.others ?? [], path: failure.path, rev: failure.rev ?? answer.rev };
    return el("div", { class: "problem", role: "group", "aria-label": title },
      el("p", {}, el("b", {}, title), `: ${problem.reason}${failure.path ? ` (${failure.path})` : ""}.`),
      lines.length > 0 && el("p", { class: "hint" }, "Press the line you mean:"),
      el("div", { class: "choices" }, lines.map((line) => choice(line, (anchor, button) => choose(anchor, button, fresh)))));
  });
}

/** Lists the lines that a refusal shows without naming an anchor. */
function current(failure) {
  const isOtherVersion = failure.expected && failure.actual && $("body").value.includes(failure.expected);
  const renew = () => {
    $("body").value = $("body").value.replaceAll(failure.expected, failure.actual);
    note("The request requires the version that the file has now. Preview or apply it again.");
  };
  const parts = [];
  if (isOtherVersion) parts.push(el("p", {}, el("button", { type: "button", click: renew }, "Require the version that the file has now")));
  if (!failure.now?.length) return parts;
  const put = (anchor) => {
    insert(anchor);
    note(`${anchor} is in the request, where the cursor was.`);
  };
  return [
    ...parts,
    el("p", { class: "message" }, `The lines of ${failure.path ?? "the file"} now. A press puts the anchor where the cursor is.`),
    el("div", { class: "choices" }, failure.now.map((line) => choice(line, put))),
  ];
}

function choice(line, press) {
  const { anchor, text } = anchored(line);
  if (!anchor) return el("p", { class: "hint" }, text);
  return el("button", { type: "button", class: "choice", "aria-pressed": "false", click: (event) => press(anchor, event.currentTarget) },
    el("span", { class: "anchor" }, anchor), el("span", { class: "text" }, shortened(text)));
}

/** Says what was done to the request, and leaves the result as it is. */
function note(text) {
  $("verdict").hidden = false;
  $("verdict").textContent = text;
}

/** Puts a fresh anchor in the place of a refused one, and with it the revision and the anchors of the edits that could be resolved. */
function choose(anchor, button, { edit, refused, others, path, rev }) {
  const request = parsed();
  if (request === null) return;
  const group = button.closest(".choices");
  const changes = new Map();
  for (const other of others) {
    other.anchors.forEach((old, index) => changes.set(`${other.edit} ${old}`, anchored(other.now[index] ?? "").anchor ?? other.now[index] ?? old));
  }
  // After a first press, what was chosen then stands in the request.
  changes.set(`${edit} ${group.dataset.chosen ?? refused}`, anchor);
  const replaced = { count: 0 };
  const next = renamed(request, changes, replaced);
  if (replaced.count === 0) return note(`The request in the box does not name ${refused} any more: put ${anchor} into it.`);
  if (rev) setRev(next, path, rev, edit);
  $("body").value = pretty(next);
  group.dataset.chosen = anchor;
  for (const one of group.querySelectorAll("[aria-pressed]")) one.setAttribute("aria-pressed", String(one === button));
  note(`${anchor} stands for ${refused} in the request now. Preview or apply it again.`);
}

/** Returns a request with other anchors. Edits are numbered as they stand in their list. */
function renamed(request, changes, replaced) {
  const walk = (value, edit) => {
    if (typeof value === "string") {
      const fresh = changes.get(`${edit} ${value}`);
      replaced.count += fresh !== undefined;
      return fresh ?? value;
    }
    if (Array.isArray(value)) return value.map((one) => walk(one, edit));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, TEXTS.has(key) ? one : walk(one, edit)]));
  };
  let number = 0;
  const lists = (value) => {
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => {
      if (!Array.isArray(one)) return [key, key === "args" ? lists(one) : one];
      if (["edits", "operations", "patch"].includes(key)) return [key, one.map((item) => walk(item, (number += 1)))];
      return [key, key === "files" ? one.map(lists) : one];
    }));
  };
  return lists(request);
}

/** Sets the revision of a file in a request: its anchors are those of the file as it is now. */
function setRev(request, path, rev, edit) {
  const fields = request.args && typeof request.args === "object" ? request.args : request;
  if (Array.isArray(fields.patch)) {
    const named = fields.patch[edit - 1]?.path ?? fields.path ?? path;
    fields.revs = { ...fields.revs, [named]: rev };
    return;
  }
  const files = Array.isArray(fields.files) ? fields.files : [];
  const file = files.find((one) => one && one.path === path);
  (file ?? fields).rev = rev;
}

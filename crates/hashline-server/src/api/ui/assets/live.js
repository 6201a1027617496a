// The table of live requests, with the diff of each.

import { $, count, diffView, duration, el } from "./dom.js";

/** The most requests in the table; older ones are dropped. */
const SHOWN = 200;
/** The least time between two announcements to a screen reader, in milliseconds. */
const ANNOUNCED = 5000;

const EDITS = new Set(["edit", "write", "edit-file", "write-file"]);

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
let waiting = [];
let missed = 0;
let isPaused = false;
let several = false;
let openFile = () => {};

export const isEdit = (call) => EDITS.has(call.route);

/** Returns what a call came to: a class for its colour, and a word. */
export function verdict(call) {
  if (call.verdict === "refused") return { kind: /^(stale|unseen|ambiguous|unknown_rev)/.test(call.code) ? "warn" : "bad", word: words(call.code) };
  if (call.verdict === "denied") return { kind: "bad", word: words(call.code) };
  if (call.verdict === "not_modified") return { kind: "read", word: "not modified" };
  if (!isEdit(call)) return { kind: "read", word: call.route === "verify" ? "checked" : call.route === "search" ? "searched" : "read" };
  return call.dry_run ? { kind: "read", word: "preview" } : { kind: "good", word: "applied" };
}

/** Returns the name of an error code for a person. */
const words = (code) => code.replaceAll("_", " ");

/** Prepares the table; `open` shows a file. */
export function start(open) {
  openFile = open;
  $("pause").addEventListener("click", () => {
    isPaused = toggle($("pause"));
    if (!isPaused) flush();
  });
  $("unfold").addEventListener("click", () => {
    const all = toggle($("unfold"));
    for (const button of document.querySelectorAll("#rows button.call")) unfold(button, all && button.dataset.files === "yes");
  });
  $("filter").addEventListener("change", filter);
}

/** Tells whether the calls of several workspaces are shown. */
export function showWorkspaces(isAll) {
  several = isAll;
}

/** Adds a call. Calls that come at once are drawn at once. */
export function add(call) {
  waiting.push(call);
  if (waiting.length > SHOWN) waiting.shift();
  if (waiting.length === 1) setTimeout(flush, 80);
  announce(call);
}

/** Says that events were lost, because they came faster than this page took them. */
export function lost(number) {
  missed += number;
  $("missed").hidden = false;
  $("missed").textContent = `${count(missed, "request")} not shown: they came faster than this page took them.`;
}

function flush() {
  if (isPaused || waiting.length === 0) return;
  const calls = waiting;
  waiting = [];
  $("nothing").hidden = true;
  $("calls").hidden = false;
  $("rows").prepend(...calls.reverse().flatMap(rows));
  // Each call has two rows.
  const old = [...$("rows").children].slice(2 * SHOWN);
  for (const row of old) row.remove();
  filter();
}

function toggle(button) {
  const isOn = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isOn));
  return isOn;
}

function filter() {
  const wanted = $("filter").value;
  for (const row of $("rows").querySelectorAll("tr.call")) {
    row.hidden = (wanted === "edits" && !row.classList.contains("edit")) || (wanted === "refused" && !row.classList.contains("refused"));
    const detail = row.nextElementSibling;
    detail.hidden = row.hidden || row.querySelector("button").getAttribute("aria-expanded") !== "true";
  }
}

function rows(call) {
  const { kind, word } = verdict(call);
  const id = `call-${call.no}`;
  const detail = el("tr", { class: "detail", id, hidden: true }, el("td", { colspan: "3" }));
  detail.call = call;
  const name = call.path ?? "(no file)";
  const button = el("button", {
    type: "button", class: "call", "aria-expanded": "false", "aria-controls": id, "data-files": call.files.length > 0 ? "yes" : "no",
    click: (event) => unfold(event.currentTarget, event.currentTarget.getAttribute("aria-expanded") !== "true"),
  }, el("span", { class: "path" }, el("bdi", {}, name)));
  const more = call.files.length + call.more_files - 1;
  const about = [several && call.workspace, call.session ? `${call.route} by ${call.session}` : call.route, more > 0 && `and ${count(more, "other file")}`, clock.format(call.at)];
  const isRefused = call.verdict === "refused" || call.verdict === "denied";
  const row = el("tr", { class: `call ${isEdit(call) ? "edit" : ""} ${isRefused ? "refused" : ""}` },
    el("th", { scope: "row" }, button, el("span", { class: "about" }, about.filter(Boolean).join(" · "))),
    el("td", {}, el("span", { class: `badge ${kind}` }, word), el("span", { class: "about" }, changes(call))),
    el("td", { class: "right" }, duration(call.ms)));
  if ($("unfold").getAttribute("aria-pressed") === "true" && call.files.length > 0) unfold(button, true, detail);
  return [row, detail];
}

function sum(call, field) {
  return call.files.reduce((all, file) => all + file[field], 0);
}

export const moves = (call) => sum(call, "move_count");
export const repairs = (call) => sum(call, "repair_count");

function changes(call) {
  if (call.files.length === 0) return "";
  const parts = [`+${sum(call, "added")} −${sum(call, "removed")}`];
  if (moves(call) > 0) parts.push(`${moves(call)} moved`);
  if (repairs(call) > 0) parts.push(`${repairs(call)} repaired`);
  return parts.join(" · ");
}

/** Opens or closes what there is to see of a call. */
function unfold(button, isOpen, detail = $(button.getAttribute("aria-controls"))) {
  button.setAttribute("aria-expanded", String(isOpen));
  detail.hidden = !isOpen;
  const cell = detail.firstElementChild;
  if (isOpen && cell.childElementCount === 0) cell.append(...details(detail.call));
}

function details(call) {
  const parts = [];
  if (call.message) parts.push(el("p", { class: "message" }, call.message));
  for (const file of call.files) parts.push(...fileDetails(file));
  if (call.more_files > 0) parts.push(el("p", { class: "hint" }, `${count(call.more_files, "more file")} not listed.`));
  if (call.task) parts.push(el("p", { class: "hint" }, `Task ${call.task}`));
  const path = call.files[0]?.path ?? call.path;
  if (path && !several) parts.push(el("p", {}, el("button", { type: "button", click: () => openFile(path) }, "Open in the file view")));
  if (parts.length === 0) parts.push(el("p", { class: "hint" }, "Nothing more is known about this request."));
  return parts;
}

function fileDetails(file) {
  const name = file.from ? `${file.from} → ${file.path}` : file.path;
  const parts = [el("p", { class: "file" }, el("b", {}, name), ` ${file.status}, +${file.added} −${file.removed}`)];
  const notes = [
    ...file.moves.map((moved) => `Edit ${moved.edit}: line ${moved.from} was found at ${moved.to}`),
    ...file.repairs.map((repair) => `Edit ${repair.edit}: repaired (${repair.rule})`),
  ];
  const left = file.move_count - file.moves.length + file.repair_count - file.repairs.length;
  if (left > 0) notes.push(`${left} more not listed`);
  if (notes.length > 0) parts.push(el("ul", { class: "notes" }, notes.map((note) => el("li", {}, note))));
  if (file.diff) parts.push(diffView(file.diff, file.path));
  if (file.diff_cut > 0) parts.push(el("p", { class: "hint" }, `${Math.ceil(file.diff_cut / 1024)} KiB more of the diff are not shown.`));
  return parts;
}

let unannounced = 0;
let last = null;
let timer = 0;

/** Announces new calls to a screen reader, many at once. */
function announce(call) {
  unannounced += 1;
  last = call;
  timer ||= setTimeout(() => {
    const { word } = verdict(last);
    $("news").textContent = `${count(unannounced, "new request")}. Latest: ${last.path ?? last.route}, ${word}.`;
    unannounced = 0;
    timer = 0;
  }, ANNOUNCED);
}

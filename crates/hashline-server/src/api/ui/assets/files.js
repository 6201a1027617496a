// The file view: lines with their anchors.

import { post } from "./api.js";
import { $, anchored, el, shortened } from "./dom.js";

/** How many lines are shown at once. */
const PAGE = 200;
/** How many paths are offered. */
const OFFERED = 100;

const offered = new Set();
let shown = { path: "", first: 1, last: 0, total: 0 };
let useAnchor = () => {};
let failed = () => {};

/** Prepares the view; `use` puts an anchor into the request, `fail` handles an error of the connection. */
export function start(use, fail) {
  useAnchor = use;
  failed = fail;
  $("file-form").addEventListener("submit", (event) => {
    event.preventDefault();
    read($("path").value.trim(), Number($("from").value) || 1);
  });
  $("earlier").addEventListener("click", () => read(shown.path, Math.max(1, shown.first - PAGE)));
  $("later").addEventListener("click", () => read(shown.path, shown.last + 1));
  $("dialect").addEventListener("change", () => shown.path && read(shown.path, shown.first));
}

export const dialect = () => $("dialect").value;

/** Offers the path of a file that was in a request. */
export function offer(path) {
  if (offered.has(path) || offered.size >= OFFERED) return;
  offered.add(path);
  $("paths").append(el("option", { value: path }));
}

/** Shows a file from its start, and goes there. */
export function open(path) {
  $("path").value = path;
  $("from").value = "";
  read(path, 1);
  $("file").focus();
}

async function read(path, first) {
  if (path === "") return;
  $("file-status").textContent = `Reading ${path}`;
  let answer;
  try {
    answer = await post("/ui/read", { path, start_line: first, end_line: first + PAGE - 1 }, { dialect: dialect() });
  } catch (error) {
    $("file-status").textContent = `Not read: ${error.message || "the token is not accepted"}`;
    return failed(error);
  }
  if (!answer.ok) {
    $("file-status").textContent = answer.message;
    $("lines-box").hidden = $("pager").hidden = true;
    return;
  }
  show(path, answer);
}

function show(path, answer) {
  shown = { path, first: answer.start_line, last: answer.end_line, total: answer.total_lines, rev: answer.rev };
  const rows = answer.lines.map((line) => {
    const { anchor, text } = anchored(line);
    const button = anchor && el("button", {
      type: "button", class: "anchor", "aria-label": `${anchor}: put into the request`, click: () => useAnchor({ ...shown, anchor, text }),
    }, anchor);
    return el("tr", {}, el("th", { scope: "row" }, button ?? ""), el("td", {}, shortened(text)));
  });
  $("lines").replaceChildren(...rows);
  $("lines-box").hidden = rows.length === 0;
  $("lines-box").scrollTop = 0;
  const { first, last, total, rev } = shown;
  $("file-status").textContent = total === 0 ? `The file is empty (revision ${rev})` : `Lines ${first}–${last} of ${total}, revision ${rev}`;
  $("pager").hidden = total <= last - first + 1;
  $("earlier").disabled = first <= 1;
  $("later").disabled = last >= total;
}

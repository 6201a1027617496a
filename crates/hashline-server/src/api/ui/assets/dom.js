// Building elements. Text of files and requests is untrusted: it is only ever set as text, never parsed.

/** Returns the element with an id. */
export const $ = (id) => document.getElementById(id);

/** Returns a new element. `props` are attributes; functions are listeners, `undefined`, `null` and `false` are left out. */
export function el(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** Returns a new element of a drawing. */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Returns "1 file", "2 files". */
export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** Returns a duration in milliseconds as text. */
export function duration(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Splits a line as the server shows it into its anchor and its text; the anchor is null if it has none. */
export function anchored(line) {
  const found = /^(?:>>> )?(\d+(?:[:#]| )[0-9A-Za-z]+)[|\t]([^]*)$/.exec(line);
  return found ? { anchor: found[1], text: found[2] } : { anchor: null, text: line };
}

/** The most characters of a line, and the most lines of a diff, that are drawn. */
const MOST_TEXT = 2000;
const MOST_LINES = 2000;

/** Returns a line of a file, or its start if it is very long. */
export function shortened(text) {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} … ${text.length - MOST_TEXT} more characters` : text;
}

/** Returns a unified diff as lines with numbers. */
export function diffView(text, path) {
  const lines = el("div", { class: "diff-lines" });
  let before = 0;
  let after = 0;
  const rows = text.split("\n");
  if (rows.at(-1) === "") rows.pop();
  const left = rows.splice(MOST_LINES).length;
  for (const row of rows) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(row);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.append(line("hunk", "", "", row));
    } else if (before === 0 && after === 0) {
      // The names of the file are in the heading.
    } else if (row.startsWith("+")) {
      lines.append(line("add", after, "+", row.slice(1)));
      after += 1;
    } else if (row.startsWith("-")) {
      lines.append(line("del", before, "−", row.slice(1)));
      before += 1;
    } else if (row.startsWith("\\")) {
      lines.append(line("hunk", "", "", row));
    } else {
      lines.append(line("same", after, "", row.slice(1)));
      before += 1;
      after += 1;
    }
  }
  if (left > 0) lines.append(line("hunk", "", "", `${left} more lines of the diff are not shown`));
  return el("div", { class: "diff", role: "region", "aria-label": `Diff of ${path}`, tabindex: "0" }, lines);
}

function line(kind, number, sign, text) {
  return el("div", { class: kind },
    el("span", { class: "no" }, String(number)),
    el("span", { class: "sign" }, sign),
    el("span", { class: "text" }, shortened(text) || " "));
}

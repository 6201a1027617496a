// Where lines that were shown are now, for a server that does not know what was shown (its state was lost, or it was shown by another one).
//
// A line is followed only with proof: it stands in a run of lines that occurs once in what was shown and once in the file as it is, letter for
// letter. A line that changed is never replaced by what stands at its number now, and no line is found by its tag alone.

import type { EditOperation } from "./answers.js";
import { refOf } from "./refs.js";

/** How many lines before and after a line must be the same, as far as they were shown. */
const AROUND = 2;

/** A line as it was shown. */
type Line = { number: number; ref: string; text: string };

/**
 * Returns the edits with refs of `fresh`, the whole file as it is now, for edits with refs of `shown`; both are annotated text. Returns
 * `undefined` if one of the lines cannot be followed with proof.
 */
export function movedLines(shown: string, fresh: string, edits: readonly EditOperation[]): EditOperation[] | undefined {
  const [before, now] = [parse(shown), parse(fresh)];
  if (!before || !now) return undefined;
  const moved: EditOperation[] = [];
  for (const edit of edits) {
    const one = follow(edit, before, now);
    if (!one) return undefined;
    moved.push(one);
  }
  return moved;
}

function follow(edit: EditOperation, before: Line[], now: Line[]): EditOperation | undefined {
  if ("ref" in edit) {
    const ref = followRange(edit.ref, edit.ref, before, now);
    return ref && { ...edit, ref: ref[0] };
  }
  const range = followRange(edit.start_ref, edit.end_ref, before, now);
  return range && { ...edit, start_ref: range[0], end_ref: range[1] };
}

/** Returns the refs of the first and the last line of a range, as they are now. All its lines must be as they were shown. */
function followRange(startRef: string, endRef: string, before: Line[], now: Line[]): [string, string] | undefined {
  const start = before.findIndex((line) => line.ref === refOf(startRef));
  const end = before.findIndex((line) => line.ref === refOf(endRef));
  if (start < 0 || end < start) return undefined;
  const first = Math.max(0, start - AROUND);
  const block = before.slice(first, end + AROUND + 1);
  // A line without a neighbour proves nothing about its place, and lines that were shown apart are no run.
  const isRun = block.every((line, index) => line.number === block[0]!.number + index);
  if (block.length < 2 || !isRun || occurrences(block, before).length !== 1) return undefined;
  const [place, ...others] = occurrences(block, now);
  if (place === undefined || others.length > 0) return undefined;
  const at = (index: number) => now[place + index - first]!.ref;
  return [at(start), at(end)];
}

function occurrences(block: Line[], lines: Line[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + block.length <= lines.length; at += 1) {
    if (block.every((line, index) => line.text === lines[at + index]!.text)) places.push(at);
  }
  return places;
}

/** Parses annotated text; `undefined` if a line has no anchor. */
function parse(annotated: string): Line[] | undefined {
  const lines: Line[] = [];
  for (const shown of annotated.split("\n")) {
    const bar = shown.indexOf("|");
    const ref = bar < 0 ? undefined : refOf(shown.slice(0, bar));
    if (ref === undefined) return undefined;
    lines.push({ number: Number.parseInt(ref, 10), ref, text: shown.slice(bar + 1) });
  }
  return lines;
}

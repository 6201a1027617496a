// The five properties of seed 001, over the running service: every file is read and edited through the worker, and its bytes are compared.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import fc from "fast-check";
import { editInSandbox, readFromSandbox, stripAnchors } from "hashline-client/push";

import { stage } from "./stage.mjs";

const RUNS = { numRuns: 100 };

/** A line's text: ordinary ones, twins, blank ones, and those that look like anchored lines. */
const line = fc.oneof(
  fc.constantFrom("", "}", "  }", "\t", "return x;", "1:4qN7|function hello() {", "2:OcoM|2:OcoM|x", "12:abcd"),
  fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replace(/\p{Cc}/gu, "~")),
);
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const eol = fc.constantFrom("\n", "\r\n");
/**
 * A whole file: its lines, their ending, and whether the last line has one. A last line without text needs one to be a line; a file without any
 * has no style, and gets LF.
 */
const file = fc.record({ lines, eol, ended: fc.boolean() }).map(({ lines, eol, ended }) => {
  const isEnded = ended || lines.at(-1) === "";
  return { lines, eol: lines.length === 1 && !isEnded ? "\n" : eol, ended: isEnded };
});

const text = ({ lines, eol, ended }) => lines.join(eol) + (ended && lines.length > 0 ? eol : "");

/** New text. From text that begins with its own anchor the service removes it, and says so: that is no line to write as it is. */
const newLine = line.map((text) => text.replace(/^\d+:\w{4,5}\|/, "12-abcd|"));

/** Edits of different lines: for each line from the first, what happens to it, or to it and the next ones. */
const plan = fc.array(
  fc.record({
    type: fc.constantFrom("keep", "keep", "replace_line", "replace_range", "insert_after", "insert_before", "delete_line", "delete_range"),
    count: fc.integer({ min: 1, max: 3 }),
    payload: fc.array(newLine, { minLength: 1, maxLength: 3 }).map((lines) => [...lines.slice(0, -1), lines.at(-1) || "end"]),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Returns the edits that a plan means for a file, and the lines after them: a slow and obvious twin of the service. */
function carryOut(plan, { lines }, refs) {
  const [edits, after] = [[], []];
  let at = 0;
  for (const { type, count, payload } of plan) {
    if (at >= lines.length) break;
    const last = type.endsWith("_range") ? Math.min(at + count, lines.length) - 1 : at;
    const place = type.endsWith("_range") ? { start_ref: refs[at], end_ref: refs[last] } : { ref: refs[at] };
    const new_content = payload.join("\n");
    if (type.startsWith("delete")) edits.push({ type, ...place });
    else if (type !== "keep") edits.push({ type, ...place, new_content });
    if (type === "insert_before") after.push(...payload);
    if (!/^(replace|delete)/.test(type)) after.push(lines[at]);
    if (/^replace|^insert_after/.test(type)) after.push(...payload);
    at = last + 1;
  }
  return { edits, after: [...after, ...lines.slice(at)] };
}

describe("properties", () => {
  let all;
  let count = 0;
  before(async () => (all = await stage()));
  after(() => all.end());

  /** Makes a new file and reads it with anchors. */
  async function shown(bytes) {
    const path = `${(count += 1)}.txt`;
    all.put(path, bytes);
    const read = await readFromSandbox("main", path, { ...all.options, annotate: true });
    assert.equal(read.ok, true, read.message);
    const refs = read.content.split("\n").map((shown) => shown.split("|")[0]);
    return { path, read, refs };
  }

  const edit = (path, edits, more) => editInSandbox("main", path, edits, { ...all.options, ...more });
  const check = (arbitrary, law) => fc.assert(fc.asyncProperty(arbitrary, law), RUNS);

  it("annotate → strip → original content", () =>
    check(fc.tuple(file), async ([original]) => {
      const { read, refs } = await shown(text(original));
      assert.equal(stripAnchors(read.content), original.lines.join("\n"));
      assert.equal(read.total_lines, original.lines.length);
      refs.forEach((ref, index) => assert.match(ref, new RegExp(`^${index + 1}:[0-9A-Za-z]{4}$`)));
    }));

  it("edits with random valid refs never corrupt", () =>
    check(fc.tuple(file, plan), async ([original, plan]) => {
      const { path, read, refs } = await shown(text(original));
      const { edits, after } = carryOut(plan, original, refs);
      fc.pre(edits.length > 0);
      const done = await edit(path, edits, { rev: read.rev });
      assert.equal(done.ok, true, done.message);
      assert.equal(all.get(path).toString(), text({ ...original, lines: after }));
      // A blank line that comes to stand last in a file without a final line ending has no bytes: it is no line any more.
      const isLost = !original.ended && after.at(-1) === "";
      assert.deepEqual([done.applied, done.total_lines], [edits.length, after.length - (isLost ? 1 : 0)]);
    }));

  it("overlapping edits are always rejected", () =>
    check(fc.tuple(file, plan, fc.nat(), fc.nat(), fc.constantFrom("delete_line", "replace_line", "insert_after", "insert_before", "delete_range")), async ([original, plan, which, where, type]) => {
      const { path, read, refs } = await shown(text(original));
      const { edits } = carryOut(plan, original, refs);
      fc.pre(edits.length > 0);
      // One more edit that shares a line with one of them, anywhere in the list.
      const met = edits[which % edits.length];
      const ref = met.ref ?? met.end_ref;
      const place = type.endsWith("_range") ? { start_ref: ref, end_ref: ref } : { ref };
      const more = { type, ...place, ...(!type.startsWith("delete") && { new_content: "x" }) };
      edits.splice(where % (edits.length + 1), 0, more);
      const refused = await edit(path, edits, { rev: read.rev });
      assert.deepEqual([refused.ok, refused.error], [false, "overlapping_edits"]);
      assert.equal(all.get(path).toString(), text(original));
    }));

  it("stale refs are always detected", () =>
    check(fc.tuple(file, plan, fc.nat(), fc.boolean()), async ([original, plan, which, names]) => {
      const { path, read, refs } = await shown(text(original));
      const { edits } = carryOut(plan, original, refs);
      fc.pre(edits.length > 0);
      // Somebody else changes a line that one of the edits names.
      const { ref, start_ref } = edits[which % edits.length];
      const index = refs.indexOf(ref ?? start_ref);
      const changed = text({ ...original, lines: original.lines.with(index, `changed: ${original.lines[index]}`) });
      all.put(path, changed);
      const refused = await edit(path, edits, names ? { rev: read.rev } : {});
      assert.deepEqual([refused.ok, refused.error], [false, "stale_ref"]);
      assert.ok(refused.fresh_refs.some((fresh) => stripAnchors(fresh) === `changed: ${original.lines[index]}`));
      assert.equal(all.get(path).toString(), changed);
    }));

  it("the EOL style is preserved through annotate and edit", () =>
    check(fc.tuple(lines, fc.array(eol, { minLength: 12, maxLength: 12 }), fc.nat(), fc.boolean()), async ([lines, endings, which, uniform]) => {
      // Of its own or all the same: every line that is not edited keeps its ending, and a replaced line has that of the one before.
      const ends = uniform ? endings.fill(endings[0]) : endings;
      const joined = (lines) => lines.map((line, index) => line + ends[index]).join("");
      const { path, refs } = await shown(joined(lines));
      const index = which % lines.length;
      const done = await edit(path, [{ type: "replace_line", ref: refs[index], new_content: "replaced" }]);
      assert.equal(done.ok, true, done.message);
      assert.equal(all.get(path).toString(), joined(lines.with(index, "replaced")));
      const inserted = await edit(path, [{ type: "insert_after", ref: done.window.flat().find((line) => line.endsWith("|replaced")), new_content: "x\ny" }]);
      assert.equal(inserted.ok, true, inserted.message);
      const now = all.get(path).toString();
      const [kept, rest] = [joined(lines.with(index, "replaced").slice(0, index + 1)), lines.slice(index + 1).map((line, at) => line + ends[index + 1 + at])];
      assert.ok(now.startsWith(kept) && now.endsWith(rest.join("")), now);
      if (uniform) assert.equal(now, lines.with(index, "replaced\rx\ry").join("\r").replaceAll("\r", ends[0]) + ends[0]);
    }));
});

// What a model reads off a text with anchors: the lines, and the revision they were shown in.

// `12:a3|text`; marks (`>>> `) or blanks may stand before it, and a client that numbers lines itself puts a tab for the colon.
const LINE = /^(?:>>> | {4})? *(\d+)[:\t→]([0-9a-f]{2})\|(.*)$/;
// `rev 1afbbb71`, `"rev":"1afbbb71"`, `"revs":{"a.py":"1afbbb71"}`.
const REVISION = /\brevs?\b\W{1,5}(?:[^"\n]+":")?([0-9a-f]{8})\b/g;

/** Returns `{ rev, lines: [{ number, anchor, text }] }`; the last revision that is named counts, for refusals name the current one last. */
export function anchored(seen) {
  const lines = seen.split('\n').flatMap((line) => {
    const [, number, tag, text] = LINE.exec(line) ?? [];
    return number ? [{ number: Number(number), anchor: `${number}:${tag}`, text }] : [];
  });
  const revisions = [...seen.matchAll(REVISION)].map((match) => match[1]);
  return { rev: revisions.at(-1), lines };
}

/** Returns the anchor of the one line that holds `part`. */
export function anchorOf(part, { lines }) {
  const found = lines.filter((line) => line.text.includes(part));
  const anchors = new Set(found.map((line) => line.anchor));
  if (anchors.size !== 1) throw new Error(`${anchors.size} anchors were shown for lines with ${JSON.stringify(part)}`);
  return found[0].anchor;
}

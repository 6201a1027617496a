// Refs of seed 001: `12:OcoM`, and `12:OcoM|text` before a line. What a line is now is the server's to say; nothing here computes a tag.

// Five digits are the long form of some tags, which the server accepts.
const ANCHOR = /^\d+:[0-9A-Za-z]{4,5}\|/;
const REF = /^\s*([1-9]\d*)\s*:\s*([0-9A-Za-z]{4,5})\s*(?:\|.*)?$/s;

/**
 * Removes the anchor before each line, for people to read. Only for text that is known to be annotated: a line of a file may itself begin
 * like an anchor, so one is removed and never more.
 */
export function stripAnchors(annotated: string): string {
  return annotated
    .split("\n")
    .map((line) => line.replace(ANCHOR, ""))
    .join("\n");
}

/** Returns the ref as the server shows it, without spaces and without the text of the line; `undefined` if it is not a ref. */
export function refOf(text: string): string | undefined {
  const parts = REF.exec(text);
  return parts ? `${parts[1]}:${parts[2]}` : undefined;
}

/** Returns the refs that an edit has, in the order in which the server checks them. */
export function refsOf(edit: { ref?: string; start_ref?: string; end_ref?: string }): string[] {
  return [edit.ref, edit.start_ref, edit.end_ref].filter((ref) => ref !== undefined);
}

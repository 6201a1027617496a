// A model for trying the example without one: it makes `hello()` return "moon". It reads what it is told as a model would: every ref it sends was
// shown to it, and a refusal makes it try again with what the refusal shows.

const PATH = "hello.ts";
const WANTED = '  return "moon";';

/** Returns the next message. */
export async function model(messages) {
  const told = messages.at(-1);
  const file = /^hello\.ts \(rev (\w+)/m.exec(told.content);
  const line = told.content.split("\n").find((shown) => shown.includes("|  return "));
  if (messages.length === 2) return call("sandbox_read_file", { path: PATH });
  if (told.content.startsWith("Done")) return 'hello() returns "moon" now.';
  if (told.content.startsWith("edit_disabled")) return call("sandbox_write_file", { path: PATH, content: whole(messages) });
  const rev = file?.[1] ?? /"rev":"(\w+)"/.exec(told.content)?.[1];
  if (!line || !rev) return `I cannot go on: ${told.content}`;
  return call("sandbox_edit_file", { path: PATH, rev, edits: [{ type: "replace_line", ref: line.split("|")[0], new_content: WANTED }] });
}

/** Returns the whole file with the change, from the last time that it was shown. */
function whole(messages) {
  const shown = messages.findLast(({ role, content }) => role === "user" && content.startsWith(`${PATH} (`)).content;
  const lines = shown.split("\n").slice(1);
  const text = lines.map((line) => line.slice(line.indexOf("|") + 1));
  return text.map((line) => (line.startsWith("  return ") ? WANTED : line)).join("\n") + "\n";
}

function call(tool, args) {
  return `\`\`\`json\n${JSON.stringify({ tool, args })}\n\`\`\``;
}

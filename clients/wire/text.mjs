// The text of a tool result, whichever way a wire format wraps it.

/** Returns the text of a string, a content block, or a list of content blocks; several blocks stand on lines of their own. */
export function textOf(content) {
  if (content == null) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  if (typeof content.text === 'string') return content.text;
  if (content.content !== undefined) return textOf(content.content);
  return JSON.stringify(content);
}

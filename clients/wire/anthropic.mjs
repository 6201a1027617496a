// Anthropic Messages: `POST /v1/messages`.

import { textOf } from './text.mjs';

const USAGE = { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const anthropic = {
  matches: (path) => path.endsWith('/v1/messages'),

  read(body) {
    return {
      tools: (body.tools ?? []).map((tool) => tool.name),
      results: body.messages.flatMap(({ content }) => (Array.isArray(content) ? resultsIn(content) : [])),
    };
  },

  write(reply, { body, serial }) {
    const block = reply.tool
      ? { type: 'tool_use', id: `toolu_stub${serial}`, name: reply.tool, input: reply.input }
      : { type: 'text', text: reply.text };
    const stopReason = reply.tool ? 'tool_use' : 'end_turn';
    const message = { id: `msg_stub${serial}`, type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage: USAGE };
    return {
      whole: { ...message, content: [block], stop_reason: stopReason },
      events: [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: reply.tool ? { ...block, input: {} } : { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: deltaOf(reply) },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 10 } },
        { type: 'message_stop' },
      ].map((data) => ({ event: data.type, data })),
    };
  },
};

function deltaOf(reply) {
  return reply.tool ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) } : { type: 'text_delta', text: reply.text };
}

// What stands beside a result in one message (the words of a hook, reminders) is read with it.
function resultsIn(blocks) {
  const results = [];
  for (const block of blocks) {
    if (block.type === 'tool_result') results.push({ text: textOf(block.content), isError: block.is_error === true });
    else if (block.type === 'text' && results.length > 0) results.at(-1).text += `\n${block.text}`;
  }
  return results;
}

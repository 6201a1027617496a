// OpenAI Chat Completions: `POST /v1/chat/completions`.

import { textOf } from './text.mjs';

const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

export const chat = {
  matches: (path) => path.endsWith('/chat/completions'),

  read(body) {
    return {
      tools: (body.tools ?? []).map((tool) => tool.function?.name),
      results: body.messages
        .filter((message) => message.role === 'tool')
        // The format has no mark for errors: the text must say it.
        .map((message) => ({ text: textOf(message.content), isError: undefined })),
    };
  },

  write(reply, { body, serial }) {
    const base = { id: `chat_${serial}`, created: 1, model: body.model };
    const finishReason = reply.tool ? 'tool_calls' : 'stop';
    const call = {
      index: 0,
      id: `call_${serial}`,
      type: 'function',
      function: { name: reply.tool, arguments: JSON.stringify(reply.input) },
    };
    const message = { role: 'assistant', content: reply.text ?? null, ...(reply.tool ? { tool_calls: [call] } : {}) };
    const chunk = (delta, finish_reason) => ({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
    return {
      whole: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finishReason }], usage: USAGE },
      events: [{ data: chunk(message, null) }, { data: { ...chunk({}, finishReason), usage: USAGE } }, { data: '[DONE]' }],
    };
  },
};

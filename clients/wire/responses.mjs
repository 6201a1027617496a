// OpenAI Responses: `POST /v1/responses`.
//
// A tool may be in a namespace (`reply.namespace`), and one that takes free text instead of JSON is called with a string as `input`.

import { textOf } from './text.mjs';

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 20,
};

export const responses = {
  matches: (path) => path.endsWith('/responses'),

  read(body) {
    return {
      tools: [body, ...body.input.filter((item) => item.type === 'additional_tools')].flatMap((item) => namesOf(item.tools ?? [])),
      results: body.input
        .filter((item) => item.type?.endsWith('_call_output'))
        // The format has no mark for errors: the text must say it.
        .map((item) => ({ text: textOf(item.output), isError: undefined })),
    };
  },

  write(reply, { body, serial }) {
    const item = itemOf(reply, serial);
    const whole = {
      id: `resp_${serial}`,
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: body.model,
      output: [item],
      usage: USAGE,
    };
    const delta = { type: 'response.output_text.delta', item_id: item.id, output_index: 0, content_index: 0, delta: reply.text };
    return {
      whole,
      events: [
        { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
        ...(reply.tool ? [] : [delta]),
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: whole },
      ].map((data) => ({ event: data.type, data })),
    };
  },
};

// Tools in a namespace have its name before theirs, except for those of the agent itself.
function namesOf(tools) {
  return tools.flatMap((tool) => {
    if (tool.type !== 'namespace') return [tool.name ?? tool.type];
    const inside = namesOf(tool.tools);
    return tool.name === 'functions' ? inside : inside.map((name) => `${tool.name}__${name}`);
  });
}

function itemOf(reply, serial) {
  const status = 'completed';
  if (!reply.tool) {
    return {
      type: 'message',
      id: `msg_${serial}`,
      role: 'assistant',
      status,
      content: [{ type: 'output_text', text: reply.text, annotations: [] }],
    };
  }
  const call = { call_id: `call_${serial}`, name: reply.tool, namespace: reply.namespace, status };
  return typeof reply.input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${serial}`, ...call, input: reply.input }
    : { type: 'function_call', id: `fc_${serial}`, ...call, arguments: JSON.stringify(reply.input) };
}

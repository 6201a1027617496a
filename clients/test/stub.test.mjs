// The stub in its four wire formats: what a client sends is understood, and what it gets is what the script says.

import assert from 'node:assert/strict';
import test from 'node:test';

import { startStub } from '../stub.mjs';

const CALL = { tool: 'read', input: { path: 'a b.py' } };

// For each format: where it is asked, a request with one tool and one result, and where the call is found in the answer.
const FORMATS = [
  {
    name: 'Anthropic Messages',
    path: '/v1/messages?beta=true',
    body: {
      tools: [{ name: 'read' }],
      messages: [{ role: 'user', content: [{ type: 'tool_result', is_error: true, content: [{ type: 'text', text: 'seen' }] }] }],
    },
    isError: true,
    call: ({ content: [block] }) => ({ tool: block.name, input: block.input }),
  },
  {
    name: 'OpenAI Responses',
    path: '/v1/responses',
    body: { tools: [{ type: 'function', name: 'read' }], input: [{ type: 'function_call_output', output: 'seen' }] },
    isError: undefined,
    call: ({ output: [item] }) => ({ tool: item.name, input: JSON.parse(item.arguments) }),
  },
  {
    name: 'Chat Completions',
    path: '/v1/chat/completions',
    body: { tools: [{ type: 'function', function: { name: 'read' } }], messages: [{ role: 'tool', content: 'seen' }] },
    isError: undefined,
    call: ({ choices: [{ message }] }) => {
      const { name, arguments: input } = message.tool_calls[0].function;
      return { tool: name, input: JSON.parse(input) };
    },
  },
  {
    name: 'Gemini',
    path: '/v1beta/models/some:generateContent',
    body: {
      tools: [{ functionDeclarations: [{ name: 'read' }] }],
      contents: [{ role: 'user', parts: [{ functionResponse: { name: 'read', response: { error: 'seen' } } }] }],
    },
    isError: true,
    call: ({ candidates: [{ content }] }) => ({ tool: content.parts[0].functionCall.name, input: content.parts[0].functionCall.args }),
  },
];

for (const { name, path, body, isError, call } of FORMATS) {
  test(`${name}: results in, a call out`, async () => {
    const asked = [];
    const stub = await startStub((question) => (asked.push(question), CALL));
    try {
      const answer = await post(stub, path, body);
      assert.deepEqual(call(await answer.json()), CALL);
      assert.deepEqual(asked[0].tools, ['read']);
      assert.deepEqual(asked[0].results, [{ text: 'seen', isError }]);
    } finally {
      await stub.close();
    }
  });
}

test('a script that throws ends the run and is remembered', async () => {
  const stub = await startStub(() => {
    throw new Error('not as it must be');
  });
  try {
    const answer = await post(stub, FORMATS[0].path, FORMATS[0].body);
    assert.equal(answer.status, 400);
    assert.match(stub.problems[0].message, /not as it must be/);
  } finally {
    await stub.close();
  }
});

test('a request without tools never reaches the script', async () => {
  const stub = await startStub(() => assert.fail('asked'));
  try {
    const answer = await post(stub, FORMATS[2].path, { messages: [{ role: 'user', content: 'a title' }] });
    assert.equal(answer.status, 200);
  } finally {
    await stub.close();
  }
});

function post({ port }, path, body) {
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

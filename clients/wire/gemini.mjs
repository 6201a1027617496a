// Gemini: `POST /v1beta/models/MODEL:generateContent`, and `:streamGenerateContent` for events.

const USAGE = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };

export const gemini = {
  matches: (path) => /:(streamG|g)enerateContent$/.test(path),

  read(body) {
    const parts = body.contents.flatMap((content) => content.parts ?? []);
    return {
      tools: (body.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map((declared) => declared.name)),
      results: parts.filter((part) => part.functionResponse).map((part) => resultOf(part.functionResponse.response)),
    };
  },

  write(reply, { serial }) {
    // A call without a signature is taken for one that was not thought about, and complained of.
    const part = reply.tool
      ? { functionCall: { id: `call_${serial}`, name: reply.tool, args: reply.input }, thoughtSignature: 'c3R1Yg==' }
      : { text: reply.text };
    const whole = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: USAGE,
      modelVersion: 'stub',
    };
    return { whole, events: [{ data: whole }] };
  },
};

// The client answers `{ output }` or `{ error }`; anything else is shown as it came.
function resultOf(response) {
  if (typeof response?.output === 'string') return { text: response.output, isError: false };
  if (typeof response?.error === 'string') return { text: response.error, isError: true };
  return { text: JSON.stringify(response), isError: false };
}

// A model that follows a script: an HTTP server on 127.0.0.1 that speaks the wire formats of the agents.
//
// It holds no text of its own. What the model says next is asked of `next`, with all tool results that the agent has sent so far; what
// the agent sent and what it got is therefore known to the byte. It never looks at keys and never answers anybody but this machine.

import http from 'node:http';

import { anthropic } from './wire/anthropic.mjs';
import { chat } from './wire/chat.mjs';
import { gemini } from './wire/gemini.mjs';
import { responses } from './wire/responses.mjs';

// A wire format is `{ matches(path), read(body), write(reply, request), names }`. `read` gives `{ tools, results }`: the names of the tools on offer
// and `[{ text, isError }]` in order; `write` gives the events of a stream, or one object if no stream was asked for.
const WIRES = [anthropic, responses, chat, gemini];

// More than any agent sends in these runs; a client gone wild ends here and not in the memory of the machine.
const MAX_BODY = 64 * 1024 * 1024;

/**
 * Starts a stub. `next({ tools, results, body })` returns `{ tool, input }` or `{ text }`, or a promise of one.
 * Returns `{ port, requests, problems, close }`; `requests` are the bodies as they came, `problems` what `next` has thrown.
 */
export async function startStub(next) {
  const requests = [];
  const problems = [];
  const server = http.createServer((request, response) => {
    answer(request, response, next, requests).catch((problem) => {
      problems.push(problem);
      // A status that no client tries again: the run is over.
      sendJson(response, 400, { error: { type: 'invalid_request_error', message: `stub: ${problem.message}` } });
    });
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { port: server.address().port, requests, problems, close };
}

async function answer(request, response, next, requests) {
  const text = await bodyOf(request);
  const path = new URL(request.url, 'http://stub').pathname;
  if (/count_?tokens$/i.test(path)) return sendJson(response, 200, { input_tokens: 10, totalTokens: 10 });
  const wire = WIRES.find((wire) => wire.matches(path));
  if (request.method !== 'POST' || !wire) {
    return sendJson(response, 404, { error: { type: 'not_found_error', message: `stub: no ${request.method} ${path}` } });
  }
  const body = JSON.parse(text);
  requests.push({ path, body });
  const asked = wire.read(body);
  // Titles, summaries and the like are asked for without tools: any text will do.
  const reply = asked.tools.length > 0 ? await next({ ...asked, body }) : { text: '{"title":"stub","next_speaker":"user"}' };
  const streamed = body.stream === true || /:stream/i.test(path);
  const written = wire.write(reply, { body, serial: requests.length });
  return streamed ? sendEvents(response, written.events) : sendJson(response, 200, written.whole);
}

function bodyOf(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    request.on('data', (chunk) => {
      size += chunk.length;
      if (size > MAX_BODY) request.destroy(new Error('the body is too large'));
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', reject);
  });
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

// An event is `{ event?, data }`; data that is a string already is sent as it is.
function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { event, data } of events) {
    if (event) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

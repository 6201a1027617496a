// The pi extension with the real program, called as pi calls it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { anchored, anchorOf } from '../anchors.mjs';
import { inProject, PROGRAM } from '../workbench.mjs';

const EXTENSION = fileURLToPath(new URL('../../crates/hashline-setup/assets/pi/hashline.ts', import.meta.url));
const jiti = await import('jiti').catch(() => undefined);
const skip = PROGRAM && jiti ? false : 'HASHLINE_BIN names no program, or pi is not installed';
const theme = { fg: (_colour, text) => text, bold: (text) => text };

async function started(folder) {
  // As pi does: the packages that an extension may import are its own.
  const packages = ['@earendil-works/pi-coding-agent', '@earendil-works/pi-tui', 'typebox'];
  const alias = Object.fromEntries(packages.map((name) => [name, fileURLToPath(import.meta.resolve(name))]));
  const load = await jiti.createJiti(import.meta.url, { alias, moduleCache: false }).import(EXTENSION, { default: true });
  const tools = {};
  const handlers = {};
  let active = ['read', 'bash', 'edit', 'write'];
  const here = process.cwd();
  process.chdir(folder);
  try {
    await load({
      registerTool: (tool) => (tools[tool.name] = tool),
      on: (event, handler) => (handlers[event] = handler),
      getActiveTools: () => active,
      setActiveTools: (names) => (active = names),
    });
  } finally {
    process.chdir(here);
  }
  const ctx = { cwd: folder, hasUI: false, sessionManager: { getSessionId: () => 'one' } };
  const call = async (name, input) => tools[name].execute('id', input, undefined, undefined, ctx);
  return { tools, handlers, ctx, call, active: () => active };
}

test('read takes many paths and searches them', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'zwei\ntwo\n' }, async (folder) => {
    const { call } = await started(folder);
    const all = (await call('read', { paths: ['a.txt', '@b.txt'] })).content[0].text;
    assert.deepEqual(anchored(all).lines.length, 5);
    const found = (await call('read', { paths: ['a.txt', 'b.txt'], search: '^T', regex: true, contextAfter: 1 })).content[0].text;
    assert.deepEqual(
      anchored(found).lines.map((line) => line.text),
      ['two', 'three', 'two'],
    );
  }),
);

test('apply_hash changes files by anchors, and a refusal is an error that begins with what was not done', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\n' }, async (folder) => {
    const { call } = await started(folder);
    const shown = anchored((await call('read', { path: 'a.txt' })).content[0].text);
    const request = (rev) => ({
      patch: [
        { op: 'set_line', path: 'a.txt', anchor: anchorOf('two', shown), text: 'zwei' },
        { op: 'add_file', path: 'b.txt', content: 'new\n' },
      ],
      revs: { 'a.txt': rev },
    });
    await assert.rejects(call('apply_hash', request('00000000')), /^Error: Nothing was written\./);
    await call('apply_hash', request(shown.rev));
    assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'one\nzwei\n');
    assert.equal(await readFile(join(folder, 'b.txt'), 'utf8'), 'new\n');
  }),
);

test('edit and write are taken away, and stopped if somebody brings them back', { skip }, () =>
  inProject({}, async (folder) => {
    const { handlers, ctx, active } = await started(folder);
    await handlers.session_start({}, ctx);
    assert.deepEqual(active(), ['read', 'bash']);
    const stopped = await handlers.tool_call({ toolName: 'write', input: {} }, ctx);
    assert.match(stopped.reason, /^Nothing was written\. .* apply_hash/);
  }),
);

test('the guard stops a read in the shell and lets other commands pass', { skip }, () =>
  inProject({ 'a.txt': 'one\n' }, async (folder) => {
    const { handlers, ctx } = await started(folder);
    const shell = (command) => handlers.tool_call({ toolName: 'bash', input: { command } }, ctx);
    assert.match((await shell('cat a.txt')).reason, /^Not run: .* Use the tool read/);
    assert.equal(await shell('echo hello'), undefined);
  }),
);

test('a long answer is one line until it is opened', { skip }, () =>
  inProject({ 'a.txt': 'line\n'.repeat(100) }, async (folder) => {
    const { call, tools } = await started(folder);
    (await import('@earendil-works/pi-coding-agent')).initTheme('dark', false);
    const result = await call('read', { path: 'a.txt' });
    const lines = (expanded) => tools.read.renderResult(result, { expanded, isPartial: false }, theme, {}).render(200).length;
    assert.equal(lines(false), 1);
    assert.equal(lines(true), 101);
  }),
);

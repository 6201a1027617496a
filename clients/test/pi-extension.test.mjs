// The pi extension with the real program, called as pi calls it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';

import { anchored, anchorOf } from '../anchors.mjs';
import { assertPage, inProject, NASTY, NO_PI as skip, PROGRAM, startPi } from '../workbench.mjs';

const theme = { fg: (_colour, text) => text, bold: (text) => text };

test('read takes many paths and searches them', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'zwei\ntwo\n' }, async (folder) => {
    const { call } = await startPi(folder);
    const all = await call('read', { paths: ['a.txt', '@b.txt'] });
    assert.deepEqual(anchored(all).lines.length, 5);
    const found = await call('read', { paths: ['a.txt', 'b.txt'], search: '^T', regex: true, contextAfter: 1 });
    assert.deepEqual(
      anchored(found).lines.map((line) => line.text),
      ['two', 'three', 'two'],
    );
  }),
);

test('apply_hash changes files by anchors, and a refusal is an error that begins with what was not done', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\n' }, async (folder) => {
    const { call } = await startPi(folder);
    const shown = anchored(await call('read', { path: 'a.txt' }));
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
    const { handlers, ctx, active } = await startPi(folder);
    await handlers.session_start({}, ctx);
    assert.deepEqual(active(), ['read', 'bash', 'apply_hash']);
    const stopped = await handlers.tool_call({ toolName: 'write', input: {} }, ctx);
    assert.match(stopped.reason, /^Nothing was written\. .* apply_hash/);
  }),
);

test('the guard stops a read in the shell and lets other commands pass', { skip }, () =>
  inProject({ 'a.txt': 'one\n' }, async (folder) => {
    const { shell } = await startPi(folder);
    assert.match((await shell('cat a.txt')).reason, /^Not run: .* Use the tool read/);
    assert.equal(await shell('echo hello'), undefined);
  }),
);

test('a long answer is one line until it is opened', { skip }, () =>
  inProject({ 'a.txt': 'line\n'.repeat(100) }, async (folder) => {
    const { tools, ctx } = await startPi(folder);
    (await import('@earendil-works/pi-coding-agent')).initTheme('dark', false);
    const result = await tools.read.execute('id', { path: 'a.txt' }, undefined, undefined, ctx);
    const lines = (expanded) => tools.read.renderResult(result, { expanded, isPartial: false }, theme, {}).render(200).length;
    assert.equal(lines(false), 1);
    assert.equal(lines(true), 101);
  }),
);

test('switched off, the built-in tools stay', { skip }, () =>
  inProject({ '.hashline-off': '' }, async (folder) => {
    const { tools, handlers } = await startPi(folder);
    assert.deepEqual([tools, handlers], [{}, {}]);
  }),
);

test("switched off in the middle, pi's own tools are back, and ours after that", { skip }, () =>
  inProject({ 'a.txt': 'one\n', 'b.txt': 'two\n' }, async (folder) => {
    const { call, shell, handlers, ctx, active } = await startPi(folder);
    const native = (toolName) => handlers.tool_call({ toolName, input: {} }, ctx);
    await handlers.session_start({}, ctx);
    const off = join(folder, '.hashline-off');
    await writeFile(off, '');
    await handlers.turn_start({}, ctx);
    assert.deepEqual(active(), ['read', 'bash', 'edit', 'write']);
    assert.equal(await native('edit'), undefined);
    assert.equal(await shell('cat a.txt'), undefined);
    assert.equal((await call('read', { path: 'a.txt' })).trimEnd(), 'one');
    assert.match(await call('read', { paths: ['a.txt', 'b.txt'] }), /\none\n[^]*\ntwo$/);
    await assert.rejects(call('apply_hash', { patch: [] }), /^Error: Nothing was written: hashline is turned off by the file /);
    await rm(off);
    await handlers.before_agent_start({}, ctx);
    assert.deepEqual(active(), ['read', 'bash', 'apply_hash']);
    assert.match((await native('edit')).reason, /apply_hash/);
  }),
);

test('what setup installs is one file that works', { skip }, () =>
  inProject({ 'a.txt': 'one\n', '.git/HEAD': '' }, async (folder) => {
    const { status, stderr } = spawnSync(PROGRAM, ['setup', 'pi', '--project'], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const { call } = await startPi(folder, { extension: join(folder, '.pi/extensions/hashline.ts') });
    assert.match(await call('read', { path: 'a.txt' }), /\|one$/);
  }),
);

test('no answer is longer than a page, whatever the file is like', { skip }, () =>
  inProject({ 'a.txt': NASTY, 'short.txt': 'x\n'.repeat(20_000) }, async (folder) => {
    const { call } = await startPi(folder);
    const texts = [];
    const tell = async (tool, input) => texts.push(await call(tool, input).catch((problem) => problem.message));
    await tell('read', { path: 'a.txt', limit: 1 });
    const shown = anchored(texts[0]);
    const edit = (text) => ({ patch: [{ op: 'set_line', path: 'a.txt', anchor: shown.lines[0].anchor, text }], revs: { 'a.txt': shown.rev } });
    // Beside a line of 678 KB, and with the anchor of a line that is no more.
    await tell('apply_hash', edit('uno'));
    await tell('apply_hash', edit('due'));
    await tell('read', { paths: ['a.txt', 'short.txt'] });
    await tell('read', { paths: ['short.txt', 'a.txt'] });
    await tell('read', { path: 'a.txt', search: 'o', contextAfter: 3 });
    await tell('apply_hash', { patch: [{ op: 'add_file', path: 'new.txt', content: 'é\n'.repeat(30_000) }] });
    for (const text of texts) assertPage(text);
    assert.match(texts[1], /^Applied 1 edit/);
  }),
);

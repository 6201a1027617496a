// The OpenCode plugin with the real program, called as OpenCode calls it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';

import { anchored, anchorOf } from '../anchors.mjs';
import { assertPage, inProject, NASTY, NO_OPENCODE as skip, PROGRAM, startOpenCode } from '../workbench.mjs';

test('a file name is never taken for a shell command or an option', { skip }, () =>
  inProject({ '--$(touch x) y.txt': 'one\n' }, async (folder) => {
    const { call } = await startOpenCode(folder);
    const { output } = await call('read', { filePath: '--$(touch x) y.txt' });
    assert.deepEqual(
      anchored(output).lines.map((line) => line.text),
      ['one'],
    );
  }),
);

test('an edit asks for leave with its diff, and a denial writes nothing', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\n' }, async (folder) => {
    const { call, asked } = await startOpenCode(folder);
    const shown = anchored((await call('read', { filePath: 'a.txt' })).output);
    const edit = { path: 'a.txt', rev: shown.rev, edits: [{ set_line: { anchor: anchorOf('two', shown), new_text: 'zwei' } }] };
    await call('edit', edit);
    assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'one\nzwei\n');
    assert.deepEqual(
      asked.map(({ permission, patterns }) => [permission, ...patterns]),
      [
        ['read', 'a.txt'],
        ['edit', 'a.txt'],
      ],
    );
    assert.match(asked[1].metadata.diff, /^\+zwei$/m);
    const denied = await startOpenCode(folder, { answer: async () => assert.fail('denied') });
    await assert.rejects(denied.call('write', { filePath: 'new.txt', content: 'x' }), /denied/);
    await assert.rejects(readFile(join(folder, 'new.txt')));
  }),
);

test('a path outside the project asks for that, too', { skip }, () =>
  inProject({}, async (folder) => {
    const { call, asked } = await startOpenCode(folder);
    await call('read', { filePath: '/etc/hostname' }).catch(() => {});
    assert.equal(asked[0].permission, 'external_directory');
  }),
);

test('a move asks about both places', { skip }, () =>
  inProject({ 'a.txt': 'one\n' }, async (folder) => {
    const { call, asked } = await startOpenCode(folder);
    const { rev } = anchored((await call('read', { filePath: 'a.txt' })).output);
    await call('edit', { path: 'a.txt', rev, edits: [{ op: 'move', to_path: 'b.txt' }] });
    assert.deepEqual(asked.slice(1).flatMap(({ patterns }) => patterns), ['a.txt', 'b.txt']);
  }),
);

test('a file is written as sent, and anchors that were copied are refused', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\n' }, async (folder) => {
    const { call } = await startOpenCode(folder);
    const disk = (name) => readFile(join(folder, name), 'utf8');
    const { output } = await call('read', { filePath: 'a.txt' });
    const { rev } = anchored(output);
    const content = `${output.split('\n').slice(1).join('\n')}\n`;
    await assert.rejects(call('write', { filePath: 'a.txt', rev, content }), /^Error: Nothing was written\..*contains anchors that were shown/);
    await assert.rejects(call('write', { filePath: 'b.txt', content }), /contains anchors that fit the text behind them/);
    await assert.rejects(call('write', { filePath: 'a.txt', content: 'x' }), /^Error: Nothing was written\./);
    assert.equal(await disk('a.txt'), 'one\ntwo\n');
    await call('write', { filePath: 'b.txt', content, keep_anchors: true });
    assert.equal(await disk('b.txt'), content);
    await call('write', { filePath: 'a.txt', rev, content: 'new\r\nlast' });
    assert.equal(await disk('a.txt'), 'new\r\nlast');
  }),
);

test('folders and pictures are shown as ever', { skip }, () =>
  inProject({ 'b.png': Buffer.from('89504e470d0a1a0a', 'hex'), 'a.txt': '' }, async (folder) => {
    const { call } = await startOpenCode(folder);
    assert.equal((await call('read', { filePath: '.' })).output, 'a.txt\nb.png');
    const { attachments } = await call('read', { filePath: 'b.png' });
    assert.equal(attachments[0].url, 'data:image/png;base64,iVBORw0KGgo=');
  }),
);

test('a big picture is refused and a big folder cut', { skip }, () =>
  inProject({ 'b.png': '' }, async (folder) => {
    const { call } = await startOpenCode(folder);
    await truncate(join(folder, 'b.png'), 30 * 1024 * 1024);
    await assert.rejects(call('read', { filePath: 'b.png' }), /^Error: Nothing was read: b\.png has 31457280 bytes/);
    const many = join(folder, 'many');
    await mkdir(many);
    await Promise.all(Array.from({ length: 2000 }, (_, number) => writeFile(join(many, `${number}`.padStart(100, '0')), '')));
    const { output } = await call('read', { filePath: 'many' });
    assert.ok(Buffer.byteLength(output) < 50 * 1024);
    assert.match(output, /\n\(1\d\d\d more are not shown: /);
  }),
);

test('a search shows matches with their neighbours', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'two\n' }, async (folder) => {
    const { call } = await startOpenCode(folder);
    const { output } = await call('read', { paths: ['a.txt', 'b.txt'], search: 'TWO', contextBefore: 1 });
    assert.deepEqual(
      anchored(output).lines.map((line) => line.text),
      ['one', 'two', 'two'],
    );
  }),
);

test('the guard stops a write in the shell and lets other commands pass', { skip }, () =>
  inProject({ 'a.txt': 'one\n' }, async (folder) => {
    const { shell } = await startOpenCode(folder);
    await assert.rejects(shell('sed -i s/one/two/ a.txt'), /^Error: Not run: `sed` changes a\.txt without anchors\. Use the tool edit/);
    await shell('echo hello');
  }),
);

test('switched off, the built-in tools stay', { skip }, () =>
  inProject({ '.hashline-off': '' }, async (folder) => {
    assert.deepEqual((await startOpenCode(folder)).hooks, {});
  }),
);

test('switched off in the middle, the tools say so and how to go on, and the shell is free', { skip }, () =>
  inProject({ 'a.txt': 'one\n' }, async (folder) => {
    const { call, shell } = await startOpenCode(folder);
    const off = join(folder, '.hashline-off');
    await writeFile(off, '');
    for (const [name, args] of [
      ['read', { filePath: 'a.txt' }],
      ['write', { filePath: 'b.txt', content: '' }],
    ])
      await assert.rejects(call(name, args), /^Error: Nothing was done: hashline is turned off by the file .*\.hashline-off\. Without that/);
    await shell('cat a.txt');
    await rm(off);
    assert.match((await call('read', { filePath: 'a.txt' })).output, /\|one$/);
    await assert.rejects(shell('cat a.txt'), /Not run/);
  }),
);

test('what setup installs is one file that works', { skip }, () =>
  inProject({ 'a.txt': 'one\n', '.git/HEAD': '' }, async (folder) => {
    const { status, stderr } = spawnSync(PROGRAM, ['setup', 'opencode', '--project'], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const plugin = join(folder, '.opencode/plugins/hashline.mjs');
    // OpenCode takes it for a module by itself; Node goes by the name.
    await rename(join(folder, '.opencode/plugins/hashline.js'), plugin);
    assert.deepEqual(Object.keys(await import(plugin)), ['Hashline']);
    assert.match((await (await startOpenCode(folder, { plugin })).call('read', { filePath: 'a.txt' })).output, /\|one$/);
  }),
);

test('no answer is longer than a page, whatever the file is like', { skip }, () =>
  inProject({ 'a.txt': NASTY, 'short.txt': 'x\n'.repeat(20_000) }, async (folder) => {
    const { call } = await startOpenCode(folder);
    const texts = [];
    const tell = async (tool, args) =>
      texts.push(await call(tool, args).then(({ output }) => output, (problem) => problem.message));
    await tell('read', { filePath: 'a.txt', limit: 1 });
    const shown = anchored(texts[0]);
    const edit = (text) => ({ path: 'a.txt', rev: shown.rev, edits: [{ set_line: { anchor: shown.lines[0].anchor, new_text: text } }] });
    // Beside a line of 678 KB, and with the anchor of a line that is no more.
    await tell('edit', edit('uno'));
    await tell('edit', edit('due'));
    await tell('read', { paths: ['a.txt', 'short.txt'] });
    await tell('read', { paths: ['short.txt', 'a.txt'] });
    await tell('write', { filePath: 'new.txt', content: 'é\n'.repeat(30_000) });
    for (const text of texts) assertPage(text);
    assert.match(texts[1], /^Applied 1 edit/);
  }),
);

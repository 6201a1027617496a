// The OpenCode plugin with the real program, called as OpenCode calls it.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';

import { anchored, anchorOf } from '../anchors.mjs';
import { inProject, PROGRAM } from '../workbench.mjs';

const PLUGIN = new URL('../../crates/hashline-setup/assets/opencode/hashline.js', import.meta.url);
const skip = PROGRAM ? false : 'HASHLINE_BIN names no program';

async function started(directory) {
  const logged = [];
  const client = { app: { log: async ({ body }) => logged.push(body) } };
  const { Hashline } = await import(PLUGIN);
  const hooks = await Hashline({ client, directory, worktree: directory });
  const asked = [];
  const context = { directory, sessionID: 'one', ask: async (question) => asked.push(question) };
  const call = (name, args) => hooks.tool[name].execute(args, context);
  return { hooks, logged, asked, call };
}

test('a file name is never taken for a shell command or an option', { skip }, () =>
  inProject({ '--$(touch x) y.txt': 'one\n' }, async (folder) => {
    const { call } = await started(folder);
    const { output } = await call('read', { filePath: '--$(touch x) y.txt' });
    assert.deepEqual(
      anchored(output).lines.map((line) => line.text),
      ['one'],
    );
  }),
);

test('an edit asks for leave with its diff, and a denial writes nothing', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\n' }, async (folder) => {
    const { call, asked } = await started(folder);
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
    const { Hashline } = await import(PLUGIN);
    const { tool } = await Hashline({ directory: folder, worktree: folder });
    const denied = { directory: folder, sessionID: 'one', ask: async () => assert.fail('denied') };
    await assert.rejects(tool.write.execute({ filePath: 'new.txt', content: 'x' }, denied), /denied/);
    await assert.rejects(readFile(join(folder, 'new.txt')));
  }),
);

test('a path outside the project asks for that, too', { skip }, () =>
  inProject({}, async (folder) => {
    const { call, asked } = await started(folder);
    await call('read', { filePath: '/etc/hostname' }).catch(() => {});
    assert.equal(asked[0].permission, 'external_directory');
  }),
);

test('a long file comes in pages that name the next one', { skip }, () =>
  inProject({ 'long.txt': Array.from({ length: 4000 }, (_, n) => `line ${n + 1} ${'x'.repeat(60)}\n`).join('') }, async (folder) => {
    const { call } = await started(folder);
    const seen = [];
    for (let offset = 1; offset;) {
      const { output } = await call('read', { filePath: 'long.txt', offset });
      assert.ok(Buffer.byteLength(output) <= 50 * 1024, 'OpenCode would cut it');
      seen.push(...anchored(output).lines.map((line) => line.number));
      offset = Number(/go on with offset (\d+)\)$/.exec(output)?.[1] ?? 0);
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 4000 }, (_, n) => n + 1),
    );
  }),
);

test('folders and pictures are shown as ever', { skip }, () =>
  inProject({ 'b.png': Buffer.from('89504e470d0a1a0a', 'hex'), 'a.txt': '' }, async (folder) => {
    const { call } = await started(folder);
    assert.equal((await call('read', { filePath: '.' })).output, 'a.txt\nb.png');
    const { attachments } = await call('read', { filePath: 'b.png' });
    assert.equal(attachments[0].url, 'data:image/png;base64,iVBORw0KGgo=');
  }),
);

test('a search shows matches with their neighbours', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'two\n' }, async (folder) => {
    const { call } = await started(folder);
    const { output } = await call('read', { paths: ['a.txt', 'b.txt'], search: 'TWO', contextBefore: 1 });
    assert.deepEqual(
      anchored(output).lines.map((line) => line.text),
      ['one', 'two', 'two'],
    );
  }),
);

test('the guard stops a write in the shell and lets other commands pass', { skip }, () =>
  inProject({ 'a.txt': 'one\n' }, async (folder) => {
    const { hooks } = await started(folder);
    const shell = (command) => hooks['tool.execute.before']({ tool: 'bash' }, { args: { command } });
    await assert.rejects(shell('sed -i s/one/two/ a.txt'), /^Error: Not run: `sed` changes a\.txt without anchors\. Use the tool edit/);
    await shell('echo hello');
  }),
);

test('switched off, or without the program, the built-in tools stay', { skip }, () =>
  inProject({}, async (folder) => {
    await writeFile(join(folder, '.hashline-off'), '');
    assert.deepEqual((await started(folder)).hooks, {});
  }),
);

// What the plugins share, with the real program.

import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';

import { anchored } from '../anchors.mjs';
import { inProject, NO_OPENCODE as skip } from '../workbench.mjs';

const { objection, offBy, PAGE_BYTES, readPages, rootOf, run } = await import('../../crates/hashline-agents/assets/shared.js');

const MOST = PAGE_BYTES + 2048;

/** Reads as a model does that goes on as it is told; returns the numbers of all lines that it saw. */
async function numbersOf(asked, file, cwd) {
  const seen = [];
  for (let offset = asked.offset ?? 1; offset;) {
    const text = await readPages({ ...asked, offset }, [file], (args) => run(args, { cwd, session: 'one' }));
    assert.ok(Buffer.byteLength(text) <= MOST, `${Buffer.byteLength(text)} bytes would be cut by the agent`);
    seen.push(...anchored(text).lines.map((line) => line.number));
    offset = Number(/go on with offset (\d+)\)$/.exec(text)?.[1] ?? 0);
  }
  return seen;
}

const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1);
const lines = (count, text) => upTo(count).map((number) => `${text(number)}\n`).join('');

test('pages are measured in bytes', { skip }, () =>
  inProject({ 'wide.txt': lines(1400, (number) => `${number} ${'錨'.repeat(30)}`) }, async (folder) => {
    assert.deepEqual(await numbersOf({}, 'wide.txt', folder), upTo(1400));
  }),
);

test('a page of one line names the next one, too', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\nthree\n', 'long.txt': lines(3, () => 'x'.repeat(40_000)) }, async (folder) => {
    assert.deepEqual(await numbersOf({ limit: 1 }, 'a.txt', folder), upTo(3));
    assert.deepEqual(await numbersOf({}, 'long.txt', folder), upTo(3));
  }),
);

test('a search comes in pages that name the next one', { skip }, () =>
  inProject({ 'a.txt': lines(3000, (number) => `${number % 2 ? 'odd' : 'even'} ${'x'.repeat(number % 500)}`) }, async (folder) => {
    const odd = upTo(3000).filter((number) => number % 2);
    assert.deepEqual(await numbersOf({ search: 'odd' }, 'a.txt', folder), odd);
    assert.deepEqual(await numbersOf({ search: 'odd', limit: 1000 }, 'a.txt', folder), odd);
    const around = await numbersOf({ search: 'odd', contextAfter: 1 }, 'a.txt', folder);
    assert.deepEqual([...new Set(around)], upTo(3000));
  }),
);

test('several files share one page, and what has no room is named', { skip }, () =>
  inProject({ 'a.txt': lines(250, () => 'x'.repeat(80)), 'b.txt': lines(200, () => 'y'.repeat(80)), 'c.txt': 'z\n' }, async (folder) => {
    const text = await readPages({}, ['a.txt', 'none.txt', 'b.txt', 'c.txt'], (args) => run(args, { cwd: folder }));
    assert.ok(Buffer.byteLength(text) <= MOST);
    assert.match(text, /^none\.txt was not read: /m);
    assert.match(text, /^\(lines \d+-200 of b\.txt are not shown: go on with that file alone, offset \d+\)$/m);
    assert.match(text, /^\(there was no room for c\.txt: /m);
    await assert.rejects(readPages({}, ['none.txt'], (args) => run(args, { cwd: folder })), /none\.txt was not read/);
  }),
);

test('a line that is longer than a page is cut, between characters', { skip }, () =>
  inProject({ 'a.txt': `${'錨'.repeat(30_000)}\nlast\n` }, async (folder) => {
    const text = await readPages({}, ['a.txt'], (args) => run(args, { cwd: folder }));
    assert.ok(Buffer.byteLength(text) <= MOST);
    assert.match(text, /錨\n\(cut here: .*\)\n\(lines 2-2 are not shown: go on with offset 2\)$/);
  }),
);

test('what the guard objects to is told by its fields', { skip }, () =>
  inProject({}, async (folder) => {
    const told = (command) => objection(command, { cwd: folder, root: folder, editor: 'edit' });
    assert.match(await told("cat 'a;b.txt'"), /^Not run: `cat` shows a;b\.txt without anchors\. Use the tool read/);
    assert.match(await told('git apply p'), /^Not run: `git` changes files without anchors\. Use the tool edit\.$/);
    assert.equal(await told('echo hello'), undefined);
  }),
);

test('the off switches are those of the hook', () =>
  inProject({ '.git/HEAD': '', 'src/deep/a.txt': '' }, async (folder) => {
    const deep = join(folder, 'src/deep');
    assert.equal(offBy(deep), undefined);
    for (const word of ['off', 'OFF', 'Off']) {
      process.env.HASHLINE_HOOK = word;
      assert.match(offBy(deep), /HASHLINE_HOOK/);
    }
    process.env.HASHLINE_HOOK = 'on';
    await writeFile(join(folder, '../.hashline-off'), '');
    assert.equal(offBy(deep), undefined, 'it lies outside of the root');
    delete process.env.HASHLINE_HOOK;
    await symlink('nowhere', join(folder, '.hashline-off'));
    assert.equal(offBy(deep), `the file ${join(folder, '.hashline-off')}`);
  }),
);

test('the root is that of the program: a mark counts where it marks a project of the own', () =>
  inProject({ 'a/b/c.txt': '' }, async (folder) => {
    const below = join(folder, 'a/b');
    const [mark, home] = [join(folder, '.hashline'), process.env.HOME];
    assert.equal(rootOf(below), below);
    await mkdir(mark, { mode: 0o700 });
    assert.equal(rootOf(below), folder);
    try {
      for (const common of [folder, below]) {
        process.env.HOME = common;
        assert.equal(rootOf(below), below, 'it holds the home of the user');
      }
      process.env.HOME = dirname(folder);
      assert.equal(rootOf(below), folder);
    } finally {
      process.env.HOME = home;
    }
    await chmod(folder, 0o777);
    assert.equal(rootOf(below), below, 'anybody can put things there');
    await chmod(folder, 0o755);
    await chmod(mark, 0o777);
    assert.equal(rootOf(below), below, 'anybody can write into the mark');
  }),
);

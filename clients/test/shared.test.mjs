// What the plugins share, with the real program.

import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';

import { anchored } from '../anchors.mjs';
import { assertPage, inProject, NO_OPENCODE as skip } from '../workbench.mjs';

const { objection, offBy, readPages, rootOf, run, send } = await import('../../crates/hashline-agents/assets/shared.js');

/** Reads as a model does that goes on as it is told; returns the numbers of all lines that it saw. */
async function numbersOf(asked, file, cwd) {
  const seen = [];
  for (let next = { ...asked, path: file }; next;) {
    const text = await readPages(next, [next.path], (args) => run(args, { cwd, session: 'one' }));
    assertPage(text);
    seen.push(...anchored(text).lines.map((line) => line.number));
    next = JSON.parse(/\nNext: read (\{.*\})$/.exec(text)?.[1] ?? 'null');
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

test('a page ends where it was asked to, or names the next one', { skip }, () =>
  inProject({ 'a.txt': 'one\ntwo\nthree\n', 'long.txt': lines(3, () => 'x'.repeat(40_000)) }, async (folder) => {
    assert.deepEqual(await numbersOf({ limit: 1 }, 'a.txt', folder), [1]);
    assert.deepEqual(await numbersOf({}, 'long.txt', folder), upTo(3));
  }),
);

test('a search comes in pages that name the next one', { skip }, () =>
  inProject({ 'a.txt': lines(3000, (number) => `${number % 2 ? 'odd' : 'even'} ${'x'.repeat(number % 500)}`) }, async (folder) => {
    const odd = upTo(3000).filter((number) => number % 2);
    assert.deepEqual(await numbersOf({ search: 'odd' }, 'a.txt', folder), odd);
    assert.deepEqual(await numbersOf({ search: 'odd', maxMatches: 700 }, 'a.txt', folder), odd.slice(0, 700));
    assert.deepEqual(await numbersOf({ search: 'odd', limit: 2000 }, 'a.txt', folder), odd.slice(0, 1000));
    const around = await numbersOf({ search: 'odd', contextAfter: 1 }, 'a.txt', folder);
    assert.deepEqual([...new Set(around)], upTo(3000));
  }),
);

test('several files share one page, and what has no room is named', { skip }, () =>
  inProject({ 'a.txt': lines(250, () => 'x'.repeat(80)), 'b.txt': lines(200, () => 'y'.repeat(80)), 'c.txt': 'z\n' }, async (folder) => {
    const text = await readPages({}, ['a.txt', 'none.txt', 'b.txt', 'c.txt'], (args) => run(args, { cwd: folder }));
    assertPage(text);
    assert.match(text, /^There is no file none\.txt\.$/m);
    assert.match(text, /^Next: read \{"path":"b\.txt","offset":\d+\}$/m);
    assert.match(text, /^Not shown, there is no room: 1 more\.\nNext: read \{"paths":\["c\.txt"\]\}$/m);
    await assert.rejects(readPages({}, ['none.txt'], (args) => run(args, { cwd: folder })), /^Error: There is no file none\.txt\./);
    await assert.rejects(readPages({ search: '(', regex: true }, ['a.txt'], (args) => run(args, { cwd: folder })), /^Error: Nothing was read: /);
  }),
);

/** Sends an edit with these anchors, as a model that takes them from what it read. */
function replaced(folder, text, [anchor, end]) {
  const { rev } = anchored(text);
  const edit = end ? { replace_lines: { start_anchor: anchor, end_anchor: end, new_text: 'X' } } : { set_line: { anchor, new_text: 'X' } };
  return send([], { cwd: folder, session: 'one', input: JSON.stringify({ path: 'a.txt', rev, edits: [edit] }) });
}

test('a line that is longer than a page is cut, between characters, and does not count as shown', { skip }, () =>
  inProject({ 'a.txt': `${'錨'.repeat(30_000)}\nlast\n` }, async (folder) => {
    const text = await readPages({}, ['a.txt'], (args) => run(args, { cwd: folder, session: 'one' }));
    assertPage(text);
    assert.match(text, /錨 \[\.\.\. \d+ more bytes of this line are not shown\]\n\(cut: there is more\)\nNext: /);
    const [cut] = anchored(text).lines.map((line) => line.anchor);
    await assert.rejects(replaced(folder, text, [cut]), /^Error: Nothing was written\./);
  }),
);

test('lines that a page leaves out do not count as shown', { skip }, () =>
  inProject({ 'a.txt': lines(1000, (number) => `${number} ${'w'.repeat(300)}`) }, async (folder) => {
    const read = (asked) => readPages(asked, ['a.txt'], (args) => run(args, { cwd: folder, session: 'one' }));
    const whole = await read({});
    const last = anchored(whole).lines.at(-1);
    const found = await read({ search: '900 w' });
    const far = anchored(found).lines[0];
    assert.ok(last.number < 900 && far.number === 900);
    await assert.rejects(replaced(folder, found, [last.anchor, far.anchor]), /^Error: Nothing was written\./);
    // Of a search, too: of these matches the page shows a part.
    const many = anchored(await read({ search: 'w', maxMatches: 900 })).lines.at(-1);
    await assert.rejects(replaced(folder, found, [many.anchor, far.anchor]), /^Error: Nothing was written\./);
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

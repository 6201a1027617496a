// The plugins with a program that does not answer: nothing is written unasked, and nobody is told that nothing happened if nobody knows.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { inProject, NO_OPENCODE, NO_PI, PROGRAM, startOpenCode, startPi } from '../workbench.mjs';

// `BROKEN` says what it does not answer, and how it ends then.
const BROKEN = `#!/bin/sh
case "$BROKEN:$*" in
  plan-fails:*--dry-run*) echo boom >&2; exit 2 ;;
  plan-is-empty:*--dry-run*) echo '{"ok":true,"files":[]}'; exit 0 ;;
  plan-is-killed:*--dry-run*) kill -9 $$ ;;
  *:*--dry-run*) ;;
  apply-is-killed:apply*) kill -9 $$ ;;
  apply-is-slow:apply*) exec sleep 30 ;;
esac
exec "$REAL_HASHLINE" "$@"
`;

const top = await mkdtemp(join(tmpdir(), 'hashline-broken-'));
after(() => rm(top, { recursive: true }));
process.env.REAL_HASHLINE = PROGRAM;
process.env.HASHLINE_BIN = join(top, 'hashline');
await writeFile(process.env.HASHLINE_BIN, BROKEN);
await chmod(process.env.HASHLINE_BIN, 0o755);

const NEW = { filePath: 'new.txt', content: 'x\n' };
const UNKNOWN = /^Error: It is not known whether anything was written: hashline was .*\. Read the file again/;

for (const [broken, why] of [
  ['plan-fails', /^Error: Nothing was written: .* exit code 2: boom\./],
  ['plan-is-empty', /^Error: Nothing was written: the change names no file\./],
  ['plan-is-killed', /^Error: Nothing was written: .* ended by SIGKILL\./],
]) {
  test(`OpenCode writes nothing that it could not ask about: ${broken}`, { skip: NO_OPENCODE }, () =>
    inProject({}, async (folder) => {
      process.env.BROKEN = broken;
      const { call, asked } = await startOpenCode(folder);
      await assert.rejects(call('write', NEW), why);
      await assert.rejects(readFile(join(folder, 'new.txt')));
      assert.deepEqual(asked, []);
    }),
  );
}

test('OpenCode is told that it is not known whether an edit was made', { skip: NO_OPENCODE }, () =>
  inProject({}, async (folder) => {
    process.env.BROKEN = 'apply-is-killed';
    const { call } = await startOpenCode(folder);
    await assert.rejects(call('write', NEW), UNKNOWN);
  }),
);

test('OpenCode is told so of an edit that was taken back, too', { skip: NO_OPENCODE }, () =>
  inProject({}, async (folder) => {
    process.env.BROKEN = 'apply-is-slow';
    const taken = new AbortController();
    // Asked just before the edit is made.
    const answer = async () => void setTimeout(() => taken.abort(), 300);
    const { call } = await startOpenCode(folder, { answer, signal: taken.signal });
    await assert.rejects(call('write', NEW), UNKNOWN);
    await assert.rejects(call('write', NEW), /^Error: Nothing was done: the call was taken back/);
  }),
);

test('pi is told that it is not known whether an edit was made', { skip: NO_PI }, () =>
  inProject({}, async (folder) => {
    const add = { patch: [{ op: 'add_file', path: 'new.txt', content: 'x\n' }] };
    process.env.BROKEN = 'apply-is-killed';
    await assert.rejects((await startPi(folder)).call('apply_hash', add), UNKNOWN);
    process.env.BROKEN = 'apply-is-slow';
    const taken = new AbortController();
    setTimeout(() => taken.abort(), 1000);
    await assert.rejects((await startPi(folder, { signal: taken.signal })).call('apply_hash', add), UNKNOWN);
  }),
);

// Programs under limits.

import assert from 'node:assert/strict';
import test from 'node:test';

import { run } from '../process.mjs';

const node = (script, seconds = 30) => run([process.execPath, '-e', script], { cwd: '/', env: {}, seconds });

test('a program that says too much has failed', async () => {
  await assert.rejects(node("process.stdout.write('x'.repeat(20 * 1024 * 1024))"), /says more than 16777216 bytes/);
  await assert.rejects(node("process.stderr.write('x'.repeat(20 * 1024 * 1024))"), /says more than 16777216 bytes/);
});

test('a program that takes too long is ended', async () => {
  const { timedOut, stdout } = await node("process.stdout.write('begun'); setInterval(() => {}, 1000)", 1);
  assert.deepEqual([timedOut, stdout], [true, 'begun']);
});

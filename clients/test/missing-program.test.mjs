// The plugins where the program is not installed: the agent keeps its own tools and is told why.

import assert from 'node:assert/strict';
import test from 'node:test';

process.env.HASHLINE_BIN = 'hashline-that-is-not-there';

test('OpenCode keeps its tools, and the log says why', async () => {
  const { Hashline } = await import('../../crates/hashline-setup/assets/opencode/hashline.js');
  const logged = [];
  const client = { app: { log: async ({ body }) => logged.push(body.message) } };
  assert.deepEqual(await Hashline({ client, directory: '/', worktree: '/' }), {});
  assert.match(logged[0], /hashline-that-is-not-there is not installed or not on the PATH; the built-in tools stay/);
});

// The plugins where the program is not installed: the agent keeps its own tools and is told why.

import assert from 'node:assert/strict';
import test from 'node:test';

import { inProject, NO_PI, startOpenCode, startPi } from '../workbench.mjs';

process.env.HASHLINE_BIN = 'hashline-that-is-not-there';

const WHY = /hashline-that-is-not-there is not installed or not on the PATH; the built-in tools stay$/;

test('OpenCode keeps its tools, and the log says why', () =>
  inProject({}, async (folder) => {
    const { hooks, logged } = await startOpenCode(folder);
    assert.deepEqual(hooks, {});
    assert.match(logged[0].message, WHY);
  }),
);

test('pi keeps its tools, and the person is told why', { skip: NO_PI }, () =>
  inProject({}, async (folder) => {
    const { tools, handlers, ctx, notified, active } = await startPi(folder);
    assert.deepEqual(Object.keys(tools), []);
    assert.deepEqual(Object.keys(handlers), ['session_start']);
    await handlers.session_start({}, ctx);
    assert.match(notified[0], WHY);
    assert.deepEqual(active(), ['read', 'bash', 'edit', 'write']);
  }),
);

// pi: `read` is ours by name, `apply_hash` takes the place of `edit` and `write`.

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { setUp } from '../setup.mjs';

export const pi = {
  name: 'pi',
  title: 'pi 0.74.2',

  async configure(sandbox, port) {
    await sandbox.writeHome('.pi/agent/models.json', JSON.stringify(provider(port)));
    await setUp(sandbox, 'pi');
  },

  command: (_sandbox, prompt) => [join(CLIENTS, 'node_modules/.bin/pi'), '-p', '--provider', 'stub', '--model', 'stub-model', prompt],

  env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }),

  checkOffer(offered) {
    assert.deepEqual([...offered].sort(), ['apply_hash', 'bash', 'read']);
  },

  model: () => ({
    read: (path) => ({ tool: 'read', input: { path } }),
    edit: (path, rev, anchor, text) => ({
      tool: 'apply_hash',
      input: { patch: [{ op: 'set_line', path, anchor, text }], revs: { [path]: rev } },
    }),
    shell: (command) => ({ tool: 'bash', input: { command } }),
    reader: 'read',
    editor: 'apply_hash',
    gone: 'Tool edit not found',
    nativeEdit: (path, from, to) => ({ tool: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
    plainRead: (path) => ({ tool: 'read', input: { path } }),
    plainEdit: (path, from, to) => ({ tool: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
  }),
};

function provider(port) {
  return {
    providers: {
      stub: {
        baseUrl: `http://127.0.0.1:${port}/v1`,
        api: 'openai-completions',
        apiKey: 'none',
        compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
        models: [{ id: 'stub-model' }],
      },
    },
  };
}

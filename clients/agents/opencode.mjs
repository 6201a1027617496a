// OpenCode: `read` and `edit` are ours by name, in a plugin; the built-in ones are gone.

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { setUp } from '../setup.mjs';

export const opencode = {
  name: 'opencode',
  title: 'OpenCode 1.18.33',

  async configure(sandbox, port) {
    await sandbox.writeHome('.config/opencode/opencode.json', JSON.stringify(provider(port)));
    await setUp(sandbox, 'opencode');
  },

  command: (_sandbox, prompt) => [join(CLIENTS, 'node_modules/opencode-linux-x64/bin/opencode'), 'run', '--format', 'json', prompt],

  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }),

  checkOffer(_offered, body) {
    const edit = body.tools.find((tool) => tool.function.name === 'edit').function;
    assert.ok(edit.parameters.required.includes('rev'), 'edit must ask for rev');
    assert.ok(!('oldString' in edit.parameters.properties), 'the built-in edit must be gone');
  },

  model: () => ({
    named: /\bedit\b/,
    bare: (seen) => seen,
    read: (path) => ({ tool: 'read', input: { filePath: path } }),
    edit: (path, rev, anchor, text) => ({ tool: 'edit', input: { path, rev, edits: [{ set_line: { anchor, new_text: text } }] } }),
    shell: (command) => ({ tool: 'bash', input: { command, description: 'Runs a command' } }),
    nativeEdit: (path, from, to) => ({ tool: 'edit', input: { filePath: path, oldString: from, newString: to } }),
    plainRead: (path) => ({ tool: 'read', input: { filePath: path } }),
    plainEdit: (path, from, to) => ({ tool: 'edit', input: { filePath: path, oldString: from, newString: to } }),
  }),
};

function provider(port) {
  return {
    $schema: 'https://opencode.ai/config.json',
    model: 'stub/stub-model',
    small_model: 'stub/stub-model',
    provider: {
      stub: {
        npm: '@ai-sdk/openai-compatible',
        name: 'stub',
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none' },
        models: { 'stub-model': { tool_call: true, limit: { context: 100000, output: 8000 } } },
      },
    },
  };
}

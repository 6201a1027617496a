// OpenCode: `read` and `edit` are ours by name, in a plugin; the built-in ones are gone. To GPT models it offers `apply_patch` instead of `edit`
// and `write`, and that is ours, too.

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { patch } from '../scenario.mjs';
import { setUp } from '../setup.mjs';

export const opencode = {
  ...opencodeWith({ id: 'stub-model', editor: 'edit' }),
  name: 'opencode',
  title: 'OpenCode 1.18.33',
};

export const opencodeGpt = {
  ...opencodeWith({ id: 'gpt-stub', editor: 'apply_patch' }),
  name: 'opencode-gpt',
  title: 'OpenCode 1.18.33 with a GPT model',
};

/** Returns OpenCode with a model of this name, to which the tool `editor` is offered. */
function opencodeWith({ id, editor }) {
  return {
    async configure(sandbox, port) {
      await sandbox.writeHome('.config/opencode/opencode.json', JSON.stringify(provider(port, id)));
      await setUp(sandbox, 'opencode');
    },

    command: (_sandbox, prompt) => [join(CLIENTS, 'node_modules/opencode-linux-x64/bin/opencode'), 'run', '--format', 'json', prompt],

    env: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      // It installs a package of types beside every plugin, and would try the registry again and again before it goes on without.
      npm_config_offline: 'true',
    }),

    checkOffer(_offered, body) {
      const { parameters } = body.tools.find((tool) => tool.function.name === editor).function;
      assert.ok(parameters.required.includes('rev'), 'the editor must ask for rev');
      assert.deepEqual(
        ['oldString', 'patchText'].filter((name) => name in parameters.properties),
        [],
        'the built-in one must be gone',
      );
    },

    model: () => ({
      reader: 'read',
      editor,
      read: (path) => ({ tool: 'read', input: { filePath: path } }),
      edit: (path, rev, anchor, text) => ({ tool: editor, input: { path, rev, edits: [{ set_line: { anchor, new_text: text } }] } }),
      shell: (command) => ({ tool: 'bash', input: { command, description: 'Runs a command' } }),
      nativeEdit: editor === 'edit' ? replacement : patched,
      plainRead: (path) => ({ tool: 'read', input: { filePath: path } }),
      plainEdit: editor === 'edit' ? replacement : patched,
    }),
  };
}

function replacement(path, from, to) {
  return { tool: 'edit', input: { filePath: path, oldString: from, newString: to } };
}

function patched(path, from, to) {
  return { tool: 'apply_patch', input: { patchText: patch(path, from, to) } };
}

function provider(port, id) {
  return {
    $schema: 'https://opencode.ai/config.json',
    model: `stub/${id}`,
    small_model: `stub/${id}`,
    provider: {
      stub: {
        npm: '@ai-sdk/openai-compatible',
        name: 'stub',
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none' },
        models: { [id]: { tool_call: true, limit: { context: 100000, output: 8000 } } },
      },
    },
  };
}

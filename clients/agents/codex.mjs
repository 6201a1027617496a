// Codex: tools over MCP, a hook in front of `apply_patch` and the shell. It has no tool to read files: they are read in the shell, or by us.

import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { setUp } from '../setup.mjs';

export const codex = {
  name: 'codex',
  title: 'Codex 0.166.0',

  async configure(sandbox, port) {
    await sandbox.writeHome('.codex/config.toml', config(port, sandbox));
    await setUp(sandbox, 'codex');
  },

  command: (_sandbox, prompt) => [join(CLIENTS, 'node_modules/.bin/codex'), 'exec', '--dangerously-bypass-hook-trust', '--json', prompt],

  env: (_port, sandbox) => ({ CODEX_HOME: join(sandbox.home, '.codex'), STUB_KEY: 'none' }),

  // Commands get numbers and times of their own.
  steady: (text) =>
    text.replace(/^Chunk ID: \w+$/gm, 'Chunk ID: 000000').replace(/^Wall time: [\d.]+ seconds$/gm, 'Wall time: 0.0000 seconds'),

  model: () => ({
    bare: (seen) => seen.replace(/^Wall time: .*\nOutput:\n/, ''),
    reader: 'mcp__hl__read',
    editor: 'mcp__hl__edit',
    read: (path) => ({ tool: 'read', namespace: 'mcp__hl', input: { path } }),
    edit: (path, rev, anchor, text) => ({
      tool: 'edit',
      namespace: 'mcp__hl',
      input: { path, rev, edits: [{ set_line: { anchor, new_text: text } }] },
    }),
    shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
    nativeEdit: (path, from, to) => patch(path, from, to),
    plainEdit: (path, from, to) => patch(path, from, to),
  }),
};

function patch(path, from, to) {
  const line = (text) => `    return f"{boat} for {hours} h: ${text}"`;
  const [old, now] = from === 'EUR' ? ['{cost} EUR', `{cost} ${to}`] : [`{cost:.2f} ${from}`, `{cost:.2f} ${to}`];
  return { tool: 'apply_patch', input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${line(old)}\n+${line(now)}\n*** End Patch\n` };
}

// gpt-5.5 is the newest bundled model that calls tools directly; the later ones write JavaScript that calls them.
function config(port, { project }) {
  return `model = "gpt-5.5"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:${port}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
supports_websockets = false

[projects."${project}"]
trust_level = "trusted"
`;
}

// Codex: tools over MCP, a hook in front of `apply_patch` and the shell. It has no tool to read files: they are read in the shell, or by us.
//
// Its newest models call no tools but write JavaScript that does ("code mode"); both ways are played.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { patch } from '../scenario.mjs';
import { setUp } from '../setup.mjs';

export const codex = {
  // The newest bundled model that calls tools directly.
  ...codexWith('gpt-5.5', (name, input) => {
    const [, tool] = /^mcp__hl__(\w+)$/.exec(name) ?? [];
    return tool ? { tool, namespace: 'mcp__hl', input } : { tool: name, input };
  }),
  name: 'codex',
  title: 'Codex 0.166.0',
};

export const codexCodeMode = {
  ...codexWith('gpt-6-astra', (name, input) => ({
    tool: 'exec',
    // Our tools are called as the instructions of hashline say.
    input: name.startsWith('mcp__')
      ? `text((await tools.${name}(${JSON.stringify(input)})).content[0].text)`
      : `const answer = await tools.${name}(${JSON.stringify(input)});\ntext(answer.output ?? answer);`,
  })),
  name: 'codex-code-mode',
  title: 'Codex 0.166.0 in code mode',
};

/** Returns Codex with one of its bundled models; `call(name, input)` says how that one calls a tool. */
function codexWith(slug, call) {
  return {
    async configure(sandbox, port) {
      await sandbox.writeHome('.codex/config.toml', config(slug, port, sandbox));
      await setUp(sandbox, 'codex');
    },

    command: (_sandbox, prompt) => [join(CLIENTS, 'node_modules/.bin/codex'), 'exec', '--dangerously-bypass-hook-trust', '--json', prompt],

    env: (_port, sandbox) => ({ CODEX_HOME: join(sandbox.home, '.codex'), STUB_KEY: 'none' }),

    // As allowed as can be, so that only the sandbox stands in the way.
    async readOnly(sandbox) {
      await setUp(sandbox, 'codex', '--allow-edits');
      const config = join(sandbox.home, '.codex/config.toml');
      await writeFile(config, (await readFile(config, 'utf8')).replace('"danger-full-access"', '"read-only"'));
    },

    // Commands get numbers and times of their own.
    steady: (text) =>
      text.replace(/^Chunk ID: \w+$/gm, 'Chunk ID: 000000').replace(/^Wall time(:?) [\d.]+ seconds$/gm, 'Wall time$1 0.0 seconds'),

    model: () => ({
      bare: (seen) => seen.replace(/^(Script \w+\n)?Wall time:? .*\nOutput:\n+/, ''),
      reader: 'mcp__hl__read',
      editor: 'mcp__hl__edit',
      read: (path) => call('mcp__hl__read', { path }),
      edit: (path, rev, anchor, text) => call('mcp__hl__edit', { path, rev, edits: [{ set_line: { anchor, new_text: text } }] }),
      shell: (command) => call('exec_command', { cmd: command }),
      nativeEdit: (path, from, to) => call('apply_patch', patch(path, from, to)),
      plainEdit: (path, from, to) => call('apply_patch', patch(path, from, to)),
    }),
  };
}

function config(slug, port, { project }) {
  return `model = "${slug}"
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

// Gemini CLI: tools over MCP, and a hook in front of the built-in ones.

import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { setUp } from '../setup.mjs';

export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI 0.61.0',

  async configure(sandbox) {
    await sandbox.writeHome(
      '.gemini/settings.json',
      JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, privacy: { usageStatisticsEnabled: false } }),
    );
    await setUp(sandbox, 'gemini');
  },

  command: (_sandbox, prompt) => [
    join(CLIENTS, 'node_modules/.bin/gemini'),
    '-m',
    'gemini-2.5-pro',
    '--approval-mode',
    'yolo',
    '-p',
    prompt,
  ],

  env: (port) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),

  steady: (text) => text.replace(/^Process Group PGID: \d+$/gm, 'Process Group PGID: 1'),

  model: () => ({
    bare,
    reader: 'mcp_hl_read',
    editor: 'mcp_hl_edit',
    read: (path) => ({ tool: 'mcp_hl_read', input: { path } }),
    edit: (path, rev, anchor, text) => ({ tool: 'mcp_hl_edit', input: { path, rev, edits: [{ set_line: { anchor, new_text: text } }] } }),
    shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
    nativeRead: (path) => ({ tool: 'read_file', input: { file_path: path } }),
    nativeEdit: (path, from, to) => ({
      tool: 'replace',
      input: { file_path: path, instruction: 'change the currency', old_string: from, new_string: to },
    }),
    plainRead: (path) => ({ tool: 'read_file', input: { file_path: path } }),
    plainEdit: (path, from, to) => ({
      tool: 'replace',
      input: { file_path: path, instruction: 'change the currency', old_string: from, new_string: to },
    }),
  }),
};

// A result of MCP that is marked as an error comes as JSON inside a sentence; all others are fenced in.
function bare(seen) {
  const [, response] = /^MCP tool '\w+' reported tool error [^]* with response: (\[[^]*\])$/.exec(seen) ?? [];
  if (response)
    return JSON.parse(response)[0]
      .functionResponse.response.content.map((part) => part.text)
      .join('\n');
  return seen.replace(/^<untrusted_context>\s*/, '').replace(/\s*<\/untrusted_context>$/, '');
}

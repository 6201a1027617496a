// Claude Code: tools over MCP, and a hook in front of the built-in ones.

import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { setUp } from '../setup.mjs';

/** The program itself: what is on the path is a script that an install script would have to finish. */
export const CLAUDE = join(CLIENTS, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude');

/** Returns Claude Code with the tools of hashline under this prefix. */
export function claudeWith(prefix) {
  return {
    title: 'Claude Code 2.1.325',

    command: (_sandbox, prompt) => [
      ...[CLAUDE, '-p', prompt, '--model', 'claude-sonnet-4-5', '--output-format', 'json'],
      // All that a person could allow is allowed, so that only hashline stands in the way.
      ...['--allowedTools', `Read,Edit,Write,Bash,${prefix}*`],
    ],

    // What Claude Code tells the model about its own budget after each call says nothing of us.
    steady: (text) => text.replace(/\n*<system-reminder>\n<total_tokens>\d+ tokens left<\/total_tokens>\n<\/system-reminder>\n?/g, '\n'),

    env: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),

    model: ({ project }) => {
      const nativeRead = (path) => ({ tool: 'Read', input: { file_path: join(project, path) } });
      const nativeEdit = (path, from, to) => ({
        tool: 'Edit',
        input: { file_path: join(project, path), old_string: from, new_string: to },
      });
      return {
        reader: `${prefix}read`,
        editor: `${prefix}edit`,
        read: (path) => ({ tool: `${prefix}read`, input: { path } }),
        edit: (path, rev, anchor, text) => ({
          tool: `${prefix}edit`,
          input: { path, rev, edits: [{ set_line: { anchor, new_text: text } }] },
        }),
        shell: (command) => ({ tool: 'Bash', input: { command, description: 'Runs a command' } }),
        nativeRead,
        nativeEdit,
        plainRead: nativeRead,
        plainEdit: nativeEdit,
      };
    },
  };
}

/** Writes the answers to what a person is asked on the first start in a folder: whether to trust it, and its server. */
export function trustProject(sandbox) {
  const project = { hasTrustDialogAccepted: true, enabledMcpjsonServers: ['hl'] };
  return sandbox.writeHome('.claude.json', JSON.stringify({ hasCompletedOnboarding: true, projects: { [sandbox.project]: project } }));
}

export const claude = {
  ...claudeWith('mcp__hl__'),
  name: 'claude',

  async configure(sandbox) {
    await trustProject(sandbox);
    await setUp(sandbox, 'claude');
  },
};

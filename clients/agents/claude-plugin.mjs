// Claude Code with hashline as a plugin, installed from our marketplace folder: no setup, all comes out of the plugin.

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { CLIENTS } from '../sandbox.mjs';
import { CLAUDE, claudeWith, trustProject } from './claude.mjs';

const MARKETPLACE = join(CLIENTS, '../crates/hashline-agents/assets/claude');

export const claudePlugin = {
  ...claudeWith('mcp__plugin_hashline_hl__'),
  name: 'claude-plugin',
  title: 'Claude Code 2.1.325 with the plugin',

  async configure(sandbox, port) {
    await trustProject(sandbox);
    const plugin = async (...args) => {
      const command = [CLAUDE, 'plugin', ...args];
      const { code, stdout, stderr } = await sandbox.run(command, { env: { ...sandbox.env, ...claudePlugin.env(port) } });
      assert.equal(code, 0, `claude plugin ${args.join(' ')}\n${stdout}\n${stderr}`);
    };
    await plugin('validate', '--strict', MARKETPLACE);
    await plugin('validate', '--strict', '--profile', 'directory', join(MARKETPLACE, 'plugins/hashline'));
    await plugin('marketplace', 'add', MARKETPLACE);
    await plugin('install', 'hashline@hashline');
  },
};

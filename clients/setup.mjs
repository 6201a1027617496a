// How an agent is set up: by `hashline setup`, as a person would.

import { mkdir, copyFile, readFile, appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CLIENTS } from './sandbox.mjs';

const ASSETS = join(CLIENTS, '../crates/hashline-setup/assets');
const BY_HAND = { opencode: [['opencode/hashline.js', '.opencode/plugins/hashline.js']], pi: [['pi/hashline.ts', '.pi/extensions/hashline.ts']] };

/** Sets an agent up for the project of a sandbox. */
export async function setUp(sandbox, name) {
  for (const [from, to] of BY_HAND[name] ?? []) {
    await mkdir(dirname(join(sandbox.project, to)), { recursive: true });
    await copyFile(join(ASSETS, from), join(sandbox.project, to));
  }
  const sb = sandbox;
  const cmd = (s) => ({ type: 'command', command: s, timeout: 10 });
  const g = { ...cmd('hashline hook'), name: 'hashline', timeout: 10000 };
  if (name === 'claude') {
    await sb.write('.claude/settings.json', JSON.stringify({ enableAllProjectMcpServers: true, hooks: { PreToolUse: [{ matcher: 'Edit|Write|Bash', hooks: [cmd('hashline hook')] }], PostToolUse: [{ matcher: 'Read|Bash|Edit|Write', hooks: [cmd('hashline hook')] }], SessionStart: [{ hooks: [cmd('hashline hook')] }] } }));
    await sb.write('.mcp.json', JSON.stringify({ mcpServers: { hl: { type: 'stdio', command: 'hashline', args: ['mcp'], alwaysLoad: true } } }));
  }
  if (name === 'codex') {
    await sb.write('.codex/hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash|apply_patch', hooks: [cmd('hashline hook')] }], PostToolUse: [{ matcher: 'Bash|apply_patch', hooks: [cmd('hashline hook')] }], SessionStart: [{ hooks: [cmd('hashline hook')] }] } }));
    await sb.write('.codex/config.toml', '[mcp_servers.hl]\ncommand = "hashline"\nargs = ["mcp"]\ndefault_tools_approval_mode = "approve"\n');
  }
  if (name === 'gemini') await sb.write('.gemini/settings.json', JSON.stringify({ mcpServers: { hl: { command: 'hashline', args: ['mcp'], trust: true } }, hooks: { BeforeTool: [{ matcher: 'replace|write_file|run_shell_command', hooks: [g] }], AfterTool: [{ matcher: 'read_file|replace|write_file|run_shell_command', hooks: [g] }], SessionStart: [{ hooks: [g] }] } }));
}

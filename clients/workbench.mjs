// What the tests of the plugins work with: a throw-away project, and the plugins as their agents load them.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program under test; `cargo xtask clients` names it. Without it there is nothing to test the plugins with. */
export const PROGRAM = process.env.HASHLINE_BIN;

/** The plugin for OpenCode and the extension for pi, as they stand among the sources. */
export const OPENCODE = fileURLToPath(new URL('../crates/hashline-agents/assets/opencode/hashline.js', import.meta.url));
export const PI = fileURLToPath(new URL('../crates/hashline-agents/assets/pi/hashline.ts', import.meta.url));

/** A file with short lines around one of 678 KB, of one to four bytes a character. */
export const NASTY = `one\n${'lang 漢字 🎉 '.repeat(32_000)}\nthree\n${'four\n'.repeat(4000)}`;

/** Holds that a text is a page: what no agent cuts (docs/mcp.md). */
export function assertPage(text) {
  const about = `${text.slice(0, 200)}...`;
  assert.ok(Buffer.byteLength(text) <= 36_000, `${Buffer.byteLength(text)} bytes: ${about}`);
  assert.ok(text.split('\n').length <= 1500, `${text.split('\n').length} lines: ${about}`);
}

const jiti = await import('jiti').catch(() => undefined);

/** Why a test of the plugin for OpenCode, or of the extension for pi, cannot run here, if it cannot. */
export const NO_OPENCODE = PROGRAM ? false : 'HASHLINE_BIN names no program';
export const NO_PI = PROGRAM && jiti ? false : 'HASHLINE_BIN names no program, or pi is not installed';

/** Runs `work` in a new project with its own home and state, and removes all of it. Files are `{ path: content }`. */
export async function inProject(files, work) {
  const top = await mkdtemp(join(tmpdir(), 'hashline-plugins-'));
  process.env.XDG_STATE_HOME = join(top, 'state');
  const project = join(top, 'project');
  try {
    await mkdir(project);
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), content);
    }
    return await work(project);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

/** Starts the plugin as OpenCode does. `call(tool, args)` is a call of the model, `asked` what the person was asked. */
export async function startOpenCode(directory, { plugin = OPENCODE, answer = async () => {}, signal } = {}) {
  const logged = [];
  const client = { app: { log: async ({ body }) => logged.push(body) } };
  const { Hashline } = await import(plugin);
  const hooks = await Hashline({ client, directory, worktree: directory });
  const asked = [];
  const ask = (question) => {
    asked.push(question);
    return answer(question);
  };
  const call = (name, args) => hooks.tool[name].execute(args, { directory, sessionID: 'one', ask, abort: signal });
  const shell = (command) => hooks['tool.execute.before']({ tool: 'bash' }, { args: { command } });
  return { hooks, logged, asked, call, shell };
}

/** Starts the extension as pi does. `call(tool, input)` is a call of the model. */
export async function startPi(folder, { extension = PI, signal } = {}) {
  // As pi does: the packages that an extension may import are its own.
  const packages = ['@earendil-works/pi-coding-agent', '@earendil-works/pi-tui', 'typebox'];
  const alias = Object.fromEntries(packages.map((name) => [name, fileURLToPath(import.meta.resolve(name))]));
  const load = await jiti.createJiti(import.meta.url, { alias, moduleCache: false }).import(extension, { default: true });
  const tools = {};
  const handlers = {};
  let active = ['read', 'bash', 'edit', 'write'];
  const here = process.cwd();
  process.chdir(folder);
  try {
    await load({
      registerTool: (tool) => {
        tools[tool.name] = tool;
        active = [...new Set([...active, tool.name])];
      },
      on: (event, handler) => (handlers[event] = handler),
      getActiveTools: () => active,
      setActiveTools: (names) => (active = names),
    });
  } finally {
    process.chdir(here);
  }
  const notified = [];
  const ui = { notify: (message) => notified.push(message) };
  const ctx = { cwd: folder, hasUI: true, ui, sessionManager: { getSessionId: () => 'one' } };
  const call = async (name, input) => (await tools[name].execute('id', input, signal, undefined, ctx)).content[0].text;
  const shell = (command) => handlers.tool_call({ toolName: 'bash', input: { command } }, ctx);
  return { tools, handlers, ctx, call, shell, notified, active: () => active };
}

// A throw-away project for the tests of the plugins, which run the real program.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program under test; `cargo xtask clients` names it. Without it there is nothing to test the plugins with. */
export const PROGRAM = process.env.HASHLINE_BIN;

/** Runs `work` in a new project with its own state, and removes both. */
export async function inProject(files, work) {
  const top = await mkdtemp(join(tmpdir(), 'hashline-plugins-'));
  process.env.XDG_STATE_HOME = join(top, 'state');
  const project = join(top, 'project');
  try {
    await mkdir(project);
    for (const [name, content] of Object.entries(files)) await writeFile(join(project, name), content);
    return await work(project);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

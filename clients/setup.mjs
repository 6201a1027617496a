// How an agent is set up: by `hashline setup`, as a person would.

import { mkdir, copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CLIENTS } from './sandbox.mjs';

const ASSETS = join(CLIENTS, '../crates/hashline-setup/assets');
const BY_HAND = {
  opencode: [['opencode/hashline.js', '.opencode/plugins/hashline.js']],
  pi: [['pi/hashline.ts', '.pi/extensions/hashline.ts']],
};

/** Sets an agent up for the project of a sandbox. */
export async function setUp(sandbox, agent) {
  for (const [from, to] of BY_HAND[agent] ?? []) {
    await mkdir(dirname(join(sandbox.project, to)), { recursive: true });
    await copyFile(join(ASSETS, from), join(sandbox.project, to));
  }
}

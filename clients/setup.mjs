// How an agent is set up: by `hashline setup`, as a person would.

import assert from 'node:assert/strict';

/** Sets an agent up for the project of a sandbox. */
export async function setUp(sandbox, agent, ...options) {
  const { code, stdout, stderr } = await sandbox.run(['hashline', 'setup', agent, '--project', ...options]);
  assert.equal(code, 0, `hashline setup ${agent}\n${stdout}\n${stderr}`);
}

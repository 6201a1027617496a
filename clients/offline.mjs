// A run in a network of its own: there is nothing in it but 127.0.0.1, whatever an agent may try.
//
// The stub must listen in the same network as the agents, so all of the run moves there. That takes Linux and the right to make one.

import { spawnSync } from 'node:child_process';

const MOVED = 'HASHLINE_CLIENTS_OFFLINE';

// Whoever is not root becomes the owner of a space of their own, under their own name.
const UNSHARE = ['unshare', '--net', ...(process.getuid?.() === 0 ? [] : ['--map-current-user', '--keep-caps'])];

/**
 * Runs this program again in a network of its own. Returns `{ code }`, how that ended; `{}` if this is that run; `{ why }` if there can be
 * none.
 */
export function moveOffline() {
  if (process.env[MOVED]) return {};
  const tried = inside(['true'], { encoding: 'utf8' });
  if (tried.status !== 0) return { why: tried.error?.message ?? tried.stderr.trim() };
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  return { code: inside(again, { stdio: 'inherit', env: { ...process.env, [MOVED]: '1' } }).status ?? 1 };
}

function inside(command, options) {
  const [program, ...args] = [...UNSHARE, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...command];
  return spawnSync(program, args, options);
}

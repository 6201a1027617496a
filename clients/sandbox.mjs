// A throw-away home and project for one run of one agent.
//
// The agent sees nothing of the person who runs this: not the home directory, not the environment, not the configuration. `HOME`, the
// state of hashline and the project lie in one new folder, which is removed afterwards.

import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { run } from './process.mjs';

export const CLIENTS = dirname(fileURLToPath(import.meta.url));

/** Makes the folders and a project that is a git repository with `files` (`{ name: text }`). `hashline` is the program under test. */
export async function makeSandbox({ scratch, agent, hashline, files }) {
  await mkdir(scratch, { recursive: true });
  const top = await mkdtemp(join(resolve(scratch), `${agent}-`));
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => join(top, name));
  for (const folder of [home, project, bin]) await mkdir(folder);
  // Agents find the program as everybody's would: by its name, on the path.
  await symlink(resolve(hashline), join(bin, 'hashline'));
  const sandbox = {
    home,
    project,
    env: {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      // A client that wants to phone home is refused at once, by a port where nobody listens. That it cannot pass that by is held by
      // `offline.mjs`.
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
      // A hook that takes longer than 50 ms lets the call pass; on a loaded machine that would be told of as a failure.
      HASHLINE_HOOK_TIME: '10000',
    },
    // What a reader of a transcript should see instead of folders of this machine.
    places: [
      [project, '/project'],
      [home, '/home/you'],
      [bin, '/usr/local/bin'],
      [CLIENTS, '/clients'],
    ],
    read: (name) => readFile(join(project, name), 'utf8'),
    write: (name, text) => writeInto(project, name, text),
    writeHome: (name, text) => writeInto(home, name, text),
    run: (command, options = {}) => run(command, { cwd: project, env: sandbox.env, seconds: 60, ...options }),
    /** The program is gone, as after an uninstall that forgot the agents. */
    removeHashline: () => rm(join(bin, 'hashline')),
    remove: () => rm(top, { recursive: true, force: true, maxRetries: 5 }),
  };
  // Codex runs commands in a login shell, which sets the path anew.
  await sandbox.writeHome('.profile', `PATH="${bin}:$PATH"\n`);
  await sandbox.run(['git', 'init', '--quiet']);
  for (const [name, text] of Object.entries(files)) await sandbox.write(name, text);
  return sandbox;
}

async function writeInto(folder, name, text) {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

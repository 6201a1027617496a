// Programs under a time limit, with nothing of the caller's environment.

import { spawn } from 'node:child_process';

// Enough for any answer looked at here: a program that says more has gone wild, and its run has failed.
const MAX_OUTPUT = 16 * 1024 * 1024;

/**
 * Runs a program to its end. `env` is the whole environment. After `seconds` it is killed, with all it has started.
 * Returns `{ code, signal, stdout, stderr, timedOut }`; a program that cannot be started, or says too much, throws.
 */
export function run(command, { cwd, env, input = '', seconds }) {
  const [program, ...args] = command;
  return new Promise((resolve, reject) => {
    // A group of its own, so that what an agent leaves behind (servers, watchers) can be ended with it.
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, seconds * 1000);
    const tooMuch = () => {
      reject(new Error(`${program} says more than ${MAX_OUTPUT} bytes`));
      endGroup(child.pid);
    };
    const stdout = collect(child.stdout, tooMuch);
    const stderr = collect(child.stderr, tooMuch);
    child.stdin.on('error', () => {}); // It may not care for its input.
    child.stdin.end(input);
    child.once('error', (problem) => {
      clearTimeout(timer);
      reject(new Error(`${program} cannot be started: ${problem.message}`));
    });
    child.once('exit', () => endGroup(child.pid));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: stdout(), stderr: stderr(), timedOut });
    });
  });
}

function collect(stream, tooMuch) {
  const chunks = [];
  let size = 0;
  stream.on('data', (chunk) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT) chunks.push(chunk);
    else tooMuch();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function endGroup(pid) {
  if (!pid) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already, which is what was wanted.
  }
}

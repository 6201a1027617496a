// Runs real agents against a scripted model, and asserts on what the model saw and on the bytes on disk.
//
//     node run.mjs [AGENT...] [--hashline PROGRAM] [--scratch DIR] [--record] [--keep]
//
// `cargo xtask clients` builds the program, installs the agents and calls this. Without names: all agents. `--record` writes the transcripts
// anew; without it a run must tell what the transcripts in `docs/agents/transcripts` tell. `--keep` leaves the throw-away folders behind.

import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { claude } from './agents/claude.mjs';
import { codex, codexCodeMode } from './agents/codex.mjs';
import { gemini } from './agents/gemini.mjs';
import { opencode, opencodeGpt } from './agents/opencode.mjs';
import { pi } from './agents/pi.mjs';
import { claudePlugin } from './agents/claude-plugin.mjs';
import { moveOffline } from './offline.mjs';
import { runAgent } from './play.mjs';
import { CLIENTS } from './sandbox.mjs';
import { compareTranscript, recordTranscript } from './transcript.mjs';

const AGENTS = [claude, claudePlugin, codex, codexCodeMode, opencode, opencodeGpt, gemini, pi];
const REPOSITORY = join(CLIENTS, '..');

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    hashline: { type: 'string', default: join(REPOSITORY, 'target/release/hashline') },
    scratch: { type: 'string', default: join(REPOSITORY, 'target/clients') },
    record: { type: 'boolean', default: false },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const unknown = names.filter((name) => !AGENTS.some((agent) => agent.name === name));
if (unknown.length > 0) {
  console.error(`there is no agent ${unknown.join(', ')}; there are ${AGENTS.map((agent) => agent.name).join(', ')}`);
  process.exit(2);
}

const offline = moveOffline();
if (offline.code !== undefined) process.exit(offline.code);
if (offline.why) console.log(`note: agents are kept off the network by their settings alone: ${offline.why}`);

let failed = 0;
for (const agent of AGENTS.filter((agent) => names.length === 0 || names.includes(agent.name))) {
  const started = performance.now();
  try {
    const plays = await runAgent(agent, options);
    const told = options.record ? await recordTranscript(agent, plays) : await compareTranscript(agent, plays);
    const steps = plays.flatMap((play) => play.turns).length;
    console.log(`ok   ${agent.name.padEnd(14)} ${steps} steps, ${seconds(started)} s; ${told}`);
  } catch (problem) {
    failed += 1;
    console.log(`FAIL ${agent.name.padEnd(14)} ${seconds(started)} s\n${indented(problem.told ?? problem.stack)}`);
  }
}
process.exit(failed > 0 ? 1 : 0);

function seconds(started) {
  return ((performance.now() - started) / 1000).toFixed(1);
}

function indented(text) {
  return text.replace(/^/gm, '     ');
}

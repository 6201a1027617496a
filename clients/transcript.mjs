// A run as something to read: each turn, what the model called and what it saw.
//
// The same text is the record that later runs are held against: clients of pinned versions and a script give the same text every time, once
// the folders of this machine and what clients make up for each run (durations, identifiers) are put into neutral words.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CLIENTS } from './sandbox.mjs';

const FOLDER = join(CLIENTS, '../docs/agents/transcripts');

/** Writes the transcript of an agent; returns what was done, in words. */
export async function recordTranscript(agent, plays) {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(pathOf(agent), rendered(agent, plays));
  return 'transcript recorded';
}

/** Throws unless the transcript that is kept tells the same. */
export async function compareTranscript(agent, plays) {
  const kept = await readFile(pathOf(agent), 'utf8').catch(() => '');
  const now = rendered(agent, plays);
  if (kept === now) return 'as in the transcript';
  const problem = new Error('the transcript has changed');
  problem.told = `all steps passed, but ${pathOf(agent)} tells otherwise:\n${firstDifference(kept, now)}\nif that is as it should be, run with --record`;
  throw problem;
}

function pathOf(agent) {
  return join(FOLDER, `${agent.name}.md`);
}

function rendered(agent, plays) {
  const head = `# ${agent.title}: a transcript\n\nWritten by \`cargo xtask clients ${agent.name} --record\`: the real agent, set up by hashline, with a scripted model. Each turn shows what the\nmodel called and, to the letter, what it saw.\n`;
  return head + plays.map((play) => renderedPlay(agent, play)).join('');
}

function renderedPlay(agent, { title, offered, turns, places }) {
  const clean = (text) => (agent.steady ?? ((same) => same))(places.reduce((text, [from, to]) => text.replaceAll(from, to), text));
  const parts = turns.map(
    ({ title, reply, seen, isError }, index) =>
      `\n### ${index + 1}. ${title}\n\nThe model calls \`${reply.tool}\`:\n\n${fenced(clean(shownInput(reply.input)), typeof reply.input === 'string' ? '' : 'json')}\n\nIt sees${isError ? ', marked as an error' : ''}:\n\n${fenced(clean(seen))}\n`,
  );
  return `\n## ${title[0].toUpperCase()}${title.slice(1)}\n\nTools on offer: ${offered.map((name) => `\`${name}\``).join(', ')}.\n${parts.join('')}`;
}

function shownInput(input) {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

// The fence is longer than any run of backticks in the text.
function fenced(text, language = 'text') {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function firstDifference(kept, now) {
  const [before, after] = [kept.split('\n'), now.split('\n')];
  const at = after.findIndex((line, index) => line !== before[index]);
  const line = at < 0 ? after.length : at;
  return [
    `line ${line + 1}`,
    ...before.slice(line, line + 4).map((text) => `- ${text}`),
    ...after.slice(line, line + 4).map((text) => `+ ${text}`),
  ].join('\n');
}

// One agent through its plays: a fresh sandbox, a stub, the agent's process, and the steps one after the other.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FILE, FILES, guarded, readOnly, switchedOff } from './scenario.mjs';
import { makeSandbox } from './sandbox.mjs';
import { startStub } from './stub.mjs';

/** The longest that an agent may take for one play. Clients start slowly on a loaded machine; none of them waits for anything outside. */
const PLAY_SECONDS = 180;

const PROMPT = 'Work through the steps.';

/** Runs all plays of an agent; returns `[{ title, offered, turns }]`, or throws at the first thing that is not as it must be. */
export async function runAgent(agent, options) {
  const plays = [{ title: 'hashline at work', files: FILES, steps: guarded }];
  // The control: the same project with the off switch in it.
  plays.push({ title: 'hashline switched off', files: { ...FILES, '.hashline-off': '' }, steps: switchedOff });
  // Whoever removes the program and forgets the agent can still work.
  plays.push({ title: 'hashline gone', files: FILES, steps: switchedOff, prepare: (sandbox) => sandbox.removeHashline() });
  // A client that has a mode without edits: it holds for hashline, too, whatever the person has allowed.
  if (agent.readOnly) plays.push({ title: 'hashline where nothing may be written', files: FILES, steps: readOnly, prepare: agent.readOnly });
  const played = [];
  for (const play of plays.filter((play) => !options.only || play.title.includes(options.only)))
    played.push(await runPlay(agent, play, options));
  return played;
}

async function runPlay(agent, play, { hashline, scratch, keep }) {
  const sandbox = await makeSandbox({ scratch, agent: agent.name, hashline, files: play.files });
  const model = agent.model(sandbox);
  const script = new Script(play.steps(model), model, sandbox);
  const stub = await startStub((asked) => script.next(asked));
  try {
    await agent.configure(sandbox, stub.port);
    await play.prepare?.(sandbox);
    const ended = await sandbox.run(agent.command(sandbox, PROMPT), {
      env: { ...sandbox.env, ...agent.env(stub.port, sandbox) },
      seconds: PLAY_SECONDS,
    });
    script.finish(ended, stub);
    if (play.steps === guarded) checkOffer(agent, script);
    return { title: play.title, offered: script.offered, turns: script.turns, places: sandbox.places };
  } catch (problem) {
    problem.told = told(problem, script);
    throw problem;
  } finally {
    if (keep) await writeFile(join(sandbox.home, '..', 'requests.json'), JSON.stringify(stub.requests, null, 1));
    await stub.close();
    if (!keep) await sandbox.remove();
  }
}

// The model must have been told how files are edited here, and be offered what the agent's adapter says.
function checkOffer(agent, { offered, firstBody }) {
  const { tools: _tools, ...told } = firstBody;
  assert.match(JSON.stringify(told), /hashline/i, 'the instructions must reach the model');
  agent.checkOffer?.(offered, firstBody);
}

/** The steps in the order of the turns. A client that asks for a turn again (a retry) gets the same answer again. */
class Script {
  turns = [];
  offered = undefined;
  firstBody = undefined;
  #failure = undefined;

  constructor(steps, model, sandbox) {
    this.steps = steps;
    this.model = model;
    this.sandbox = sandbox;
  }

  async next({ tools, results, body }) {
    this.offered ??= [...new Set(tools)].sort();
    this.firstBody ??= body;
    try {
      while (this.turns.length <= results.length) await this.#advance(results);
    } catch (problem) {
      this.#failure ??= problem;
    }
    return this.#failure ? { text: 'Something is not as it must be.' } : this.turns[results.length].reply;
  }

  // Looks at what became of the last call, then makes the next one.
  async #advance(results) {
    const last = this.turns.at(-1);
    if (last?.step) {
      const { text, isError } = results[this.turns.length - 1];
      Object.assign(last, { seen: text, isError });
      last.step.check(this.model.bare?.(text) ?? text, await this.sandbox.read(FILE));
      last.passed = true;
    }
    const step = this.steps[this.turns.length];
    await step?.prepare?.(this.sandbox);
    this.turns.push(step ? { step, title: step.title, reply: step.call() } : { title: 'It ends', reply: { text: 'Done.' } });
  }

  /** Throws unless every step was played and passed. */
  finish(ended, stub) {
    const problem = this.#failure ?? stub.problems[0];
    if (problem) throw problem;
    if (this.turns.length !== this.steps.length + 1) {
      throw new Error(
        `the agent ended after ${this.turns.length} of ${this.steps.length + 1} turns` +
          ` (${ended.timedOut ? 'out of time' : `code ${ended.code ?? ended.signal}`})\n${ended.stdout.slice(-3000)}\n${ended.stderr.slice(-3000)}`,
      );
    }
    this.turns.pop();
  }
}

function told(problem, script) {
  const turn = script.turns.at(-1);
  const call = turn?.reply && JSON.stringify(turn.reply);
  return [turn?.title, call && `called: ${call}`, turn?.seen !== undefined && `saw: ${turn.seen}`, problem.stack]
    .filter(Boolean)
    .join('\n');
}

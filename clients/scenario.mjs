// What the model does, the same for every agent: each step is a call, and what must be true of what came back and of the disk.
//
// A step is `{ title, prepare?, call, check }`. `prepare` is what somebody else does to the project before the call. `call(model)` says in
// neutral words what the model does; `model` is the agent's adapter, which knows the tool and its arguments. `check(seen, disk)` gets the text
// that the model was shown, without what the agent wraps around every answer, and the file's bytes, and throws if one of them is wrong.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { anchored, anchorOf } from './anchors.mjs';

/** The file that everything is about: that of `hashline tour`. */
export const FILE = 'fleet.py';

const TEXT = readFileSync(new URL('../crates/hashline-cli/src/commands/tour/fleet.py', import.meta.url), 'utf8');

/** The project before the first call. */
export const FILES = { [FILE]: TEXT };

// Each state of the file, told by what was changed in the one before it.
const ROUNDED = TEXT.replace('PRICES[boat] * hours', 'round(PRICES[boat] * hours)');
const BEHIND_ITS_BACK = ROUNDED.replace('EUR', 'euros');
const RECOVERED = BEHIND_ITS_BACK.replace('{cost} euros', '{cost:.2f} euros');
const AFTER_NATIVE_READ = RECOVERED.replace('"raft": 40', '"raft": 45');

/** Returns a patch as `apply_patch` takes it: it changes a word in the line that held it last. */
export function patch(path, from, to) {
  const states = [TEXT, ROUNDED, BEHIND_ITS_BACK, RECOVERED, AFTER_NATIVE_READ];
  const line = states.findLast((text) => text.includes(from)).split('\n').find((line) => line.includes(from));
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-${line}\n+${line.replace(from, to)}\n*** End Patch\n`;
}

/** The steps where the client's own tools may not write. */
export function readOnly(model) {
  const shown = {};
  return [
    {
      title: 'It reads the file: that is allowed',
      call: () => model.read(FILE),
      check: (seen) => Object.assign(shown, anchored(seen)),
    },
    {
      title: 'It edits by anchor: refused, and nothing is written',
      call: () => model.edit(FILE, shown.rev, anchorOf('total = ', shown), '    total = round(PRICES[boat] * hours)'),
      check(seen, disk) {
        assert.equal(disk, TEXT);
        assert.match(seen, /^nothing was written: the sandbox of this session is read-only/i);
      },
    },
  ];
}

/** The steps with hashline at work. */
export function guarded(model) {
  const shown = {};
  const steps = [
    {
      title: 'It reads the file: every line has an anchor, and the revision is named',
      call: () => model.read(FILE),
      check(seen) {
        Object.assign(shown, anchored(seen));
        assert.deepEqual(
          shown.lines.map((line) => line.text),
          TEXT.split('\n').slice(0, -1),
        );
        assert.deepEqual(
          shown.lines.map((line) => line.number),
          shown.lines.map((_, index) => index + 1),
        );
        assert.match(shown.rev ?? '', /^[0-9a-f]{8}$/);
      },
    },
    {
      title: 'It edits by anchor: the edit lands as written, and fresh anchors come back',
      call: () => model.edit(FILE, shown.rev, anchorOf('total = ', shown), '    total = round(PRICES[boat] * hours)'),
      check(seen, disk) {
        assert.equal(disk, ROUNDED);
        const fresh = anchored(seen);
        assert.equal(fresh.lines.find((line) => line.number === 7)?.text, '    total = round(PRICES[boat] * hours)');
        assert.notEqual(fresh.rev, shown.rev);
      },
    },
    {
      title: 'Somebody else changes the line; its edit with the old anchor is refused, and nothing is written',
      prepare: (sandbox) => sandbox.write(FILE, BEHIND_ITS_BACK),
      call: () => model.edit(FILE, shown.rev, anchorOf('EUR', shown), '    return f"{boat} for {hours} h: {cost:.2f} EUR"'),
      check(seen, disk) {
        assert.equal(disk, BEHIND_ITS_BACK);
        assert.match(seen, /^nothing was written/i);
        const old = shown.rev;
        Object.assign(shown, anchored(seen));
        assert.match(shown.rev ?? '', /^[0-9a-f]{8}$/);
        assert.notEqual(shown.rev, old, 'the revision of now must be named');
        assert.ok(
          shown.lines.some((line) => line.text.includes('euros')),
          'the line as it is now must be shown',
        );
      },
    },
    {
      title: 'It recovers from the refusal alone: anchor and revision are those it was just shown',
      call: () => model.edit(FILE, shown.rev, anchorOf('euros', shown), '    return f"{boat} for {hours} h: {cost:.2f} euros"'),
      check(_seen, disk) {
        assert.equal(disk, RECOVERED);
      },
    },
    {
      title: 'It shows the file with `cat`: stopped, and told how to read',
      call: () => model.shell(`cat ${FILE}`),
      check(seen, disk) {
        assert.equal(disk, RECOVERED);
        assert.ok(seen.includes(model.reader), `${model.reader} must be named`);
        assert.doesNotMatch(seen, /PRICES/, 'the content must not have been shown');
      },
    },
    {
      title: 'It changes the file with `sed -i`: stopped, and told how to edit',
      call: () => model.shell(`sed -i s/euros/dollars/ ${FILE}`),
      check(seen, disk) {
        assert.equal(disk, RECOVERED);
        assert.ok(seen.includes(model.editor), `${model.editor} must be named`);
      },
    },
    {
      title: 'A command that neither shows nor changes files passes',
      call: () => model.shell('echo all is well'),
      check(seen) {
        assert.match(seen, /all is well/);
      },
    },
  ];
  if (model.nativeRead) {
    steps.push({
      title: 'It reads with the built-in tool: the same anchors',
      call: () => model.nativeRead(FILE),
      check(seen) {
        const lines = anchored(seen).lines;
        assert.deepEqual(
          lines.map((line) => line.text),
          RECOVERED.split('\n').slice(0, -1),
        );
        Object.assign(shown, anchored(seen));
      },
    });
  }
  if (model.nativeEdit) {
    steps.push({
      title: 'It edits with the built-in tool: stopped, and told what to call',
      call: () => model.nativeEdit(FILE, 'euros', 'dollars'),
      check(seen, disk) {
        assert.equal(disk, RECOVERED);
        assert.ok(seen.includes(model.gone ?? model.editor), 'the call to make instead must be named');
      },
    });
  }
  if (model.nativeRead) {
    steps.push({
      // No answer of ours has shown this line in this revision: it lands only because the hook wrote down what it showed.
      title: 'It edits by the anchors of the built-in read: the edit lands',
      call: () => model.edit(FILE, shown.rev, anchorOf('PRICES = ', shown), 'PRICES = {"canoe": 12, "kayak": 15, "raft": 45}'),
      check(_seen, disk) {
        assert.equal(disk, AFTER_NATIVE_READ);
      },
    });
  }
  return steps;
}

/** The steps with hashline turned off for the project: what was stopped above now passes, so it was stopped by nobody else. */
export function switchedOff(model) {
  const steps = [];
  if (model.plainRead) steps.push({ title: 'It reads with the built-in tool: as always', call: () => model.plainRead(FILE), check: plain });
  if (model.plainEdit) {
    steps.push({
      title: 'It edits with the built-in tool: the edit lands',
      call: () => model.plainEdit(FILE, 'EUR', 'dollars'),
      check(_seen, disk) {
        assert.equal(disk, TEXT.replace('EUR', 'dollars'));
      },
    });
  }
  return [
    ...steps,
    {
      title: 'It changes the file with `sed -i`: changed',
      call: () => model.shell(`sed -i s/fleet/flotilla/ ${FILE}`),
      check(_seen, disk) {
        assert.match(disk, /flotilla/);
      },
    },
  ];
}

function plain(seen) {
  assert.match(seen, /PRICES/);
  assert.equal(anchored(seen).lines.length, 0);
}

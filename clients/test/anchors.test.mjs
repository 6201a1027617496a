// What the scripted model reads off a text.

import assert from 'node:assert/strict';
import test from 'node:test';

import { anchored, anchorOf } from '../anchors.mjs';

const CASES = [
  { name: 'a read', text: 'a.py (rev 1afbbb71, 2 lines)\n1:1f|import sys\n2:05|', rev: '1afbbb71', anchors: ['1:1f', '2:05'] },
  { name: 'marks', text: '>>> 15:d0|  x\n    16:05|', rev: undefined, anchors: ['15:d0', '16:05'] },
  { name: 'numbers of the client', text: '     7\tfb|  total\n     8→e2|  return', rev: undefined, anchors: ['7:fb', '8:e2'] },
  { name: 'the last revision counts', text: 'rev 00000000\nNext: send it again with "rev":"7a4a5469".', rev: '7a4a5469', anchors: [] },
  { name: 'revisions by path', text: 'send it again with "revs":{"a b.py":"7a4a5469"}.', rev: '7a4a5469', anchors: [] },
  { name: 'plain text', text: 'at 09:45|stand-up\nreview 12345678', rev: undefined, anchors: [] },
];

for (const { name, text, rev, anchors } of CASES) {
  test(`anchors of ${name}`, () => {
    const read = anchored(text);
    assert.equal(read.rev, rev);
    assert.deepEqual(
      read.lines.map((line) => line.anchor),
      anchors,
    );
  });
}

test('a text that two lines hold names no anchor', () => {
  assert.throws(() => anchorOf('x', anchored('1:aa|x\n2:bb|x')), /2 anchors/);
});

// Draws the icon: three lines of text, each with an anchor in front; the middle one is selected.
//
//     node packaging/icon/draw.mjs OUTPUT.png
//
// Draws rounded boxes with 4 x 4 samples per pixel and writes a minimal PNG, so no image library is needed.

import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const SIZE = 512;
const SAMPLES = 4;

// Drawn in this order, later boxes on top: x, y, width, height, radius, colour.
const BOXES = [
  [0, 0, 512, 512, 112, [24, 28, 42]],
  [72, 124, 72, 56, 16, [96, 110, 150]],
  [168, 138, 248, 28, 14, [96, 110, 150]],
  [48, 204, 416, 104, 32, [44, 52, 80]],
  [72, 228, 72, 56, 16, [255, 196, 84]],
  [168, 242, 208, 28, 14, [244, 246, 252]],
  [72, 332, 72, 56, 16, [96, 110, 150]],
  [168, 346, 152, 28, 14, [96, 110, 150]],
];

const rows = Array.from({ length: SIZE }, (_, y) => [0, ...Array.from({ length: SIZE }, (_, x) => pixel(x, y)).flat()]);
const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header.set([8, 6, 0, 0, 0], 8); // Eight bits a channel, red green blue alpha.
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const data = deflateSync(Buffer.from(rows.flat()), { level: 9 });
writeFileSync(process.argv[2], Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]));

function pixel(x, y) {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < SAMPLES * SAMPLES; i += 1) {
    const colour = colourAt(x + ((i % SAMPLES) + 0.5) / SAMPLES, y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES);
    if (colour) [...colour, 255].forEach((value, channel) => (sum[channel] += value));
  }
  const covered = sum[3] / 255;
  return covered === 0 ? [0, 0, 0, 0] : [...sum.slice(0, 3).map((value) => Math.round(value / covered)), Math.round(sum[3] / SAMPLES ** 2)];
}

function colourAt(x, y) {
  return BOXES.findLast(([left, top, width, height, radius]) => {
    const dx = Math.max(left + radius - x, x - (left + width - radius), 0);
    const dy = Math.max(top + radius - y, y - (top + height - radius), 0);
    return dx * dx + dy * dy <= radius * radius;
  })?.[5];
}

function chunk(name, content) {
  const named = Buffer.concat([Buffer.from(name), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named) >>> 0, named.length + 4);
  return framed;
}

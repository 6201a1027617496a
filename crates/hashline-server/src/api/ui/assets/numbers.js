// Counters and latency plots, computed from the events since the page was opened.

import { $, duration, el, svg } from "./dom.js";
import { isEdit, moves, repairs, verdict } from "./live.js";

/** How many of the latest calls are in the plots. */
const PLOTTED = 200;
/** For how many calls the plot has room at least: it is not to change with every one of the first. */
const FEWEST = 50;
/** The scale of the plots, in milliseconds. */
const LEAST = 0.1;
const MOST = 10_000;

const counts = { calls: 0, reads: 0, applied: 0, stale: 0, edits: 0, refused: 0, moved: 0, repaired: 0 };
let latest = [];
let isDrawn = true;

/** Draws empty plots, and draws them again when their width changes. */
export function start() {
  draw();
  new ResizeObserver(soon).observe($("plots"));
}

/** Counts a call. */
export function add(call) {
  const isRefused = call.verdict === "refused" || call.verdict === "denied";
  const isStale = isRefused && /^stale/.test(call.code);
  counts.calls += 1;
  counts.reads += !isEdit(call) && !isRefused;
  counts.stale += isStale;
  counts.refused += isRefused && !isStale;
  counts.edits += isEdit(call);
  if (isEdit(call) && !call.dry_run) {
    counts.applied += !isRefused;
    counts.moved += moves(call);
    counts.repaired += repairs(call);
  }
  latest.push({ ms: call.ms, kind: isRefused ? "refused" : isEdit(call) ? "edit" : "read", word: verdict(call).word });
  if (latest.length > PLOTTED) latest = latest.slice(-PLOTTED);
  soon();
}

function soon() {
  if (!isDrawn) return;
  isDrawn = false;
  setTimeout(() => {
    isDrawn = true;
    draw();
  }, 200);
}

function draw() {
  const share = counts.edits > 0 ? `${Math.round((100 * counts.stale) / counts.edits)} % of edits` : "";
  const tiles = [
    ["Requests", counts.calls],
    ["Reads", counts.reads],
    ["Applied", counts.applied, "", "good"],
    ["Stale", counts.stale, share, "warn"],
    ["Other refusals", counts.refused, "", "bad"],
    ["Lines moved", counts.moved],
    ["Repairs", counts.repaired],
    ["Median", latest.length > 0 ? duration(quantile(0.5)) : "–"],
  ];
  $("tiles").replaceChildren(...tiles.map(([name, value, note, kind]) =>
    el("div", { class: value ? kind : undefined }, el("dt", {}, name), el("dd", {}, String(value), note && value ? el("small", {}, note) : null))));
  const width = Math.max(240, Math.floor($("plots").clientWidth));
  $("plots").replaceChildren(
    figure(`Latest ${PLOTTED} requests`, dots(width), legend()),
    figure("Distribution", bars(width)));
}

function figure(title, ...content) {
  return el("figure", {}, el("figcaption", {}, title), content);
}

function quantile(part) {
  const sorted = latest.map((one) => one.ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

function summary() {
  if (latest.length === 0) return "no requests yet";
  return `${latest.length} requests, median ${duration(quantile(0.5))}, 95 % within ${duration(quantile(0.95))}, slowest ${duration(quantile(1))}`;
}

const level = (ms) => Math.log10(Math.min(MOST, Math.max(LEAST, ms)) / LEAST) / Math.log10(MOST / LEAST);
const scale = [0.1, 1, 10, 100, 1000, 10_000];
const label = (ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

function canvas(width, height, name) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${name}: ${summary()}` });
}

/** A dot for each of the latest calls, from the oldest to the newest. */
function dots(width) {
  const [left, bottom, height] = [48, 148, 156];
  const top = 10;
  const y = (ms) => bottom - level(ms) * (bottom - top);
  const drawing = canvas(width, height, "Latency of the latest requests");
  for (const ms of scale) {
    drawing.append(
      svg("line", { class: "grid", x1: left, x2: width, y1: y(ms), y2: y(ms) }),
      svg("text", { class: "tick", x: left - 8, y: y(ms) + 4, "text-anchor": "end" }, label(ms)));
  }
  const step = (width - left - 12) / Math.max(FEWEST, latest.length);
  latest.forEach((one, index) => drawing.append(mark(one.kind, width - 6 - (latest.length - 1 - index) * step, y(one.ms))));
  return drawing;
}

/** Shapes differ, not only colours. */
function mark(kind, x, y) {
  if (kind === "edit") return svg("rect", { class: "mark edit", x: x - 3, y: y - 3, width: 6, height: 6 });
  if (kind === "refused") return svg("path", { class: "mark refused", d: `M${x - 4} ${y + 3}h8l-4-7z` });
  return svg("circle", { class: "mark read", cx: x, cy: y, r: 3 });
}

function legend() {
  const kinds = [["read", "read"], ["edit", "edit"], ["refused", "refused"]];
  return el("ul", { class: "legend" }, kinds.map(([kind, name]) =>
    el("li", {}, svg("svg", { width: 12, height: 12, viewBox: "0 0 12 12", "aria-hidden": "true" }, mark(kind, 6, 6)), name)));
}

/** How many of the latest calls took how long; three bars for each factor of ten. */
function bars(width) {
  const [left, right, bottom, height] = [48, 6, 108, 132];
  const top = 18;
  const buckets = Array.from({ length: 15 }, () => 0);
  for (const { ms } of latest) buckets[Math.min(14, Math.floor(level(ms) * 15))] += 1;
  const most = Math.max(1, ...buckets);
  const step = (width - left - right) / 15;
  const drawing = canvas(width, height, "Distribution of latency");
  drawing.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: bottom, y2: bottom }));
  buckets.forEach((number, index) => {
    if (number === 0) return;
    const tall = Math.max(2, (number / most) * (bottom - top));
    const x = left + index * step;
    drawing.append(
      svg("rect", { class: "bar", x: x + 1, y: bottom - tall, width: Math.max(1, step - 2), height: tall, rx: 2 }),
      svg("text", { class: "tick", x: x + step / 2, y: bottom - tall - 5, "text-anchor": "middle" }, String(number)));
  });
  scale.forEach((ms, index) => {
    if (width < 330 && index % 2 === 1) return;
    const anchor = index === 0 ? "start" : index === scale.length - 1 ? "end" : "middle";
    drawing.append(svg("text", { class: "tick", x: left + index * 3 * step, y: bottom + 18, "text-anchor": anchor }, label(ms)));
  });
  return drawing;
}

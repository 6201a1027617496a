// A real Prometheus scrapes a real server: every query of the dashboard and of the alerts is answered, and the gates have the same numbers from
// the server, from Prometheus and from the counters on disk.
//
//   node clients/service/monitoring.mjs --hashline PROGRAM --scratch FOLDER
//
// Needs `prometheus` and `promtool`. `cargo xtask service` builds and installs what is missing.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { hashline: { type: 'string' }, scratch: { type: 'string' } } });
const HASHLINE = resolve(values.hashline);
const SCRATCH = resolve(values.scratch);
const MONITORING = join(dirname(fileURLToPath(import.meta.url)), '../../packaging/monitoring');

/** Far more than anything here takes; what is not there by then never comes. */
const PATIENCE = 60_000;
/** How many tasks the traffic has, half of them with edit-file. */
const TASKS = 90;
/** How many edits or writes each task sends. */
const EDITS = 6;

const children = [];
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

const state = join(SCRATCH, 'state');
const env = { PATH: process.env.PATH, HOME: SCRATCH, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(SCRATCH, 'config') };

/** Runs a program to its end. */
function run(program, args, input) {
  const ran = spawnSync(program, args, { cwd: SCRATCH, env, input, encoding: 'utf8', timeout: PATIENCE });
  if (ran.error) throw ran.error;
  return { code: ran.status, text: ran.stdout + ran.stderr, out: ran.stdout };
}

/** Runs a check of promtool, which must find nothing. */
function promtool(args, input) {
  const { code, text } = run('promtool', args, input);
  assert.equal(code, 0, `promtool ${args.join(' ')}:\n${text}`);
  console.log(`promtool ${args.slice(0, 2).join(' ')}: passed`);
}

/** Asks again and again until there is an answer. */
async function until(what, ask) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask().catch((error) => (Date.now() > end ? Promise.reject(error) : undefined));
    if (answer !== undefined && answer !== false) return answer;
    assert(Date.now() < end, `${what} did not happen within ${PATIENCE / 1000} s`);
    await sleep(200);
  }
}

/** Returns a port that is free now. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a server with two workspaces: in `a` half of the tasks have edit-file, in `b` all. */
async function serve() {
  for (const name of ['a', 'b']) mkdirSync(join(SCRATCH, name), { recursive: true });
  const listed = '[[workspace]]\nname = "a"\nroot = "a"\nedit_file = "50%"\n\n[[workspace]]\nname = "b"\nroot = "b"\nread_chars = 400\n';
  writeFileSync(join(SCRATCH, 'workspaces.toml'), listed);
  const args = ['--json', 'serve', '--http', '0', '--workspaces', 'workspaces.toml'];
  const child = spawn(HASHLINE, args, { cwd: SCRATCH, env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const [line] = await new Promise((done) => lines.once('line', (line) => done([line])));
  const { urls, workspaces, operator_token_file } = JSON.parse(line);
  const tokens = Object.fromEntries(workspaces.map((one) => [one.name, readFileSync(one.token_file, 'utf8').trim()]));
  return { child, url: urls.find((url) => url.includes('127.0.0.1')), tokens, operator: operator_token_file };
}

/** Sends one request and returns its answer. */
async function post(server, workspace, path, body, task) {
  const headers = { authorization: `Bearer ${server.tokens[workspace]}`, 'content-type': 'application/json' };
  if (task) headers['hashline-task'] = task;
  const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, ...(await response.json()) };
}

/** Returns the metrics as somebody with this token sees them. */
async function metrics(server, token) {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return response.text();
}

/** Does a task in workspace `a`: edits by anchors if it may, otherwise writes whole files. Returns which. */
async function doTask(server, number) {
  const task = `task-${number}`;
  const path = `${task}.txt`;
  writeFileSync(join(SCRATCH, 'a', path), 'one\ntwo\nthree\nfour\n');
  let edits = true;
  for (let step = 0; step < EDITS; step += 1) {
    const read = await post(server, 'a', '/api/sandbox/read-file', { path, annotate: true }, task);
    assert.equal(read.ok, true, JSON.stringify(read));
    const ref = read.content.split('\n')[1].split('|')[0];
    const edit = { path, edits: [{ type: 'replace_line', ref, new_content: `two ${step}` }] };
    const edited = edits && (await post(server, 'a', '/api/sandbox/edit-file', edit, task));
    if (edits && edited.error === 'edit_disabled') edits = false;
    else if (edits) assert.equal(edited.ok, true, JSON.stringify(edited));
    if (!edits) {
      // Every third write is based on a version that is gone.
      const expected_version = step % 3 === 2 ? '0'.repeat(64) : read.file_hash;
      const written = await post(server, 'a', '/api/sandbox/write-file', { path, content: `one\ntwo ${step}\nthree\n`, expected_version }, task);
      assert.equal(written.ok, step % 3 !== 2, JSON.stringify(written));
    }
  }
  const retries = edits ? number % 2 : 2;
  const report = { task, outcome: number % 10 ? 'success' : 'failure', rounds: 4 + retries, retries, tokens_in: 5000, tokens_out: 800, seconds: 12.5 };
  // A report that is sent twice counts once.
  for (let sent = 0; sent < 2; sent += 1) assert.deepEqual(await post(server, 'a', '/v1/telemetry', report), { status: 200, ok: true });
  return edits;
}

/** Does what else is counted: in workspace `b` stale and repaired edits, moved lines, a read that is cut by its anchors, our own routes, mistakes. */
async function doTheRest(server, round) {
  const at = (path) => join(SCRATCH, 'b', path);
  const send = (path, body) => post(server, 'b', path, body);
  writeFileSync(at('f.txt'), Array.from({ length: 20 }, (_, line) => `line ${line} of ${round}\n`).join(''));
  const read = await send('/api/sandbox/read-file', { path: 'f.txt', annotate: true, end_line: 10 });
  const refs = read.content.split('\n').map((line) => line.split('|')[0]);
  writeFileSync(at('f.txt'), `a new first line\n${readFileSync(at('f.txt'), 'utf8').replace('line 9', 'LINE 9')}`);
  const edit = (ref, new_content) => send('/api/sandbox/edit-file', { path: 'f.txt', edits: [{ type: 'replace_line', ref, new_content }] });
  const moved = await edit(refs[1], `${refs[1]}|changed`);
  assert.equal(moved.ok, true, JSON.stringify(moved));
  assert.equal((await edit(refs[9], 'stale')).ok, false);
  // 400 characters are enough for these lines, but not for their anchors, too.
  writeFileSync(at('cut.txt'), 'twenty characters...\n'.repeat(19));
  assert.equal((await send('/api/sandbox/read-file', { path: 'cut.txt', annotate: true })).truncated, true);
  assert.equal((await send('/api/sandbox/read-file', { path: 'cut.txt' })).truncated, false);
  assert.equal((await send('/v1/read', { path: 'f.txt' })).ok, true);
  assert.equal((await send('/v1/read', { path: 'no such file' })).status, 404);
  assert.equal((await send('/v1/telemetry', { task: 't', outcome: 'done' })).status, 400);
}

/** Starts Prometheus with the example configuration, for this server. */
async function prometheus(server) {
  const port = await freePort();
  const example = readFileSync(join(MONITORING, 'prometheus.yml'), 'utf8');
  const config = example
    .replaceAll('15s', '1s')
    .replace('/run/secrets/hashline-operator', server.operator)
    .replace('127.0.0.1:8741', new URL(server.url).host)
    .replace('alerts.yml', join(MONITORING, 'alerts.yml'));
  const file = join(SCRATCH, 'prometheus.yml');
  writeFileSync(file, config);
  promtool(['check', 'config', file]);
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(SCRATCH, 'tsdb')}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=warn'];
  children.push(spawn('prometheus', args, { cwd: SCRATCH, env, stdio: ['ignore', 'inherit', 'inherit'] }));
  return `http://127.0.0.1:${port}`;
}

/** Asks Prometheus for an expression, and returns its series. */
async function query(prometheus, expression) {
  const response = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const answer = await response.json();
  assert.equal(answer.status, 'success', `${expression}: ${JSON.stringify(answer)}`);
  return answer.data.result;
}

/** Returns the one number of an expression. */
async function number(prometheus, expression) {
  const [series] = await query(prometheus, expression);
  return series && Number(series.value[1]);
}

/** Returns the expressions of all panels, with the variables that Grafana sets. */
function dashboard() {
  const { panels } = JSON.parse(readFileSync(join(MONITORING, 'grafana-dashboard.json'), 'utf8'));
  const targets = panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ title: panel.title, expr })));
  const set = (expr) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1m').replaceAll('$workspace', '.*');
  return targets.map(({ title, expr }) => ({ title, expr: set(expr) }));
}

/** Prints the gates, and returns them with the exit code. */
function gate(args) {
  const { code, out, text } = run(HASHLINE, ['--json', 'stats', '--gate', ...args]);
  assert(code === 0 || code === 1, text);
  return { code, ...JSON.parse(out) };
}

/** The values and verdicts of gates, by their names. */
const byName = (report) => Object.fromEntries(report.gates.map((one) => [one.name, one]));

rmSync(SCRATCH, { recursive: true, force: true });
mkdirSync(SCRATCH, { recursive: true });

promtool(['check', 'rules', join(MONITORING, 'alerts.yml')]);
promtool(['test', 'rules', join(MONITORING, 'alerts.test.yml')]);

const server = await serve();
const operator = readFileSync(server.operator, 'utf8').trim();
const prom = await prometheus(server);
await until('Prometheus is ready', async () => (await fetch(`${prom}/-/ready`)).ok);

// Series must exist before they grow: what a series begins with is no increase.
await doTheRest(server, 0);
const first = [];
for (let task = 0; task < 10; task += 1) first.push(await doTask(server, task));
await until('a first scrape', async () => (await number(prom, 'sum(hashline_task_reports_total)')) === 10);
const arms = [...first];
for (let task = 10; task < TASKS; task += 1) arms.push(await doTask(server, task));
for (let round = 1; round < 4; round += 1) await doTheRest(server, round);
const withEdits = arms.filter(Boolean).length;
assert(withEdits >= 30 && TASKS - withEdits >= 30, `${withEdits} of ${TASKS} tasks edit by anchors`);

const text = await metrics(server, operator);
promtool(['check', 'metrics'], text);
const total = (name) => text.split('\n').filter((line) => line.startsWith(`${name}{`)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
const calls = total('hashline_calls_total');
await until('a last scrape', async () => (await number(prom, 'sum(hashline_calls_total)')) === calls);
console.log(`${calls} calls by ${TASKS} tasks, ${withEdits} of them with edit-file`);

// A workspace sees its own series and nothing else.
const own = await metrics(server, server.tokens.b);
assert(own.includes('workspace="b"') && !own.includes('workspace="a"') && !own.includes('process_'), own);
assert(!/task-\d|f\.txt/.test(text), 'no name of a task or a file');

// What was counted is what was done.
assert.equal(total('hashline_task_reports_total'), TASKS);
assert.equal(await number(prom, 'sum(hashline_calls_total{route="edit-file",result="success",workspace="a"})'), withEdits * EDITS);
assert.equal(await number(prom, 'sum(hashline_calls_total{route="write-file",result="stale"})'), (TASKS - withEdits) * 2);
assert.equal(await number(prom, 'sum(hashline_calls_total{route="edit-file",result="stale",workspace="b"})'), 4);
assert.equal(await number(prom, 'sum(hashline_moved_lines_total{workspace="b"})'), 4);
assert.equal(await number(prom, 'sum(hashline_repairs_total{workspace="b"})'), 4);
assert.equal(await number(prom, 'sum(hashline_reads_cut_by_anchors_total)'), 4);
assert.equal(await number(prom, 'sum(hashline_refusals_total{route="read",code="file_not_found"})'), 4);

const panels = dashboard();
for (const { title, expr } of panels) {
  const found = await query(prom, expr);
  assert(found.length > 0, `${title}: ${expr} finds nothing`);
}
const alerts = await until('an evaluation of every alert', async () => {
  const { data } = await (await fetch(`${prom}/api/v1/rules`)).json();
  const rules = data.groups.flatMap((group) => group.rules);
  return rules.length > 0 && rules.every((rule) => rule.health !== 'unknown') && rules;
});
for (const { name, query: expression, health, lastError } of alerts) {
  assert.equal(health, 'ok', `${name}: ${lastError}`);
  await query(prom, expression);
}
console.log(`${panels.length} queries of the dashboard and ${alerts.length} alerts: answered`);

const fromServer = gate(['--from', server.url, '--token-file', server.operator]);
const fromPrometheus = gate(['--from', prom]);
assert.deepEqual(fromPrometheus, fromServer);
const gates = byName(fromServer);
assert.equal(gates.apply_success.verdict, 'pass');
assert.equal(gates.retries_per_task.verdict, 'pass');
assert.equal(gates.reads_cut_by_anchors.verdict, 'falls_short', 'workspace b has reads that are cut');
assert(['pass', 'falls_short'].includes(gates.p99_time.verdict), 'the time is measured, not judged here');
assert.equal(fromServer.code, 1);

// Of one workspace, where no read is cut; its own token is enough.
const ofA = ['--workspace', 'a'];
writeFileSync(join(SCRATCH, 'a.token'), server.tokens.a);
const inA = gate(['--from', server.url, '--token-file', join(SCRATCH, 'a.token'), ...ofA]);
assert.deepEqual(gate(['--from', prom, ...ofA]), inA);
assert.equal(byName(inA).reads_cut_by_anchors.verdict, 'pass');

// Over a time, Prometheus estimates what counters grew by; what is asked for is answered.
assert.equal(gate(['--from', prom, '--over', '1h']).gates.length, 4);
const denied = run(HASHLINE, ['stats', '--gate', '--from', server.url]);
assert.equal(denied.code, 2, denied.text);
assert.match(denied.text, /status 401/);

// What the server leaves behind when it ends.
const ended = new Promise((done) => server.child.once('exit', done));
server.child.kill('SIGTERM');
assert.equal(await ended, 0);
assert.deepEqual(gate([]), fromServer);
const gone = run(HASHLINE, ['stats', '--gate', '--from', server.url]);
assert.equal(gone.code, 2, gone.text);
assert.match(run(HASHLINE, ['stats']).text, /apply/, 'the other counters are there, too');
console.log(run(HASHLINE, ['stats', '--gate']).out);
process.exit(0);

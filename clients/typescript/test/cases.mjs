// What the client does with a real service, as cases that run in Node, Bun and workerd alike: only what every JavaScript has may be used.
//
// A case gets `api` (the package) and `open` (makes a client for the service; its workspace `off` has edit-file switched off). Files are made
// and changed through the service itself, by a client of another session.

/** Throws unless two values are the same as JSON. */
function same(found, expected, what = "") {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what} ${one} instead of ${other}`);
}

/** Returns a result that must be `ok`. */
function done(result) {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result)}`);
  return result;
}

const HELLO = 'function hello() {\n  return "world";\n}\n';
const REFS = ["1:4qN7", "2:OcoM", "3:oHxE"];

export const CASES = {
  async "a file is read plain, with refs, and in part"({ open }) {
    const client = open();
    const { version } = done(await client.writeFile("read/hello.ts", HELLO));
    const plain = done(await client.readFile("read/hello.ts"));
    same([plain.content, plain.truncated, plain.file_hash], [HELLO.slice(0, -1), false, version]);
    const annotated = done(await client.readFile("read/hello.ts", { annotate: true }));
    same(annotated.content.split("\n").map((line) => line.split("|")[0]), REFS);
    const part = done(await client.readFile("read/hello.ts", { annotate: true, start_line: 2, end_line: 2 }));
    same([part.content, part.start_line, part.end_line, part.total_lines], ['2:OcoM|  return "world";', 2, 2, 3]);
  },

  async "a coder reads with refs without saying so, an orchestrator does not"({ open }) {
    done(await open().writeFile("role.ts", HELLO));
    const first = async (role) => done(await open({ role }).readFile("role.ts")).content.split("\n")[0];
    same([await first("coder"), await first("orchestrator")], ["1:4qN7|function hello() {", "function hello() {"]);
  },

  async "edits of every type are applied, all in one request"({ open }) {
    const client = open();
    done(await client.writeFile("edit.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"));
    const { content, rev } = done(await client.readFile("edit.txt", { annotate: true }));
    const ref = content.split("\n").map((line) => line.split("|")[0]);
    const edited = done(
      await client.editFile(
        "edit.txt",
        [
          { type: "replace_line", ref: ref[0], new_content: "ONE" },
          { type: "insert_after", ref: ref[1], new_content: "after two" },
          { type: "insert_before", ref: ref[2], new_content: "before three" },
          { type: "delete_line", ref: ref[3] },
          { type: "replace_range", start_ref: ref[4], end_ref: ref[5], new_content: "FIVE and SIX" },
          { type: "delete_range", start_ref: ref[6], end_ref: ref[7] },
        ],
        { rev, full_refresh: true },
      ),
    );
    same(edited.applied, 6);
    same(done(await client.readFile("edit.txt")).content, "ONE\ntwo\nafter two\nbefore three\nthree\nFIVE and SIX");
    same(edited.content.split("\n").length, 6);
  },

  async "a dry run writes nothing"({ open }) {
    const client = open();
    done(await client.writeFile("dry.ts", HELLO));
    const edits = [{ type: "delete_line", ref: REFS[1] }];
    same(done(await client.editFile("dry.ts", edits, { dry_run: true })).dry_run, true);
    same(done(await client.readFile("dry.ts")).content, HELLO.slice(0, -1));
  },

  async "a stale ref comes with fresh ones"({ open }) {
    const client = open();
    done(await client.writeFile("stale.ts", HELLO));
    const refused = await client.editFile("stale.ts", [{ type: "delete_line", ref: "2:bR7p" }]);
    same(refused.ok, false);
    same(
      [refused.error, refused.code, refused.failing_edit_index, refused.failing_ref, refused.expected_hash, refused.actual_hash, refused.written],
      ["stale_ref", "stale", 0, "2:bR7p", "bR7p", "OcoM", false],
    );
    same(refused.fresh_refs, ["1:4qN7|function hello() {", '2:OcoM|  return "world";', "3:oHxE|}"]);
  },

  async "a caller's function decides about a stale ref, and its edits are sent with the fresh revision"({ open }) {
    const client = open();
    done(await client.writeFile("rebase.ts", HELLO));
    const { content, rev } = done(await client.readFile("rebase.ts", { annotate: true }));
    done(await open({ session: "other" }).writeFile("rebase.ts", HELLO.replace("world", "moon")));
    const old = content.split("\n")[1].split("|")[0];
    const decided = [];
    const result = await client.editFile("rebase.ts", [{ type: "replace_line", ref: old, new_content: "  return 1;" }], {
      rev,
      rebase: (refusal, edits) => {
        decided.push(refusal.failing_ref);
        const fresh = refusal.fresh_refs[1];
        return fresh.endsWith('  return "moon";') ? [{ ...edits[0], ref: fresh.split("|")[0] }] : undefined;
      },
    });
    same([done(result).applied, decided], [1, [old]]);
    same(done(await client.readFile("rebase.ts")).content, "function hello() {\n  return 1;\n}");
  },

  async "a function that gives up leaves the refusal and the file as they are"({ open }) {
    const client = open();
    done(await client.writeFile("give-up.ts", HELLO));
    const result = await client.editFile("give-up.ts", [{ type: "delete_line", ref: "2:bR7p" }], { rebase: () => undefined, retryStale: 5 });
    same([result.error, done(await client.readFile("give-up.ts")).content], ["stale_ref", HELLO.slice(0, -1)]);
  },

  async "refs that the refusal does not show are not sent again under its revision"({ open }) {
    const client = open();
    const lines = Array.from({ length: 40 }, (_, i) => (i % 10 === 9 ? "}" : `line ${i}`));
    done(await client.writeFile("far.txt", lines.join("\n") + "\n"));
    const shown = done(await client.readFile("far.txt", { annotate: true })).content.split("\n");
    const [near, far] = [shown[0], shown[29]].map((line) => line.split("|")[0]);
    lines[0] = "line 0, changed";
    done(await open({ session: "other" }).writeFile("far.txt", lines.join("\n") + "\n"));
    const edits = [
      { type: "delete_line", ref: near },
      { type: "delete_line", ref: far },
    ];
    const result = await client.editFile("far.txt", edits, {
      rebase: (refusal) => [{ type: "delete_line", ref: refusal.fresh_refs[0].split("|")[0] }, edits[1]],
    });
    same([result.error, result.failing_ref], ["stale_ref", near]);
    same(done(await client.readFile("far.txt")).content, lines.join("\n"));
  },

  async "a function may read again itself, and name the revision"({ open }) {
    const client = open();
    done(await client.writeFile("again.ts", HELLO));
    const result = await client.editFile("again.ts", [{ type: "delete_line", ref: "2:bR7p" }], {
      rebase: async (_, edits) => {
        const { content, rev } = done(await client.readFile("again.ts", { annotate: true }));
        return { rev, edits: [{ ...edits[0], ref: content.split("\n")[1].split("|")[0] }] };
      },
    });
    same([done(result).applied, done(await client.readFile("again.ts")).content], [1, "function hello() {\n}"]);
  },

  async "lines that only moved are followed if the text that was shown is given"({ open }) {
    const client = open();
    const before = "a\nb\nc\nd\n";
    done(await client.writeFile("other-server.txt", before));
    const shown = done(await open({ session: "elsewhere" }).readFile("other-server.txt", { annotate: true })).content;
    // For the service this is another file: it has no history, as after its state was lost.
    done(await client.writeFile("moved.txt", "new\na\nb\nc\nd\n"));
    const edit = [{ type: "replace_line", ref: shown.split("\n")[2].split("|")[0], new_content: "C" }];
    same((await client.editFile("moved.txt", edit)).error, "stale_ref");
    same((await client.editFile("moved.txt", edit, { shown, retryStale: 0 })).error, "stale_ref");
    done(await client.editFile("moved.txt", edit, { shown }));
    same(done(await client.readFile("moved.txt")).content, "new\na\nb\nC\nd");
  },

  async "a line that changed is never replaced by the one at its number"({ open }) {
    const client = open();
    done(await client.writeFile("seen.txt", "a\nb\nc\nd\n"));
    const shown = done(await client.readFile("seen.txt", { annotate: true })).content;
    done(await client.writeFile("changed.txt", "a\nb\nsomething else\nd\n"));
    const edit = [{ type: "delete_line", ref: shown.split("\n")[2].split("|")[0] }];
    const result = await client.editFile("changed.txt", edit, { shown, retryStale: 3 });
    same([result.error, done(await client.readFile("changed.txt")).content], ["stale_ref", "a\nb\nsomething else\nd"]);
  },

  async "what a function decided is not replaced by lines that moved"({ open }) {
    const [client, other] = [open(), open({ session: "other" })];
    const before = "a\nb\nc\nd\n";
    done(await client.writeFile("shown-before.txt", before));
    const shown = done(await client.readFile("shown-before.txt", { annotate: true })).content;
    done(await client.writeFile("decided.txt", before.replace("c", "changed")));
    const decided = [];
    const result = await client.editFile("decided.txt", [{ type: "delete_line", ref: shown.split("\n")[2].split("|")[0] }], {
      shown,
      retryStale: 5,
      rebase: async ({ fresh_refs }) => {
        decided.push(fresh_refs.length);
        if (decided.length > 1) return undefined;
        // While the function thinks, the line that was shown comes back elsewhere.
        done(await other.writeFile("decided.txt", `new\n${before}`));
        return [{ type: "delete_line", ref: fresh_refs[2].split("|")[0] }];
      },
    });
    same([result.error, decided.length], ["stale_ref", 2]);
    same(done(await client.readFile("decided.txt")).content, `new\n${before.slice(0, -1)}`);
  },

  async "lines are followed only with proof"({ api: { movedLines } }) {
    const numbered = (text, first = 1) => text.split("").map((letter, i) => `${first + i}:0${letter}0${letter}|${letter}`).join("\n");
    const ref = (number, letter) => `${number}:0${letter}0${letter}`;
    const del = (at) => [{ type: "delete_line", ref: at }];
    const range = (start, end) => [{ type: "delete_range", start_ref: start, end_ref: end }];
    const shown = numbered("abcdefg");
    same(movedLines(shown, numbered("xxabcdefg"), del(ref(4, "d"))), del(ref(6, "d")), "moved:");
    same(movedLines(shown, numbered("xabcdefg"), range(ref(3, "c"), ref(5, "e"))), range(ref(4, "c"), ref(6, "e")), "a range:");
    same(movedLines(shown, numbered("xabcdefgabcdefg"), del(ref(4, "d"))), undefined, "a copy:");
    same(movedLines(shown, numbered("xabcxefg"), del(ref(4, "d"))), undefined, "gone:");
    same(movedLines(shown, numbered("xabXdefg"), del(ref(4, "d"))), undefined, "another neighbour:");
    same(movedLines(shown, numbered("xabcdXfg"), range(ref(3, "c"), ref(5, "e"))), undefined, "a range that changed inside:");
    same(movedLines(numbered("abababab"), numbered("xabababab"), del(ref(3, "a"))), undefined, "twins:");
    same(movedLines(numbered("abcdeabcde"), numbered("xabcde"), del(ref(3, "c"))), undefined, "one of two copies is gone:");
    same(movedLines("1:0a0a|a", numbered("xa"), del(ref(1, "a"))), undefined, "alone:");
    same(movedLines("plain text", numbered("ab"), del(ref(1, "a"))), undefined, "not annotated:");
    same(movedLines(shown, numbered("xabcdefg"), del(ref(9, "z"))), undefined, "never shown:");
    const apart = `${numbered("abc")}\n${numbered("xyz", 20)}`;
    same(movedLines(apart, numbered("qabcxyz"), del(ref(3, "c"))), undefined, "shown apart:");
  },

  async "a whole file has a version, and another one is refused"({ open }) {
    const client = open();
    const first = done(await client.writeFile("whole.txt", "one\n"));
    same([first.bytes, first.created], [4, true]);
    const second = done(await client.writeFile("whole.txt", "two\n", { expected_version: first.version }));
    const refused = await client.writeFile("whole.txt", "three\n", { expected_version: first.version });
    same(
      [refused.ok, refused.error, refused.expected_version, refused.current_version],
      [false, "STALE_FILE", first.version, second.version],
    );
    same(done(await client.readFile("whole.txt")).content, "two");
  },

  async "a file that must be new is not overwritten"({ open }) {
    const client = open();
    same(done(await client.writeFile("new.txt", "one\n", { create: true })).created, true);
    const refused = await client.writeFile("new.txt", "two\n", { create: true });
    same([refused.ok, refused.error, refused.written], [false, "file_exists", false]);
    same(done(await client.readFile("new.txt")).content, "one");
  },

  async "an edit of a file with another hash is refused"({ open }) {
    const client = open();
    const { version } = done(await client.writeFile("hash.ts", HELLO));
    const wrong = "0".repeat(64);
    const refused = await client.editFile("hash.ts", [{ type: "delete_line", ref: REFS[0] }], { file_hash: wrong });
    same([refused.error, refused.expected_hash, refused.actual_hash], ["stale_file", wrong, version]);
  },

  async "bytes that are not text arrive as they are"({ open }) {
    const client = open();
    const bytes = new Uint8Array(70_000).map((_, i) => (i * 7) % 256);
    const { version, bytes: count } = done(await client.writeFile("bytes.bin", bytes));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    same([count, version], [70_000, Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")]);
  },

  async "a search shows refs that an edit takes"({ open }) {
    const client = open();
    done(await client.writeFile("search/a.txt", "first\nneedle here\nlast\n"));
    const found = done(await client.search("needle", { path: "search" }));
    same([found.totals.matches, found.files[0].path], [1, "search/a.txt"]);
    const line = found.files[0].blocks[0].find((line) => line.match);
    const edits = [{ type: "replace_line", ref: line.anchor, new_content: "found" }];
    done(await client.editFile("search/a.txt", edits, { rev: found.files[0].rev }));
    same(done(await client.readFile("search/a.txt")).content, "first\nfound\nlast");
  },

  async "a search that cannot be done is refused with a code"({ open }) {
    const refused = await open().search("(");
    same([refused.ok, refused.error, refused.code], [false, "refused", "bad_pattern"]);
  },

  async "any other route can be called with the document's types"({ open }) {
    const client = open();
    done(await client.writeFile("post.ts", HELLO));
    const verified = await client.post("/v1/verify", { path: "post.ts", anchors: ["2:OcoM", "2:bR7p"] });
    same(verified.anchors.map((one) => one.ok), [true, false]);
  },

  async "where edit-file is off, the refusal names what to use"({ open }) {
    const client = open({ workspace: "off" });
    done(await client.writeFile("off.ts", HELLO));
    const refused = await client.editFile("off.ts", [{ type: "delete_line", ref: REFS[0] }]);
    same([refused.ok, refused.error, refused.use], [false, "edit_disabled", "write-file"]);
  },

  async "requests that are wrong are refused with the seed's names"({ open }) {
    const client = open();
    done(await client.writeFile("wrong.ts", HELLO));
    const error = async (edits, path = "wrong.ts") => (await client.editFile(path, edits)).error;
    const del = (ref) => ({ type: "delete_line", ref });
    same(await error([]), "invalid_edit");
    same(await error([del("2-OcoM")]), "invalid_ref");
    same(await error([del(REFS[1]), del(REFS[1])]), "overlapping_edits");
    same(await error([{ type: "delete_range", start_ref: REFS[2], end_ref: REFS[0] }]), "invalid_range");
    same(await error([del(REFS[0])], "nowhere.ts"), "not_found");
    same((await client.readFile("/etc/hostname")).code, "outside_root");
  },

  async "another sandbox's name, a wrong token and a wrong header are denied"({ open }) {
    const denied = await open({ sandboxId: "somebody-else" }).readFile("a");
    same([denied.ok, denied.error, denied.status], [false, "denied", 403]);
    const unknown = await open({ token: "x".repeat(64) }).readFile("a");
    same([unknown.error, unknown.status, unknown.code], ["denied", 401, "unauthorized"]);
    const header = await open({ role: "nobody" }).readFile("a");
    same([header.error, header.status, header.code], ["denied", 400, "bad_request"]);
  },

  async "an aborted call is not sent, and says so"({ open }) {
    const client = open();
    done(await client.writeFile("abort.ts", HELLO));
    const signal = AbortSignal.abort("enough");
    const refused = await client.writeFile("abort.ts", "overwritten\n", { signal });
    same([refused.error, refused.reason, refused.written], ["aborted", "enough", false]);
    same(done(await client.readFile("abort.ts")).content, HELLO.slice(0, -1));
  },

  async "a call that is aborted on its way has an unknown end, unless it only reads"({ open }) {
    const controller = new AbortController();
    // The service does not answer: only the signal can end the call.
    const fetch = (_, { signal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
        controller.abort(new Error("enough"));
      });
    const client = open({ fetch });
    const edited = await client.editFile("a", [{ type: "delete_line", ref: REFS[0] }], { signal: controller.signal });
    same([edited.error, edited.reason.message, edited.written], ["aborted", "enough", "unknown"]);
    const second = new AbortController();
    const reading = open({ fetch }).readFile("a", { signal: second.signal });
    second.abort();
    const read = await reading;
    same([read.error, read.written], ["aborted", false]);
  },

  async "a service that is not there is an answer, too"({ open, nowhere }) {
    const failed = await open({ url: nowhere }).writeFile("a", "b");
    same([failed.ok, failed.error, failed.written], [false, "network", "unknown"]);
  },

  async "an answer of something else is not taken for one of the service"({ open }) {
    const client = open({ fetch: async () => new Response("<h1>Bad gateway</h1>", { status: 502 }) });
    const failed = await client.writeFile("a", "b");
    same([failed.error, failed.status, failed.written], ["http", 502, "unknown"]);
    const redirected = open({ fetch: async (_, init) => new Response(null, { status: init.redirect === "manual" ? 302 : 200 }) });
    same((await redirected.readFile("a")).status, 302);
  },

  async "one anchor is removed from each line, and never more"({ api: { stripAnchors } }) {
    same(stripAnchors("1:4qN7|a\n2:0000|\n3:oHxE|3:oHxE|b\n10:1zzzz|c"), "a\n\n3:oHxE|b\nc");
    same(stripAnchors("plain\n1:abc|too short\n1:abcdef|too long\n :4qN7|x"), "plain\n1:abc|too short\n1:abcdef|too long\n :4qN7|x");
    same(stripAnchors(""), "");
  },

  async "a ref is read as the server reads it"({ api: { refOf } }) {
    same(refOf(" 12 : OcoM |text | more"), "12:OcoM");
    same(refOf("12:1OcoM"), "12:1OcoM");
    for (const text of ["0:OcoM", "OcoM", "12:Oco", "12:OcoM5x", "12-OcoM", "12:Oc M", ""]) same(refOf(text), undefined, text);
  },

  async "the prompts name the tools that a call may have"({ push }) {
    for (const prompt of [push.SANDBOX_TOOL_PROTOCOL, push.CODER_SYSTEM_PROMPT]) {
      const calls = [...prompt.matchAll(/```json\n(.*?)\n```/gs)].map(([, call]) => push.validateSandboxToolCall(JSON.parse(call)));
      same(calls.map((call) => call.ok && call.call.tool), ["sandbox_read_file", "sandbox_edit_file", "sandbox_write_file"]);
    }
  },
};

/** Must fail: it shows that a failing case is seen as one. */
export const CONTROL = {
  async "a file that nobody wrote is there"({ open }) {
    done(await open().readFile("nobody-wrote-this"));
  },
};

/** Runs cases, and returns those that failed with the reason. `given` has `url`, `tokens` of the workspaces, `nowhere`. */
export async function run(cases, given, api, push) {
  const open = ({ workspace = "main", ...options } = {}) =>
    new api.Hashline({ url: given.url, token: given.tokens[workspace], sandboxId: workspace, session: "case", ...options });
  const failed = {};
  for (const [name, test] of Object.entries(cases)) {
    try {
      await test({ api, push, open, nowhere: given.nowhere });
    } catch (problem) {
      failed[name] = String(problem?.stack ?? problem);
    }
  }
  return failed;
}

// The package as it is handed out: its files, nothing to install with it, and types that tell errors apart.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

const root = new URL("..", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

it("has no dependency at run time, and imports nothing but its own modules", () => {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies"]) assert.equal(manifest[field], undefined);
  const files = ["index", "push", "answers", "client", "errors", "http", "moved", "openapi", "prompts", "refs"];
  for (const file of files) {
    const text = readFileSync(join(root, `dist/${file}.js`), "utf8");
    for (const [, from] of text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/g)) assert.ok(files.includes(from?.slice(2, -3)), from);
  }
});

it("is installed from its archive and imported by its names", () => {
  const home = mkdtempSync(join(tmpdir(), "hashline-package-"));
  try {
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", home], { cwd: root, encoding: "utf8" }));
    const unexpected = packed.files.map(({ path }) => path).filter((path) => !/^(dist\/\w+(\.d)?\.[jt]s|README\.md|package\.json)$/.test(path));
    assert.deepEqual(unexpected, []);
    const place = join(home, "node_modules/hashline-client");
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", join(home, packed.filename), "-C", place, "--strip-components=1"]);
    const script = 'import { Hashline } from "hashline-client"; import { editInSandbox } from "hashline-client/push"; console.log(typeof Hashline, typeof editInSandbox);';
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: home, encoding: "utf8" });
    assert.equal(printed, "function function\n");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

it("has types that say what may be done with an answer, and what may not", () => {
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "test/tsconfig.json")], { stdio: "inherit" });
});

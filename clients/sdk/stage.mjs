// A folder for one case: its files before, and what they must hold afterwards.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export class Stage {
  constructor(scratch, texts = {}) {
    mkdirSync(scratch, { recursive: true });
    this.home = realpathSync(mkdtempSync(join(scratch, "case-")));
    this.root = join(this.home, "files");
    this.texts = texts;
    mkdirSync(this.root);
  }

  /** The environment of a server: nothing of the person's. */
  get env() {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, "state"),
      XDG_CONFIG_HOME: join(this.home, "config"),
    };
  }

  /** The arguments of a server. All connections of a case are one session: the Inspector makes one for each call. */
  args(options = []) {
    return ["--root", this.root, "--session", "case", "mcp", ...options];
  }

  /** A text may be given by its name. */
  text(text) {
    return text.startsWith("@") ? this.texts[text.slice(1)] : text;
  }

  bytes(what) {
    if (typeof what === "string") return Buffer.from(this.text(what));
    if (what.base64 !== undefined) return Buffer.from(what.base64, "base64");
    if (what.lines !== undefined) return Buffer.from(lines(what, 1, what.lines).map((line) => line + "\n").join(""));
    return Buffer.from(what.text ?? "");
  }

  make(files = {}) {
    for (const [name, what] of Object.entries(files)) {
      const path = join(this.root, name);
      mkdirSync(dirname(path), { recursive: true });
      const { link, size, mode } = typeof what === "string" ? {} : what;
      if (link !== undefined) {
        symlinkSync(link, path);
        continue;
      }
      writeFileSync(path, this.bytes(what));
      if (size !== undefined) truncateSync(path, size);
      if (mode !== undefined) chmodSync(path, mode);
    }
  }

  /** Throws unless the files hold what they must; `null` is a file that must not be there. */
  check(after = {}) {
    for (const [name, what] of Object.entries(after)) {
      const path = join(this.root, name);
      if (what === null) {
        if (existsSync(path)) throw new Error(`${name} is there`);
        continue;
      }
      const now = readFileSync(path);
      if (!now.equals(this.bytes(what))) throw new Error(`${name} holds ${JSON.stringify(now.toString())}`);
    }
  }

  remove() {
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The lines of a file that was made by counting. */
export function lines(what, first, last) {
  return Array.from({ length: last - first + 1 }, (_, i) => what.text.replace("#", first + i));
}

// All of the example for a test: a real service, the worker in a real workerd in front of it, and how the app reaches them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { serve } from "../../../clients/typescript/test/service.mjs";
import { workerd } from "../../../clients/typescript/test/workerd-process.mjs";

const here = (name) => new URL(name, import.meta.url).pathname;
const WORKERD = here("../node_modules/@cloudflare/workerd-linux-64/bin/workerd");

/** Starts the service, with settings of its workspace, and the worker. */
export async function stage(settings = "") {
  const home = mkdtempSync(join(tmpdir(), "hashline-push-"));
  const service = await serve(process.env.HASHLINE_BIN, home, settings);
  const appToken = crypto.randomUUID();
  const sandboxes = {
    main: { url: service.url, token: service.token },
    revoked: { url: service.url, token: "0".repeat(64) },
    asleep: { url: "http://127.0.0.1:1", token: service.token },
  };
  const worker = await workerd(WORKERD, here("../worker/config.capnp"), { SANDBOXES: JSON.stringify(sandboxes), APP_TOKEN: appToken });
  const options = { url: worker.url, token: appToken, session: "test" };
  return {
    service,
    worker,
    options,
    /** What `executeSandboxToolCall` and the Coder get. */
    sandbox: { sandboxId: "main", ...options },
    /** Writes a file as another program does: past the service. */
    put(path, bytes) {
      mkdirSync(dirname(join(service.root, path)), { recursive: true });
      writeFileSync(join(service.root, path), bytes);
    },
    get: (path) => readFileSync(join(service.root, path)),
    async end() {
      await worker.end();
      await service.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

// The service as the cases need it: one workspace with edit-file and one without.
import { once } from "node:events";
import { createServer } from "node:net";

import { serve } from "./service.mjs";

/** Starts the service; `given` is what the cases get. */
export async function stage(hashline, home) {
  const off = "7".repeat(64);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(off))).toString("hex");
  const settings = `[[workspace]]\nname = "off"\nroot = "files"\ntoken_sha256 = "${digest}"\nedit_file = "off"`;
  const server = await serve(hashline, home, settings);
  const given = { url: server.url, tokens: { main: server.token, off }, nowhere: await nowhere() };
  return { ...server, given };
}

/** Returns an address at which nothing listens. */
async function nowhere() {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  return `http://127.0.0.1:${port}`;
}

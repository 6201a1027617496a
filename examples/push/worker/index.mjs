// The edge worker: it passes calls of the app on to the sandbox that they name, with that sandbox's token, which the app never sees.
//
// Bindings:
//   SANDBOXES   what each sandbox is: {"ID": {"url": "http://…", "token": "…"}}
//   APP_TOKEN   what a call must carry as its bearer token. It stands for the sign-in of your own users.
//
// Nothing of a request or an answer is logged or kept.

/** The routes that are passed on. */
const ROUTES = ["/api/sandbox/read-file", "/api/sandbox/edit-file", "/api/sandbox/write-file"];
/** How many bytes the body of a call may have. */
const MAX_BODY = 1024 * 1024;
/** Headers of a call that the service is told, and of its answer that the app is told. */
const PASSED = ["Hashline-Session", "Hashline-Task", "Hashline-Role", "If-Match", "If-None-Match"];
const RETURNED = ["Content-Type", "ETag"];

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (!ROUTES.includes(pathname)) return denied(404, "not_found", "There is nothing at this path.");
    if (request.method !== "POST") return denied(405, "method_not_allowed", "Send a POST.", { Allow: "POST" });
    if (!(await isUser(request, env))) return denied(401, "unauthorized", "Sign in first.");
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? "")) {
      return denied(415, "bad_content_type", "Content-Type must be application/json.");
    }
    const body = await read(request);
    if (!body) return denied(413, "too_large", `A call may have ${MAX_BODY} bytes.`);
    const sandbox = named(env, parse(body)?.sandbox_id);
    if (!sandbox) return denied(404, "unknown_sandbox", "`sandbox_id` must name a sandbox.");
    return pass(request, pathname, body, sandbox);
  },
};

/** Says whether a call comes from a user of the app. The digests are compared, so that time tells nothing about the token. */
async function isUser(request, env) {
  const digest = (text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const given = await digest(request.headers.get("Authorization") ?? "");
  return crypto.subtle.timingSafeEqual(given, await digest(`Bearer ${env.APP_TOKEN}`));
}

/** Reads the body of a call; `undefined` if it is too large. It is not read to its end then. */
async function read(request) {
  if (Number(request.headers.get("Content-Length")) > MAX_BODY) return undefined;
  const body = new Uint8Array(MAX_BODY);
  let length = 0;
  for await (const chunk of request.body ?? []) {
    if (length + chunk.length > MAX_BODY) return undefined;
    body.set(chunk, length);
    length += chunk.length;
  }
  return body.subarray(0, length);
}

/** Parses the body of a call; `undefined` if it is not JSON. */
function parse(body) {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Returns the sandbox of this name. */
function named(env, id) {
  const sandboxes = JSON.parse(env.SANDBOXES);
  return typeof id === "string" && Object.hasOwn(sandboxes, id) ? sandboxes[id] : undefined;
}

/** Sends a call to the service of its sandbox, and returns the answer with its status. */
async function pass(request, pathname, body, { url, token }) {
  const headers = copied(PASSED, request.headers);
  headers.set("Authorization", `Bearer ${token}`);
  headers.set("Content-Type", "application/json");
  let answer;
  try {
    answer = await fetch(new URL(pathname, url), { method: "POST", headers, body, redirect: "manual" });
  } catch {
    return denied(502, "unreachable", "The sandbox cannot be reached.");
  }
  // The app signed in here: that the service does not know the worker's token is not the app's business.
  if (answer.status === 401) return denied(502, "unreachable", "The sandbox does not accept this worker.");
  const returned = copied(RETURNED, answer.headers);
  returned.set("Cache-Control", "no-store");
  return new Response(answer.body, { status: answer.status, headers: returned });
}

function copied(names, from) {
  return new Headers(names.flatMap((name) => (from.has(name) ? [[name, from.get(name)]] : [])));
}

function denied(status, code, message, headers = {}) {
  return Response.json({ ok: false, code, message }, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}

// The token, and what is sent with it. The token is in memory only.

let token = "";

/** The server does not accept the token. */
export class NotAccepted extends Error {}

export const hasToken = () => token !== "";

/** Takes the token from the fragment of the URL, which is then removed from the address bar and the history. Returns whether there was one. */
export function takeToken() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (found === null) return false;
  history.replaceState(null, "", location.pathname);
  setToken(found);
  return true;
}

export function setToken(text) {
  token = text.trim();
}

async function send(path, options) {
  // A header cannot hold other characters.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new NotAccepted();
  const headers = { ...options.headers, Authorization: `Bearer ${token}` };
  const response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  if (response.status === 401) throw new NotAccepted();
  return response;
}

/** Sends a request and returns its answer as JSON. */
export async function post(path, body, { dialect, session } = {}) {
  const headers = { "Content-Type": "application/json" };
  if (dialect) headers["Hashline-Dialect"] = dialect;
  if (session) headers["Hashline-Session"] = session;
  const response = await send(path, { method: "POST", headers, body: JSON.stringify(body) });
  try {
    return await response.json();
  } catch {
    throw new Error(`the server answered ${response.status}`);
  }
}

/** Receives events until the stream ends; calls `receive` with each. */
export async function events(receive) {
  const response = await send("/ui/events", {});
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").filter((line) => line.startsWith("data: "));
      if (data.length > 0) receive(JSON.parse(data.map((line) => line.slice(6)).join("\n")));
    }
  }
}

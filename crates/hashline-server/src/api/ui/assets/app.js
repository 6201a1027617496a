// The page for the person who watches agents work. What it shows is in memory only, and gone when the page is closed.

import { NotAccepted, events, hasToken, setToken, takeToken } from "./api.js";
import { $ } from "./dom.js";
import * as files from "./files.js";
import * as live from "./live.js";
import * as numbers from "./numbers.js";
import * as request from "./request.js";

/** How long to wait before connecting again, in milliseconds. */
const WAITS = [1000, 2000, 5000, 10_000];

/** Counts the connections that were wanted: an old one must not go on beside a new one. */
let wanted = 0;

function status(state, text) {
  $("connection").dataset.state = state;
  $("connection").textContent = text;
}

/** Asks for a token. */
function ask(why) {
  wanted += 1;
  status("bad", "Not connected");
  $("gate-why").textContent = why;
  $("gate").hidden = false;
  $("page").hidden = $("sections").hidden = true;
  $("token").focus();
}

function failed(error) {
  if (error instanceof NotAccepted) ask("The server does not accept this token. A server that was started again has a new one.");
}

/** Shows what the token gives access to. */
function welcome({ workspace, all, dialect }) {
  $("gate").hidden = true;
  $("page").hidden = $("sections").hidden = false;
  $("workspace").textContent = workspace ?? "all workspaces";
  document.title = `${workspace ?? "all workspaces"} · hashline`;
  $("dialect").options[0].textContent = `${dialect} (default)`;
  live.showWorkspaces(all && !workspace);
  request.setUsual(dialect);
  for (const element of document.querySelectorAll(".operator")) element.hidden = Boolean(workspace);
  document.body.classList.toggle("no-workspace", !workspace);
  status("good", "Live");
}

function receive(event) {
  if (event.kind === "hello") return welcome(event);
  if (event.kind === "missed") return live.lost(event.count);
  if (event.kind !== "call") return;
  live.add(event);
  numbers.add(event);
  if (event.path) files.offer(event.path);
}

/** Receives events, and connects again when the stream ends. */
async function watch() {
  wanted += 1;
  const mine = wanted;
  for (let tries = 0; mine === wanted; tries += 1) {
    status("wait", "Connecting");
    try {
      await events((event) => {
        if (mine !== wanted) return;
        tries = 0;
        receive(event);
      });
    } catch (error) {
      if (mine !== wanted) return;
      failed(error);
    }
    if (mine !== wanted) return;
    status("bad", "Connection lost; trying again");
    await new Promise((resolve) => setTimeout(resolve, WAITS[Math.min(tries, WAITS.length - 1)]));
  }
}

$("gate-form").addEventListener("submit", (event) => {
  event.preventDefault();
  setToken($("token").value);
  $("token").value = "";
  $("gate-why").textContent = "Connecting";
  watch();
});
// Another URL with a token, typed into the same tab, does not load the page again.
addEventListener("hashchange", () => takeToken() && watch());

live.start(files.open);
numbers.start();
files.start(request.use, failed);
request.start(failed);

takeToken();
if (hasToken()) watch();
else ask("Open it with the URL that the server printed, which has the token after #token=, or paste the token here.");

# The worker in workerd, for a sandbox on the same machine. SANDBOXES and APP_TOKEN come from the environment.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    # Where the worker's `fetch` may go: here the sandbox service is on loopback.
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2026-04-01",
  modules = [(name = "index.mjs", esModule = embed "index.mjs")],
  bindings = [
    (name = "SANDBOXES", fromEnvironment = "SANDBOXES"),
    (name = "APP_TOKEN", fromEnvironment = "APP_TOKEN"),
  ],
);

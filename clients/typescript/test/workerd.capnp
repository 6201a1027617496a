# The package and its cases as a worker; the runner names the address to listen on.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "cases", worker = .cases),
    # The service that is tested listens on loopback.
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", http = (), service = "cases")],
);

const cases :Workerd.Worker = (
  compatibilityDate = "2026-04-01",
  modules = [
    (name = "test/workerd.mjs", esModule = embed "workerd.mjs"),
    (name = "test/cases.mjs", esModule = embed "cases.mjs"),
    (name = "dist/index.js", esModule = embed "../dist/index.js"),
    (name = "dist/push.js", esModule = embed "../dist/push.js"),
    (name = "dist/client.js", esModule = embed "../dist/client.js"),
    (name = "dist/http.js", esModule = embed "../dist/http.js"),
    (name = "dist/moved.js", esModule = embed "../dist/moved.js"),
    (name = "dist/prompts.js", esModule = embed "../dist/prompts.js"),
    (name = "dist/refs.js", esModule = embed "../dist/refs.js"),
  ],
);

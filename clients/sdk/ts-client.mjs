// A client of the TypeScript SDK, connected to a server of its own.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { serve } from "./serve.mjs";

/** Starts a server and connects to it. `version` is what the client says it speaks; `prepare` sees the client before it connects. */
export async function connected({ hashline, stage, over, options = [], capabilities = {}, version, prepare }) {
  const server = over === "http" ? await serve(hashline, stage, options) : undefined;
  const client = await connect({ hashline, stage, options, server, capabilities, version, prepare });
  const end = async () => {
    await client.close();
    await server?.end();
  };
  return { client, server, agreed: () => client.transport.agreed, call: caller(client), end };
}

/** Connects to a server: to this one, or over standard input and output to a new one. */
export async function connect({ hashline, stage, options = [], server, capabilities = {}, version, prepare }) {
  const transport = server
    ? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { Authorization: `Bearer ${server.token}` } } })
    : new StdioClientTransport({ command: hashline, args: stage.args(options), env: stage.env, cwd: stage.root });
  if (version) speak(transport, version);
  const client = new Client({ name: "hashline-sdk", version: "1.0.0" }, { capabilities });
  prepare?.(client);
  await client.connect(transport);
  return client;
}

/**
 * Makes a transport say that the client speaks this version, where the SDK itself always says its newest; `agreed` is then the one that the
 * server named. This is also the hook by which the SDK tells a transport of the version.
 */
function speak(transport, version) {
  const heard = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (agreed) => {
    transport.agreed = agreed;
    heard?.(agreed);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (message.method === "initialize") message.params.protocolVersion = version;
    return send(message, options);
  };
}

/** Calls tools in the way that the cases want. */
export function caller(client) {
  return async (name, args, options) => {
    try {
      const result = await client.callTool({ name, arguments: args }, undefined, options);
      return { isError: result.isError ?? false, text: result.content[0]?.text, result };
    } catch (error) {
      if (!Number.isInteger(error.code)) throw error;
      return { protocol: error.code, text: error.message };
    }
  };
}

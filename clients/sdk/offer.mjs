// What is offered to a client, as the tests of the program have it written down.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const SNAPSHOT = new URL("../../crates/hashline-cli/tests/it/mcp/snapshots/it__mcp__offer__offer.snap", import.meta.url);

/** Throws unless a client was offered this. */
export function offered(offer) {
  const [, , ...body] = readFileSync(SNAPSHOT, "utf8").split(/^---$/m);
  const wanted = JSON.parse(body.join("---"));
  for (const key of Object.keys(offer)) {
    if (!isDeepStrictEqual(offer[key], wanted[key])) {
      throw new Error(`${key}: ${JSON.stringify(offer[key])} is not ${JSON.stringify(wanted[key])}`);
    }
  }
}

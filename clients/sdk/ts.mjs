// The cases with the client of the TypeScript SDK.
import { judge } from "./judge.mjs";
import { asked, isReal, report, table } from "./report.mjs";
import { Stage } from "./stage.mjs";
import { connected } from "./ts-client.mjs";
import { more } from "./ts-more.mjs";

const { hashline, scratch, over } = asked();
const { cases, texts } = table();

/** Runs a case of the table. */
async function fromTable(test) {
  const stage = new Stage(scratch, texts);
  stage.make(test.files);
  const { client, call, end } = await connected({ hashline, stage, over, options: test.options });
  try {
    await judge(test, stage, call);
    if (client.getInstructions() === undefined) throw new Error("there are no instructions");
  } finally {
    await end();
  }
  stage.remove();
}

/** Runs a case that only this client can play. */
async function ofItsOwn(test) {
  const stage = new Stage(scratch, texts);
  await test.play({ hashline, stage, over });
  stage.remove();
}

const plays = cases.map((test) => ({ name: test.name, run: () => fromTable(test) }));
if (isReal()) plays.push(...more.map((test) => ({ name: test.name, run: () => ofItsOwn(test) })));
await report(plays, 4, (play) => play.run());

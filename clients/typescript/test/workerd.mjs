// Runs the cases in workerd: what they are given comes as a request, what became of them is the answer.
import * as api from "../dist/index.js";
import * as push from "../dist/push.js";
import { CASES, CONTROL, run } from "./cases.mjs";

export default {
  async fetch(request) {
    const given = await request.json();
    const failed = await run(CASES, given, api, push);
    const control = await run(CONTROL, given, api, push);
    return Response.json({ runtime: `workerd ${navigator.userAgent}`, ran: Object.keys(CASES), failed, control });
  },
};

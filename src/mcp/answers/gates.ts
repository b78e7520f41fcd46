import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { findSessionIfClear } from "../../gates/choose-gate-session.ts";
import { describeGuess, guessSession } from "../../gates/gate-desk.ts";
import { openGatesHere } from "../../gates/gates-here.ts";
import { readGateStatus } from "../../gates/inspect-gate-files.ts";
import { renderGateStatus } from "../../gates/render-gate-status.ts";
import { plainLook } from "../../lib/style.ts";
import { makeAnswer } from "../answer.ts";
import type { Call } from "../call.ts";

/** Says how the gates stand for a session: the named one, else the one that the client is in. */
export async function answerGateStatus(call: Call, named: string | undefined): Promise<CallToolResult> {
  const caller = await call.inSession();
  const here = await openGatesHere(caller);
  const session = await findSessionIfClear(caller, here, named);
  const near = named === undefined || session === null ? [] : await guessSession(here, session, here.branch);
  if (near.length > 0) caller.warn(`Nothing is known of a session ${session}. ${describeGuess(near)}`);
  const status = await readGateStatus(here, here.branch, session);
  const shown = renderGateStatus(status, here, { ...plainLook, verbose: false });
  return makeAnswer("This is how the gates stand.", shown + call.remarks);
}

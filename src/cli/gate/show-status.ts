import { findSessionIfClear } from "../../gates/choose-gate-session.ts";
import { describeGuess, guessSession } from "../../gates/doubt-session.ts";
import type { GateDesk } from "../../gates/gate-desk.ts";
import { readGateStatus } from "../../gates/read-gate-status.ts";
import { renderDetails, renderGateStatus } from "../../gates/render-gate-status.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import type { GateRequest } from "./gate-request.ts";
import { toGateJson } from "./to-gate-json.ts";

/** Shows how the gates stand. */
export async function showStatus(
  context: CommandContext,
  here: GateDesk,
  request: GateRequest,
): Promise<void> {
  const session = await findSessionIfClear(context, here, request.session);
  const branch = typeof request.branch === "string" ? request.branch : here.branch;
  if (request.session !== undefined && session !== null) {
    const near = await guessSession(here, session, branch);
    if (near.length > 0) context.warn(`Nothing is known of a session ${session}. ${describeGuess(near)}`);
  }
  const status = await readGateStatus(here, branch, session);
  if (request.json) return context.out(`${renderJson(toGateJson(status))}\n`);
  const { style, columns } = context;
  context.out(renderGateStatus(status, here, { style, columns, verbose: request.verbose === true }));
  if (request.verbose) context.out(renderDetails(status, here, context));
}

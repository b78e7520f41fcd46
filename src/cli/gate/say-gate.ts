import type { GateDesk } from "../../gates/gate-desk.ts";
import { openGatesHere } from "../../gates/gates-here.ts";
import type { CommandContext } from "../command-context.ts";
import { clear, satisfyOrApprove } from "./change-gate.ts";
import { configure, writePreset } from "./configure-gates.ts";
import { explain } from "./explain-command.ts";
import { checkRequest, type GateAction, type GateRequest } from "./gate-request.ts";
import { list, listLive, prune } from "./list-gates.ts";
import { reload } from "./reload-gates.ts";
import { showStatus } from "./show-status.ts";

type Act = (context: CommandContext, here: GateDesk, request: GateRequest) => Promise<void>;

const acts: Readonly<Record<GateAction, Act>> = {
  status: showStatus,
  satisfy: satisfyOrApprove,
  approve: satisfyOrApprove,
  clear,
  list,
  sessions: listLive,
  prune,
  enable: configure,
  disable: configure,
  pause: configure,
  unpause: configure,
  reload,
  init: writePreset,
  explain,
};

/** Does what somebody wants to be done with gates. */
export async function sayGate(context: CommandContext, request: GateRequest): Promise<void> {
  checkRequest(request);
  await acts[request.what](context, await openGatesHere(context), request);
}

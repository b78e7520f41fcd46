import { noRepository } from "../../gates/change-gates.ts";
import { findSessionIfClear } from "../../gates/choose-gate-session.ts";
import { classifyCommand } from "../../gates/classify-command.ts";
import { describeGuess, guessSession } from "../../gates/doubt-session.ts";
import type { GateDesk } from "../../gates/gate-desk.ts";
import { openGatesHere } from "../../gates/gates-here.ts";
import { readGateStatus } from "../../gates/read-gate-status.ts";
import { releaseTree } from "../../gates/release-held.ts";
import { renderDetails, renderGateStatus } from "../../gates/render-gate-status.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { requirePerson } from "../require-person.ts";
import { clear, satisfyOrApprove } from "./change-gate.ts";
import { configure, writePreset } from "./configure-gates.ts";
import { checkRequest, type GateAction, type GateRequest } from "./gate-request.ts";
import { list, listLive, prune } from "./list-gates.ts";
import { toGateJson } from "./to-gate-json.ts";

/** Shows how the gates stand. */
async function showStatus(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
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

/**
 * Says what a command is taken for. One word is a whole command line; several are those of one command. What is wrong with the
 * configuration is said beside it: a gate that was left out does not ask for the command.
 */
async function explain(context: CommandContext, { read }: GateDesk, { names }: GateRequest): Promise<void> {
  for (const { file, line, problem, hint } of read.problems)
    context.warn(`${file}, line ${line}: ${problem} ${hint}`);
  const [only = "", ...rest] = names;
  const command = rest.length === 0 ? only : names.map(renderShellWord).join(" ");
  const { verdict, why } = classifyCommand(command);
  context.out(`${renderJson({ verdict, why: toPrintableLine(why) })}\n`);
}

/** Lets what the files of the gates say now count in the sessions that have begun before. */
async function reload(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  if (here.place === undefined) throw noRepository(here);
  await requirePerson(context, "Only a person lets other gates count in a session that runs");
  const sessions = releaseTree(here);
  if (request.json) return context.out(`${renderJson({ changed: sessions > 0 })}\n`);
  const who = sessions === 0 ? "No session is held to anything else" : plural(sessions, "session");
  context.err(
    sessions === 0 ? `${who}.\n` : `What the files of the gates say counts from the next step on: ${who}.\n`,
  );
}

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

import { type GateAudience, noRepository } from "../../gates/change-gates.ts";
import { findOwnSession, requireGateSession } from "../../gates/choose-gate-session.ts";
import { refuseDoubtful } from "../../gates/doubt-session.ts";
import type { Gate } from "../../gates/gate.ts";
import type { GateDesk } from "../../gates/gate-desk.ts";
import { isRunByAgent } from "../../gates/is-run-by-agent.ts";
import { isOfSession } from "../../gates/judge.ts";
import { noBranch } from "../../gates/project-gates.ts";
import { normalizeSessionId } from "../../gates/session-key.ts";
import { listBranches } from "../../git/list-branches.ts";
import { AppError } from "../../lib/app-error.ts";
import { suggest } from "../../lib/suggest.ts";
import type { CommandContext } from "../command-context.ts";
import { requirePerson } from "../require-person.ts";
import type { GateRequest } from "./gate-request.ts";

/** Finds out for whom something is said of gates. Only what is kept for a session needs one. */
export async function findAudience(
  context: CommandContext,
  here: GateDesk,
  request: GateRequest,
  gates: readonly Gate[],
): Promise<GateAudience> {
  const branch = branchOf(here, request);
  const isForAll = request.branch !== undefined;
  if (isForAll) {
    if (request.what !== "clear") await requireBranch(here, branch);
    if (gates.some(isOfSession) || branch !== here.branch)
      await requirePerson(context, "Only a person speaks for other sessions than this");
    return { branch, session: { all: true } };
  }
  if (request.what !== "clear" && request.session === undefined && !gates.some(isOfSession)) {
    return { branch, session: { all: true } };
  }
  const session = await requireGateSession(context, here, request.session);
  await requireOwn(context, here, session);
  await refuseDoubtful(here, request, session, branch);
  return { branch, session };
}

/** An agent speaks for itself, as far as it is known which session that is. */
async function requireOwn(context: CommandContext, here: GateDesk, session: string): Promise<void> {
  if (!(await isRunByAgent(context))) return;
  const own = await findOwnSession(context, here);
  if (own === undefined || normalizeSessionId(own) === normalizeSessionId(session)) return;
  await requirePerson(context, "Only a person speaks for other sessions than this");
}

/** Returns the branch that is meant; that of the work tree unless another is named. */
export function branchOf(here: GateDesk, { branch }: GateRequest): string {
  if (here.place === undefined) throw noRepository(here);
  const meant = typeof branch === "string" ? branch : here.branch;
  if (meant !== null) return meant;
  throw noBranch();
}

/** What is kept of a branch that is not there goes with the next `prune`. */
async function requireBranch({ root, branch: current }: GateDesk, branch: string): Promise<void> {
  if (branch === current) return;
  const known = await listBranches(root);
  if (known === undefined || known.has(branch)) return;
  const near = suggest(branch, known);
  throw new AppError(`There is no branch ${JSON.stringify(branch.slice(0, 80))} here.`, {
    kind: "usage",
    code: "no-such-branch",
    hint: near.length > 0 ? `Did you mean ${near.join(", or ")}?` : "List the branches with `git branch`.",
  });
}

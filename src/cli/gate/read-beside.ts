import { describeGateStatus } from "../../gates/describe-gate-status.ts";
import { findGateProblems, type GateTrouble } from "../../gates/find-problems.ts";
import { readAllGateFiles } from "../../gates/inspect-gate-files.ts";
import { type GateStatus, readGateStatus } from "../../gates/read-gate-status.ts";
import type { HereContext } from "../command-context.ts";
import type { Beside } from "./beside.ts";
import { findSessionIfClear } from "./choose-gate-session.ts";
import { openGatesHere, openGatesOf } from "./gates-here.ts";

/** Finds out how the gates stand. */
export async function readStatusOf(context: HereContext, beside: Beside): Promise<GateStatus> {
  const here = await openGatesOf(context, beside, beside.project);
  return readGateStatus(here, here.branch, await findSessionIfClear(context, here));
}

/** Describes the gates for the brief of a session. */
export async function describeFor(
  context: HereContext,
  beside: Beside,
  named: string | undefined,
): Promise<string | undefined> {
  const here = await openGatesOf(context, beside, beside.project);
  if (!here.read.config.injectContext) return undefined;
  const session = await findSessionIfClear(context, here, named);
  return describeGateStatus(await readGateStatus(here, here.branch, session));
}

/** Returns what is wrong with the gates of the current folder, on all branches; measures nothing. */
export async function findTroubles(context: HereContext): Promise<readonly GateTrouble[]> {
  const here = await openGatesHere(context);
  return findGateProblems(here, here.place === undefined ? [] : readAllGateFiles(here.place));
}

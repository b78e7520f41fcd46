import type { Caller } from "../workspace/caller.ts";
import { findSessionIfClear } from "./choose-gate-session.ts";
import { describeGateStatus } from "./describe-gate-status.ts";
import { findGateProblems, type GateTrouble } from "./find-problems.ts";
import type { ProjectSpot } from "./gate-desk.ts";
import { openGatesHere, openGatesOf } from "./gates-here.ts";
import { readAllGateFiles } from "./inspect-gate-files.ts";
import { type GateStatus, readGateStatus } from "./read-gate-status.ts";

/** Finds out how the gates stand. */
export async function readStatusOf(context: Caller, beside: ProjectSpot): Promise<GateStatus> {
  const here = await openGatesOf(context, beside, beside.project);
  return readGateStatus(here, here.branch, await findSessionIfClear(context, here));
}

/** Describes the gates for the brief of a session. */
export async function describeFor(
  context: Caller,
  beside: ProjectSpot,
  named: string | undefined,
): Promise<string | undefined> {
  const here = await openGatesOf(context, beside, beside.project);
  if (!here.read.config.injectContext) return undefined;
  const session = await findSessionIfClear(context, here, named);
  return describeGateStatus(await readGateStatus(here, here.branch, session));
}

/** Returns what is wrong with the gates of the current folder, on all branches; measures nothing. */
export async function findTroubles(context: Caller): Promise<readonly GateTrouble[]> {
  const here = await openGatesHere(context);
  return findGateProblems(here, here.place === undefined ? [] : readAllGateFiles(here.place));
}

import { basename } from "node:path";
import type { Caller } from "../workspace/workspace.ts";
import { findSessionIfClear } from "./choose-gate-session.ts";
import { describeGates } from "./describe-refusal.ts";
import type { ProjectSpot } from "./gate-desk.ts";
import { openGatesHere, openGatesOf } from "./gates-here.ts";
import {
  findGateProblems,
  type GateStatus,
  type GateTrouble,
  readAllGateFiles,
  readGateStatus,
} from "./inspect-gate-files.ts";
import type { Remedies } from "./remedies.ts";

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
  return describeGateStatus(await readGateStatus(here, here.branch, session), here);
}

/** Returns what is wrong with the gates of the current folder, on all branches; measures nothing. */
export async function findTroubles(context: Caller): Promise<readonly GateTrouble[]> {
  const here = await openGatesHere(context);
  return findGateProblems(here, here.place === undefined ? [] : readAllGateFiles(here.place));
}

/** Describes for a session that begins how the gates stand and what waits; empty where nothing is to be said. */
function describeGateStatus(status: GateStatus, remedies: Remedies): string {
  const { rows, branch, inert, waiting, problems } = status;
  return [
    ...(inert === undefined ? [] : [inert]),
    ...(inert === undefined && branch !== null ? [describeGates(rows, branch, remedies)] : []),
    ...waiting.map((path) => `${basename(path)} counts once the user trusts the project: \`carryon trust\`.`),
    ...(problems.length === 0
      ? []
      : ["Something is wrong with files of the gates; `carryon gate` says what."]),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

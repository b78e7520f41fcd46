import { clientFolderOf } from "../clients/claude-code/locate-client.ts";
import { unlessFailed } from "../lib/app-error.ts";
import type { Caller } from "../workspace/workspace.ts";
import type { ProjectSpot } from "./gate-desk.ts";
import type { GateStatus, GateTrouble } from "./inspect-gate-files.ts";
import { mayHaveGates } from "./may-have-gates.ts";

/** Finds out how the gates stand; undefined where there are none. */
export function readGatesBeside(context: Caller, beside: ProjectSpot): Promise<GateStatus | undefined> {
  return ifAny(context, beside.root, async ({ readStatusOf }) => readStatusOf(context, beside));
}

/** Describes the gates for the brief of a session; undefined where there are none. */
export function describeGatesBeside(
  context: Caller,
  beside: ProjectSpot,
  session?: string,
): Promise<string | undefined> {
  return ifAny(context, beside.root, async ({ describeFor }) => describeFor(context, beside, session));
}

/** Returns what is wrong with the gates of a project. */
export async function examineGates(context: Caller, root: string): Promise<readonly GateTrouble[]> {
  return (await ifAny(context, root, async ({ findTroubles }) => findTroubles(context))) ?? [];
}

type Reader = typeof import("./read-beside.ts");

/**
 * Does something with what reads gates, which is loaded only where there may be any.
 *
 * Gates never stop what somebody wanted to know; `carryon gate` says what is wrong.
 */
async function ifAny<Value>(
  context: Caller,
  root: string,
  read: (reader: Reader) => Promise<Value>,
): Promise<Value | undefined> {
  if (!mayHaveGates(root, clientFolderOf(context))) return undefined;
  return unlessFailed(import("./read-beside.ts").then(read), undefined);
}

import type { GateTrouble } from "../../gates/find-problems.ts";
import { mayHaveGates } from "../../gates/may-have-gates.ts";
import type { GateStatus } from "../../gates/read-gate-status.ts";
import { AppError } from "../../lib/app-error.ts";
import type { HereContext } from "../command-context.ts";
import type { Beside } from "./beside.ts";
import { clientFolderOf } from "./client-folder-of.ts";

/** Finds out how the gates stand; undefined where there are none. */
export function readGatesBeside(context: HereContext, beside: Beside): Promise<GateStatus | undefined> {
  return ifAny(context, beside.root, async ({ readStatusOf }) => readStatusOf(context, beside));
}

/** Describes the gates for the brief of a session; undefined where there are none. */
export function describeGatesBeside(
  context: HereContext,
  beside: Beside,
  session?: string,
): Promise<string | undefined> {
  return ifAny(context, beside.root, async ({ describeFor }) => describeFor(context, beside, session));
}

/** Returns what is wrong with the gates of a project. */
export async function examineGates(context: HereContext, root: string): Promise<readonly GateTrouble[]> {
  return (await ifAny(context, root, async ({ findTroubles }) => findTroubles(context))) ?? [];
}

type Reader = typeof import("./read-beside.ts");

/**
 * Does something with what reads gates, which is loaded only where there may be any.
 *
 * Gates never stop what somebody wanted to know; `carryon gate` says what is wrong.
 */
async function ifAny<Value>(
  context: HereContext,
  root: string,
  read: (reader: Reader) => Promise<Value>,
): Promise<Value | undefined> {
  if (!mayHaveGates(root, clientFolderOf(context))) return undefined;
  try {
    return await read(await import("./read-beside.ts"));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

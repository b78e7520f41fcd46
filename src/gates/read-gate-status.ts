import { type GateRow, listGates } from "./describe-refusal.ts";
import { type GateDesk, gatherHere } from "./gate-desk.ts";
import type { GatheredFacts } from "./gather-facts.ts";
import { holdDesk } from "./hold-desk.ts";
import { findGateProblems, type GateTrouble } from "./inspect-gate-files.ts";
import { listSessionsHere } from "./list-sessions-here.ts";
import type { ListedSession } from "./session-key.ts";
import { readMetrics } from "./state/read-metrics.ts";

/** How a gate stands, with what is to be said of its figure. */
export interface GateReading extends GateRow {
  /** Why there is no figure, or why it is not the whole truth. */
  readonly remark?: string;
}

/** How the gates of a branch stand. */
export interface GateStatus {
  readonly branch: string | null;
  readonly session: string | null;
  readonly rows: readonly GateReading[];
  readonly problems: readonly GateTrouble[];
  /** Why no gate does anything, in a sentence. */
  readonly inert: string | undefined;
  /** The files that count once the project is trusted. */
  readonly waiting: readonly string[];
  /** The sessions that live in this repository. */
  readonly live: readonly ListedSession[];
  readonly now: Date;
}

const unreadable =
  "What has become of the gates cannot be read: until that is mended, no tool and no stop is refused.";

/** Finds out how the gates of a branch stand for a session, or for nobody's. */
export async function readGateStatus(
  found: GateDesk,
  named: string | null,
  session: string | null,
): Promise<GateStatus> {
  const { desk, remarks } = session === null ? { desk: found, remarks: [] } : holdDesk(found, session);
  const { read, clock, place } = desk;
  // One that is named is meant whatever is checked out.
  const branch = named ?? desk.branch;
  const gathered =
    branch === null || place === undefined ? undefined : await gatherHere(desk, branch, session ?? "");
  const rows = gathered === undefined ? [] : listGates(read.config, gathered.facts);
  const key = gathered?.facts.session;
  const ofMetrics = place === undefined || !key ? [] : readMetrics(place, key).problems;
  return {
    branch,
    session: session === null ? null : (gathered?.facts.session ?? session),
    rows: rows.map((row) => {
      const remark = gathered?.remarks.get(row.gate.name);
      return remark === undefined ? row : { ...row, remark };
    }),
    problems: await findGateProblems(desk, [...remarks, ...(gathered?.problems ?? []), ...ofMetrics]),
    inert: findInertness(desk, branch, gathered),
    waiting: read.waiting,
    live: await listSessionsHere(desk),
    now: clock.now(),
  };
}

function findInertness(
  { branch: current, place, inert }: GateDesk,
  branch: string | null,
  gathered: GatheredFacts | undefined,
): string | undefined {
  // A branch that is named is there whatever is checked out.
  const isThere = branch !== null && current === null && place !== undefined;
  if (!isThere && inert !== undefined) return inert;
  return gathered?.isReadable === false ? unreadable : undefined;
}

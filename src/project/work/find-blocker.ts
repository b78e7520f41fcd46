import { type Blocker, severities, severityOf } from "../../work/blockers/blocker.ts";
import type { Outcome } from "../../work/blockers/newest-outcomes.ts";
import { describePath, type GitPath } from "../../work/git-path.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import { collectOutcomes } from "./collect-outcomes.ts";
import type { OwnRun } from "./own-run.ts";
import type { WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";

/** What is known when a blocker is looked for. */
export interface BlockerFacts {
  readonly before: WorkState | undefined;
  readonly conflicts: readonly GitPath[];
  /** The subject of the last commit. */
  readonly lastSubject: string | undefined;
}

const lateMs = 10 * 60 * 1000;

/**
 * Returns what stops the work now.
 *
 * What a person has put down stays until a person takes it back. Else it is the heaviest of what git and the log tell;
 * one that was known before keeps its attempts, and goes only when what was recorded since says so.
 */
export async function findBlocker(desk: WorkDesk, facts: BlockerFacts): Promise<Blocker | null> {
  const known = facts.before?.blocker ?? null;
  if (known !== null && !known.isAutoDetected) return known;
  const conflict = toConflict(desk, facts.conflicts);
  const found = [...(conflict === undefined ? [] : [conflict]), ...(await findRecorded(desk, facts.before))];
  const heaviest = found.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  if (heaviest === undefined) return null;
  return known?.type === heaviest.type ? { ...heaviest, ...keptOf(known) } : withOrigin(heaviest, facts);
}

async function findRecorded(desk: WorkDesk, before: WorkState | undefined): Promise<readonly Blocker[]> {
  const known = before?.blocker ?? undefined;
  const since = known?.detectedAt ?? latest(earlier(before?.savedAt), before?.blockerResolvedAt ?? undefined);
  const [recorded, runs] = await Promise.all([
    collectOutcomes(desk.site, since),
    new WorkRecord(desk.site).runsSince(since),
  ]);
  const found = await judge(desk, recorded, runs);
  if (found.length > 0 || known === undefined || known.type === "merge_conflict") return found;
  // Where it was recorded elsewhere, nothing here says that it is over.
  const isRecordedHere = [...recorded, ...runs].some(({ at }) => at.getTime() === known.detectedAt.getTime());
  return isRecordedHere ? [] : [known];
}

/** Mostly nothing was recorded, and then the rules need not be loaded. */
async function judge(
  { settings }: WorkDesk,
  recorded: readonly Outcome[],
  runs: readonly OwnRun[],
): Promise<readonly Blocker[]> {
  if (recorded.length + runs.length === 0) return [];
  return (await import("./own-runs.ts")).blockersOf(runs, recorded, settings);
}

/** What happened shortly before a save may have come into the log after it. */
function earlier(savedAt: Date | undefined): Date | undefined {
  return savedAt && new Date(savedAt.getTime() - lateMs);
}

function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function toConflict({ site, settings }: WorkDesk, conflicts: readonly GitPath[]): Blocker | undefined {
  const [first, ...others] = conflicts;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return {
    type: "merge_conflict",
    severity: severityOf("merge_conflict"),
    description: `Changes are in conflict: ${describePath(first)}${more}`,
    resolution:
      "Resolve the conflicts in these files, stage them, and finish or abort what git is in the middle of.",
    detectedAt: site.clock.now(),
    isAutoDetected: true,
    recoveryAttempted: 0,
    maxRecoveryAttempts: settings.mostAttempts ?? 3,
  };
}

function weightOf({ severity }: Blocker): number {
  return severities.indexOf(severity);
}

/** What stays of a blocker of the same type: what it says may change from run to run. */
function keptOf({ detectedAt, appearedAfter, recoveryAttempted, maxRecoveryAttempts }: Blocker) {
  return {
    ...{ detectedAt, recoveryAttempted, maxRecoveryAttempts },
    ...(appearedAfter !== undefined && { appearedAfter }),
  };
}

function withOrigin(blocker: Blocker, { lastSubject }: BlockerFacts): Blocker {
  return lastSubject === undefined || lastSubject === ""
    ? blocker
    : { ...blocker, appearedAfter: lastSubject };
}

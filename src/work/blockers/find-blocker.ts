import { describePath, type GitPath } from "../../git/git-path.ts";
import { type Blocker, severities, severityOf } from "../blocker.ts";
import type { WorkDesk } from "../work-desk.ts";
import { WorkRecord } from "../work-record.ts";
import type { WorkState } from "../work-state.ts";
import { collectRuns, type Reach, recallRuns } from "./collect-runs.ts";
import type { Recorded } from "./standing-blockers.ts";
import { newBlocker } from "./to-blocker.ts";

/** What is known when a blocker is looked for. */
export interface BlockerFacts {
  readonly before: WorkState | undefined;
  readonly conflicts: readonly GitPath[];
  /** The subject of the last commit. */
  readonly lastSubject: string | undefined;
  /** How far back is looked where nothing stopped the work when it was saved: to that save, unless told. */
  readonly reach?: Reach;
}

const lateMs = 10 * 60 * 1000;
/** How long before a blocker another one may have come that it has hidden. */
const hiddenMs = 24 * 60 * 60 * 1000;

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
  const found = [...(conflict === undefined ? [] : [conflict]), ...(await findRecorded(desk, facts))];
  const heaviest = found.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  if (heaviest === undefined) return null;
  return known?.type === heaviest.type ? { ...heaviest, ...keptOf(known) } : withOrigin(heaviest, facts);
}

async function findRecorded(desk: WorkDesk, { before, reach }: BlockerFacts): Promise<readonly Blocker[]> {
  const known = before?.blocker ?? undefined;
  const { since, own, resolutions } = await readOwn(desk, before);
  const recalled = known === undefined ? [] : await recallRuns(desk, known.detectedAt);
  const found = await collectRuns(desk, since, known === undefined ? reach : undefined);
  const runs = [...recalled, ...found.runs];
  const now = desk.site.clock.now();
  const blockers = await judge(desk, { ...found, runs, own, resolutions, now });
  if (blockers.length > 0 || known === undefined || known.type === "merge_conflict") return blockers;
  // Where it was recorded elsewhere, nothing here says that it is over.
  const detectedAt = known.detectedAt.getTime();
  const isRecordedHere = [...runs, ...own].some(({ at }) => Number(at) === detectedAt);
  return isRecordedHere ? [] : [known];
}

/** Returns what we have written down from the moment on from which outcomes count, and that moment. */
async function readOwn(desk: WorkDesk, before: WorkState | undefined) {
  const record = new WorkRecord(desk.site);
  const known = before?.blocker?.detectedAt;
  const read = await record.since(known ?? earlier(before?.savedAt));
  const begun = before && read.notes.begunAt;
  const since = known ?? latest(earlier(before?.savedAt), begun);
  const isSince = ({ at }: { readonly at: Date }) => since === undefined || at >= since;
  const found = { own: read.runs.filter(isSince), resolutions: read.resolutions.filter(isSince) };
  const resolved = found.resolutions.filter(({ at }) => before !== undefined && at >= before.savedAt);
  if (before?.blocker || resolved.length === 0) return { since, ...found };
  // What was resolved may have hidden others that came before it.
  const first = Math.min(...resolved.map(({ blocker }) => blocker.detectedAt.getTime()));
  const further = latest(new Date(first - hiddenMs), begun);
  const { runs: own, resolutions } = await record.since(further);
  return { since: further, own, resolutions };
}

/** Mostly nothing was recorded, and then the rules need not be loaded. Git itself knows best what is in conflict. */
async function judge({ settings, git }: WorkDesk, recorded: Recorded): Promise<readonly Blocker[]> {
  if (recorded.runs.length + recorded.own.length === 0) return [];
  const { standingBlockers } = await import("./standing-blockers.ts");
  const found = standingBlockers(recorded, settings);
  return git === undefined ? found : found.filter(({ type }) => type !== "merge_conflict");
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
  const type = "merge_conflict";
  return {
    ...newBlocker({ type }, site.clock.now(), settings),
    ...{ type, severity: severityOf(type), isAutoDetected: true },
    description: `Changes are in conflict: ${describePath(first)}${more}`,
    resolution:
      "Resolve the conflicts in these files, stage them, and finish or abort what git is in the middle of.",
  };
}

function weightOf({ severity }: Blocker): number {
  return severities.indexOf(severity);
}

/** What stays of a blocker of the same type: what it says may change from run to run. */
function keptOf(blocker: Blocker) {
  const { detectedAt, appearedAfter, recoveryAttempted, recoveryCommand, maxRecoveryAttempts } = blocker;
  return {
    ...{ detectedAt, recoveryAttempted, maxRecoveryAttempts },
    ...(recoveryCommand !== undefined && { recoveryCommand }),
    ...(appearedAfter !== undefined && { appearedAfter }),
  };
}

function withOrigin(blocker: Blocker, { lastSubject }: BlockerFacts): Blocker {
  return lastSubject === undefined || lastSubject === ""
    ? blocker
    : { ...blocker, appearedAfter: lastSubject };
}

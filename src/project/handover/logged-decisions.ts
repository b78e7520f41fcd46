import { type FoundDecision, parseDecisions } from "../../handover/decisions/parse-decisions.ts";
import { DocumentRecord, type RecordSite } from "./document-record.ts";
import { announced, written } from "./recorded-decisions.ts";

/** A decision of this user as the log has it. */
export interface LoggedDecision extends FoundDecision {
  /** The hash of its lines. */
  readonly digest: string;
  /** The folder of the project that it was written in. */
  readonly root: string | undefined;
}

/** How many notes of the log are looked through: most decisions have two. */
const within = 400;

/** Returns the latest decisions that are known to have been written, in whatever work tree, in the order of their numbers. */
export async function readLogged(site: RecordSite): Promise<readonly LoggedDecision[]> {
  const found = new Map<string, LoggedDecision>();
  const known = new Set<unknown>();
  for await (const { event, data } of new DocumentRecord(site, "decisions.md").read(within)) {
    if (event === written) known.add(data.digest);
    if (event !== announced || typeof data.text !== "string" || typeof data.digest !== "string") continue;
    const [decision] = parseDecisions(data.text).decisions;
    const root = typeof data.root === "string" ? data.root : undefined;
    if (decision !== undefined) found.set(data.digest, { ...decision, digest: data.digest, root });
  }
  return [...found.values()]
    .filter(({ digest }) => known.has(digest))
    .toSorted((one, other) => one.seq - other.seq);
}

/** Returns the highest number of a decision in the project, in whatever work tree; 0 before the first. */
export async function readHighest(site: RecordSite): Promise<number> {
  let highest = 0;
  for await (const { event, data } of new DocumentRecord(site, "decisions.md").read(latest))
    if (event === announced) highest = Math.max(highest, Number(data.seq) || 0);
  return highest;
}

/** Numbers rise, so that the highest is among the last. */
const latest = 40;

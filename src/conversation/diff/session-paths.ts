import type { ConversationLog } from "../conversation-log.ts";
import type { Entry } from "../entry.ts";
import { EntryNotFound } from "../errors.ts";
import type { EntryId, SessionId, Strand } from "../ids.ts";
import { mergedId } from "../merge/merged-id.ts";
import type { Session } from "../session.ts";

/** An entry as far as paths go. */
export interface PathStep {
  readonly id: EntryId;
  readonly session: SessionId;
  readonly seq: number;
  readonly parent: EntryId | null;
  /** Whether somebody speaks: a prompt or an answer. */
  readonly isTalk: boolean;
  readonly at: Date;
}

/** A path of a session that its leaf is not on. */
export interface SidePath {
  /** Its last entry, by number. */
  readonly end: number;
  /** The entry on the path of the leaf at which it parts, by number; 0 where it has a root of its own. */
  readonly partsAt: number;
  /** Its own entries, in order. */
  readonly entries: readonly EntryId[];
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** The paths through one strand of a session. */
export interface SessionPaths {
  /** The newest entry of the strand. */
  readonly leaf: PathStep | undefined;
  /** Returns the entries from the root to the one with a number. */
  pathTo(seq: number | undefined): readonly PathStep[];
  /** Returns the side paths on which somebody speaks and that no merge has joined, in order of their ends. */
  sidePaths(): readonly SidePath[];
}

/** Reads how the entries of a strand follow each other; keeps of each only where it stands. */
export async function readPaths(
  log: ConversationLog,
  session: Pick<Session, "id" | "entries">,
  strand: Strand,
): Promise<SessionPaths> {
  const steps = new Map<EntryId, PathStep>();
  const bySeq = new Map<number, PathStep>();
  let leaf: PathStep | undefined;
  for await (const entry of log.read(session.id, { strand, to: session.entries })) {
    leaf = toStep(entry);
    steps.set(leaf.id, leaf);
    bySeq.set(leaf.seq, leaf);
  }
  return {
    leaf,
    pathTo: (seq) => {
      if (seq === undefined) return [];
      const end = bySeq.get(seq);
      if (end === undefined) throw new EntryNotFound(session.id, String(seq));
      return walkUp(steps, end);
    },
    sidePaths: () => (leaf === undefined ? [] : findSidePaths(steps, walkUp(steps, leaf))),
  };
}

function toStep(entry: Entry): PathStep {
  const { id, session, seq, parent, at } = entry;
  return { id, session, seq, parent, at, isTalk: entry.kind === "message" && entry.role !== "tool" };
}

/** Returns the entries from the root, or from after those that are passed, to one. */
function walkUp(
  steps: ReadonlyMap<EntryId, PathStep>,
  end: PathStep,
  passed: Pick<ReadonlySet<EntryId>, "has"> = new Set(),
): readonly PathStep[] {
  const path: PathStep[] = [];
  let next: PathStep | undefined = end;
  while (next !== undefined && !passed.has(next.id)) {
    path.push(next);
    const before: PathStep | undefined = next.parent === null ? undefined : steps.get(next.parent);
    // A parent that is later than its child, which only damage can bring, would lead in circles.
    next = before !== undefined && before.seq < next.seq ? before : undefined;
  }
  return path.reverse();
}

/**
 * Finds the ends that the path of the leaf does not pass, in order.
 *
 * Where a client runs tools side by side, each result follows its own call: such a twig, on which nobody speaks, is no path.
 */
function findSidePaths(
  steps: ReadonlyMap<EntryId, PathStep>,
  main: readonly PathStep[],
): readonly SidePath[] {
  const passed = new Map(main.map((step) => [step.id, step.seq]));
  const covered = new Set(passed.keys());
  const parents = new Set([...steps.values()].map(({ parent }) => parent));
  const ends = [...steps.values()].filter(({ id }) => !parents.has(id) && !passed.has(id));
  const found: SidePath[] = [];
  // The newest first: it has the whole of a path, and what is left for the others are their twigs.
  for (const end of ends.toReversed()) {
    const isPath = walkUp(steps, end, covered).some((step) => step.isTalk && !passed.has(mergedId(step)));
    if (!isPath) continue;
    const own = walkUp(steps, end, passed);
    for (const { id } of own) covered.add(id);
    const first = own[0] ?? end;
    const partsAt = first.parent === null ? 0 : (passed.get(first.parent) ?? 0);
    found.push({
      end: end.seq,
      partsAt,
      entries: own.map(({ id }) => id),
      firstAt: first.at,
      lastAt: end.at,
    });
  }
  return found.toReversed();
}

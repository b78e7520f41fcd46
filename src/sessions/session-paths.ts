import type { ConversationLog } from "./conversation-log.ts";
import type { Entry } from "./entry.ts";
import { EntryNotFound } from "./errors.ts";
import type { EntryId, SessionId, Strand } from "./ids.ts";
import { mergedId } from "./merged-id.ts";
import type { Session } from "./session.ts";

/** An entry as far as paths go. */
export interface PathStep {
  readonly id: EntryId;
  readonly session: SessionId;
  readonly seq: number;
  /** The entry that it follows; after a compaction, the last one that its summary stands for. */
  readonly parent: EntryId | null;
  /** Whether somebody speaks, in a prompt or an answer, or a tool answers. */
  readonly voice: "talk" | "tool" | "none";
  readonly at: Date;
}

/** A path of a session that its leaf is not on. */
export interface SidePath {
  /** Its last entry, by number. */
  readonly end: number;
  /** The entry on the path of the leaf at which it parts, by number. */
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
  /** Returns the entries from the root to the one with a number, each followed by the results of its tools. */
  pathTo(seq: number | undefined): readonly PathStep[];
  /**
   * Returns the side paths on which somebody speaks and that no merge has joined, in order of their ends. What came before
   * a reset has a root of its own, and is none.
   */
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
    leaf = toStep(entry, leaf);
    steps.set(leaf.id, leaf);
    bySeq.set(leaf.seq, leaf);
  }
  const twigs = findTwigs(steps);
  return {
    leaf,
    pathTo: (seq) => {
      if (seq === undefined) return [];
      const end = bySeq.get(seq);
      if (end === undefined) throw new EntryNotFound(session.id, String(seq));
      return withTwigs(walkUp(steps, end), twigs);
    },
    sidePaths: () => (leaf === undefined ? [] : findSidePaths(steps, walkUp(steps, leaf))),
  };
}

function toStep(entry: Entry, before: PathStep | undefined): PathStep {
  const { id, session, seq, at } = entry;
  const voice = entry.kind !== "message" ? "none" : entry.role === "tool" ? "tool" : "talk";
  return { id, session, seq, parent: parentOf(entry, before), at, voice };
}

/** A compaction begins a new root, although the talk goes on. */
function parentOf(entry: Entry, before: PathStep | undefined): EntryId | null {
  if (entry.kind !== "summary" || entry.parent !== null) return entry.parent;
  return entry.replaces ?? before?.id ?? null;
}

type Twigs = ReadonlyMap<EntryId, readonly PathStep[]>;

/** Finds the results of tools that nothing follows: where tools run side by side, each follows its own call. */
function findTwigs(steps: ReadonlyMap<EntryId, PathStep>): Twigs {
  const parents = new Set([...steps.values()].map(({ parent }) => parent));
  const twigs = new Map<EntryId, PathStep[]>();
  for (const step of steps.values()) {
    if (step.voice !== "tool" || step.parent === null || parents.has(step.id)) continue;
    const known = twigs.get(step.parent);
    if (known === undefined) twigs.set(step.parent, [step]);
    else known.push(step);
  }
  return twigs;
}

function withTwigs(path: readonly PathStep[], twigs: Twigs): readonly PathStep[] {
  const passed = new Set(path.map(({ id }) => id));
  return path.flatMap((step) => [step, ...(twigs.get(step.id) ?? []).filter(({ id }) => !passed.has(id))]);
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
    const isPath = walkUp(steps, end, covered).some(
      (step) => step.voice === "talk" && !passed.has(mergedId(step)),
    );
    if (!isPath) continue;
    const own = walkUp(steps, end, passed);
    for (const { id } of own) covered.add(id);
    const first = own[0] ?? end;
    const partsAt = first.parent === null ? undefined : passed.get(first.parent);
    if (partsAt === undefined) continue;
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

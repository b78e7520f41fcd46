import { attribute, type DatedDecision } from "./attribute-decisions.ts";
import type { ConversationLog } from "./conversation-log.ts";
import { align } from "./diff/align.ts";
import { contentKey } from "./diff/content-key.ts";
import { type OwnItem, OwnItems, toDiffCall } from "./diff/own-items.ts";
import { listDecisions, listFiles, sumUp } from "./diff/sum-up.ts";
import type { Entry } from "./entry.ts";
import type { SessionId, Strand } from "./ids.ts";
import { isMergedId, isMergeNote, mergedId } from "./merged-id.ts";
import type { DiffSide, SessionDiff, SharedStretch } from "./session-diff.ts";
import {
  countShared,
  type OwnEntries,
  openSides,
  readOne,
  type SideReader,
  type SideRequest,
} from "./side-reader.ts";

export interface CompareOptions {
  /** How many characters of a text are kept; 4,000 unless told. */
  readonly textLimit?: number;
  /** Decisions that were written down in the projects of the two: those of the time of a side are told as its own. */
  readonly decisions?: readonly DatedDecision[];
}

const defaultTextLimit = 4000;

/**
 * Compares two sessions, strands or paths: what they have in common, and what each did on its own.
 *
 * What forks share is found without reading it. The own parts are read once each, and of each entry a summary is kept.
 */
export async function compareSessions(
  log: ConversationLog,
  left: SideRequest,
  right: SideRequest,
  { textLimit = defaultTextLimit, decisions = [] }: CompareOptions = {},
): Promise<SessionDiff> {
  const readers = await openSides(log, left, right);
  const { shared, rests } = await findBeginning(log, readers);
  const collected = await Promise.all([
    collect(rests[0], left.session.cwd, textLimit),
    collect(rests[1], right.session.cwd, textLimit),
  ]);
  const [ones, others] = [
    withoutMerged(collected[0], collected[1]),
    withoutMerged(collected[1], collected[0]),
  ];
  const [made, madeElsewhere] = attribute(ones, others, decisions);
  const sides = [toSide(left, ones, made), toSide(right, others, madeElsewhere)] as const;
  const wholes = [withoutCopies(...collected), withoutCopies(collected[1], collected[0])] as const;
  const elsewhere = new Set(writtenBy(wholes[1]));
  return {
    left: sides[0],
    right: sides[1],
    decided: decidedBy(...wholes, decisions),
    shared,
    // What was brought is left out on both sides: on one as the original, on the other as what came of it.
    merged: Math.max(collected[0].length - ones.length, collected[1].length - others.length),
    stretches: align(toAlignable(ones), toAlignable(others)),
    bothChanged: writtenBy(wholes[0]).filter((path) => elsewhere.has(path)),
  };
}

interface Beginning {
  readonly shared: SharedStretch;
  readonly rests: readonly [OwnEntries, OwnEntries];
}

async function findBeginning(
  log: ConversationLog,
  [left, right]: readonly [SideReader, SideReader],
): Promise<Beginning> {
  const seqs = await countSame(log, left, right);
  const last = await readOne(log, left.request.session, seqs.left);
  const steps = seqs.entries;
  const rests = [
    await left.readAfter({ seq: seqs.left, steps }),
    await right.readAfter({ seq: seqs.right, steps }),
  ] as const;
  if (last !== undefined) return { shared: { by: "entries", ...seqs, until: last.at }, rests };
  const prefix = await readContentPrefix(...rests);
  const shared: SharedStretch = {
    by: prefix.equal === 0 ? "nothing" : "content",
    entries: prefix.equal,
    ...{ left: prefix.left?.seq ?? 0, right: prefix.right?.seq ?? 0 },
    until: prefix.left?.at ?? null,
  };
  return { shared, rests: prefix.rests };
}

/** Returns how far both are made of the same stored entries. Two strands of one session have none in common. */
async function countSame(
  log: ConversationLog,
  left: SideReader,
  right: SideReader,
): Promise<Pick<SharedStretch, "entries" | "left" | "right">> {
  if (left.path !== undefined && right.path !== undefined) {
    const others = right.path;
    const differs = left.path.findIndex(({ id, session }, index) => {
      const other = others[index];
      return other === undefined || other.id !== id || other.session !== session;
    });
    const entries = differs === -1 ? left.path.length : differs;
    return { entries, left: left.path[entries - 1]?.seq ?? 0, right: others[entries - 1]?.seq ?? 0 };
  }
  const { session, strand } = left.request;
  const isAlike = strand === right.request.strand;
  const shared = isAlike ? await countShared(log, session, right.request.session) : 0;
  const entries = strand === undefined ? shared : await countOn(log, session.id, strand, shared);
  return { entries, left: shared, right: shared };
}

async function countOn(
  log: ConversationLog,
  session: SessionId,
  strand: Strand,
  to: number,
): Promise<number> {
  let count = 0;
  if (to > 0) for await (const _ of log.read(session, { strand, to })) count += 1;
  return count;
}

/** Takes them one by one without a generator in between: each costs as much as to read an entry does. */
async function collect(
  { entries, counts }: OwnEntries,
  cwd: string,
  textLimit: number,
): Promise<readonly OwnItem[]> {
  const items = new OwnItems(cwd, textLimit);
  for (let next = await entries.next(); next.done !== true; next = await entries.next())
    if (counts(next.value) && !isMergeNote(next.value.id)) items.take(next.value);
  return items.items;
}

/** Leaves out what a merge has brought from the other side, or to it, and what it has repeated of this side. */
function withoutMerged(own: readonly OwnItem[], others: readonly OwnItem[]): readonly OwnItem[] {
  const isBrought = (items: readonly OwnItem[]) => items.some(({ item }) => isMergedId(item.entry));
  if (!isBrought(own) && !isBrought(others)) return own;
  const elsewhere = new Set(others.map(({ item }) => idOf(item)));
  const originals = new Set(own.filter(({ item }) => !isMergedId(item.entry)).map(({ item }) => idOf(item)));
  return own.filter(({ item }) => {
    const id = idOf(item);
    return !elsewhere.has(id) && !(isMergedId(item.entry) && originals.has(id));
  });
}

/**
 * Leaves out what a merge has brought to a side: what stays is what it did itself, also what the other side has since.
 *
 * That one of them has it all does not settle what both say differently.
 */
function withoutCopies(own: readonly OwnItem[], others: readonly OwnItem[]): readonly OwnItem[] {
  if (!own.some(({ item }) => isMergedId(item.entry))) return own;
  const originals = own.filter(({ item }) => !isMergedId(item.entry));
  const known = new Set([...originals, ...others].map(({ item }) => idOf(item)));
  return own.filter(({ item }) => !(isMergedId(item.entry) && known.has(idOf(item))));
}

function writtenBy(items: readonly OwnItem[]): readonly string[] {
  return listFiles(items).flatMap(({ path, written }) => (written ? [path] : []));
}

function decidedBy(
  ones: readonly OwnItem[],
  others: readonly OwnItem[],
  decisions: readonly DatedDecision[],
): SessionDiff["decided"] {
  const [left, right] = attribute(ones, others, decisions);
  return { left: listDecisions(ones, left), right: listDecisions(others, right) };
}

function idOf({ entry, session }: OwnItem["item"]): string {
  return mergedId({ id: entry, session });
}

function toSide(
  { session, strand, end }: SideRequest,
  items: readonly OwnItem[],
  decisions: Parameters<typeof sumUp>[1],
): DiffSide {
  return {
    session,
    strand: strand ?? null,
    end: end ?? null,
    items: items.flatMap(({ item, calls, isShown }) =>
      isShown ? [{ ...item, calls: calls.map(toDiffCall) }] : [],
    ),
    own: sumUp(items, decisions),
  };
}

/** Rounds belong beside each other by their number, whatever they say. */
function toAlignable(items: readonly OwnItem[]) {
  return items.flatMap(({ item, key, isShown }) =>
    isShown ? [{ key, place: item.kind === "round" ? item.name : undefined }] : [],
  );
}

/** What two streams say alike at their beginning, and the rest of each. */
interface ContentPrefix {
  /** How many messages, summaries and rounds are equal. */
  readonly equal: number;
  /** The last entries that are equal; undefined where there are none. */
  readonly left: Entry | undefined;
  readonly right: Entry | undefined;
  /** What comes after it on each side, still to be read. */
  readonly rests: readonly [OwnEntries, OwnEntries];
}

/** Reads two streams as long as they say the same; what happened beside the talk does not count. */
async function readContentPrefix(left: OwnEntries, right: OwnEntries): Promise<ContentPrefix> {
  const [ones, others] = [new TalkReader(left), new TalkReader(right)];
  let equal = 0;
  let last: readonly [Entry | undefined, Entry | undefined] = [undefined, undefined];
  for (;;) {
    const [one, other] = [await ones.next(), await others.next()];
    if (one === undefined || other === undefined || contentKey(one) !== contentKey(other)) break;
    equal += 1;
    last = [one, other];
    ones.forget();
    others.forget();
  }
  return { equal, left: last[0], right: last[1], rests: [ones.rest(), others.rest()] };
}

/** Reads on to what was said, and keeps what came before it until it is forgotten. */
class TalkReader {
  readonly #own: OwnEntries;
  #kept: Entry[] = [];

  constructor(own: OwnEntries) {
    this.#own = own;
  }

  async next(): Promise<Entry | undefined> {
    for (;;) {
      const { value, done } = await this.#own.entries.next();
      if (done === true) return undefined;
      if (!this.#own.counts(value)) continue;
      this.#kept.push(value);
      if (contentKey(value) !== undefined) return value;
    }
  }

  forget(): void {
    this.#kept = [];
  }

  /** Returns what was kept, and after it what was not read. */
  rest(): OwnEntries {
    const { entries, counts } = this.#own;
    const kept = this.#kept.values();
    return {
      counts,
      entries: {
        next: async () => {
          const { value, done } = kept.next();
          return done === true ? entries.next() : { value, done: false };
        },
      },
    };
  }
}

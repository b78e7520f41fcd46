import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { Entry, NewEntry } from "../../sessions/entry.ts";
import { SessionConflict, SessionWasDeleted } from "../../sessions/errors.ts";
import { parseSessionId, type SessionId } from "../../sessions/ids.ts";
import type { ProjectId } from "../../sessions/project.ts";
import type { ClientName } from "../../sessions/session.ts";
import type { TakenSession } from "../../sessions/take-session.ts";

/** Something that a format says of a session, and the entry that says it. */
export interface Told {
  readonly entry?: string;
  readonly text: string;
}

/** What a format that carries no hashes says of a session. */
export interface Talk {
  readonly id: SessionId;
  readonly client: ClientName;
  readonly title?: string;
  readonly startedAt: Date;
  /** What comes after them if it is new to a session: how far it has come, of which only the last is told. */
  readonly closing?: { readonly entry: NewEntry; readonly isNew: (entries: readonly Entry[]) => boolean };
  /** Returns what of a session the format may have told of, most of it first: all of it, unless given. */
  readonly alternatives?: (entries: readonly Entry[]) => readonly (readonly Entry[])[];
  /** In order; their ids follow from what they say and where, so that the same file makes the same entries. */
  readonly entries: readonly NewEntry[];
  /**
   * Returns what the format says of entries: lists, each in its own order.
   *
   * Two sessions are the same to the format as far as these lists are.
   */
  readonly tell: (entries: readonly (Entry | NewEntry)[]) => readonly (readonly Told[])[];
}

/** What a format without hashes does not say of a session, and where it goes. */
export interface TalkTarget {
  readonly log: ConversationLog;
  readonly project: ProjectId;
  readonly cwd: string;
  readonly branch: string | null;
  readonly machine: string;
}

const mostCopies = 100;

/** Takes a session in that carries no hashes: what is here already is left, what is longer goes on, anything else stands beside. */
export async function takeTalk(target: TalkTarget, talk: Talk): Promise<TakenSession> {
  for (const session of listNames(talk.id)) {
    const names = { session, from: talk.id };
    const known = await readKnown(target.log, session, talk);
    if (known === undefined) return { ...names, ...(await begin(target, session, talk)) };
    const found = known.map((each) => compare(talk, each)).find((outcome) => outcome !== undefined);
    if (found === undefined) continue;
    if (found.rest.length === 0) return { type: "known", ...names, more: found.more };
    await target.log.append(session, found.rest);
    return { type: "extended", ...names, added: found.rest.length, redacted: 0 };
  }
  throw new SessionConflict(talk.id, `${mostCopies} sessions of this name are here already`);
}

/** Returns what a session that is here lacks of a talk, and how much it has after it; undefined where the two part. */
function compare(
  talk: Talk,
  known: KnownTalk,
): { readonly rest: readonly NewEntry[]; readonly more: number } | undefined {
  const theirs = talk.tell(talk.entries);
  const rest = listRest(talk, known);
  if (isPart(theirs, known.told) && rest.length === 0)
    return { rest, more: countTold(known.told) - countTold(theirs) };
  return isPart(known.told, theirs) ? { rest, more: 0 } : undefined;
}

function countTold(lists: readonly (readonly Told[])[]): number {
  return lists.reduce((sum, list) => sum + list.length, 0);
}

function* listNames(id: SessionId): Generator<SessionId> {
  yield id;
  for (let number = 1; number < mostCopies; number += 1) {
    const end = number === 1 ? "-imported" : `-imported-${number}`;
    yield parseSessionId(`${id.slice(0, 128 - end.length)}${end}`);
  }
}

/** A session that is here, as the format would tell it. */
interface KnownTalk {
  readonly told: readonly (readonly Told[])[];
  /** Whether the closing of the talk is new to it. */
  readonly isBehind: boolean;
}

/** Returns what the format may have told of a session that is here: one telling for each part that it may be of. */
async function readKnown(
  log: ConversationLog,
  session: SessionId,
  { tell, closing, alternatives = (all) => [all] }: Talk,
): Promise<readonly KnownTalk[] | undefined> {
  const { sessions } = await log.list({ id: session });
  if (sessions.length === 0) return undefined;
  const entries = await Array.fromAsync(log.read(session));
  const isBehind = closing?.isNew(entries) ?? false;
  return (
    alternatives(entries)
      .map((each) => ({ told: tell(each), isBehind }))
      // Of nothing, everything would be the rest.
      .filter(({ told }, index) => index === 0 || countTold(told) > 0)
  );
}

type Begun =
  | { readonly type: "deleted" }
  | { readonly type: "added"; readonly added: number; readonly redacted: 0 };

async function begin(
  { log, project, cwd, branch, machine }: TalkTarget,
  id: SessionId,
  talk: Talk,
): Promise<Begun> {
  const { client, title, startedAt, closing } = talk;
  const entries = closing === undefined ? talk.entries : [...talk.entries, closing.entry];
  const named = title === undefined ? {} : { title };
  try {
    await log.open({ id, project, client, ...named, cwd, branch, machine, startedAt }, entries);
    return { type: "added", added: entries.length, redacted: 0 };
  } catch (error) {
    if (error instanceof SessionWasDeleted) return { type: "deleted" };
    throw error;
  }
}

/** Tells whether each list is the beginning of the other one's, or all of it. */
function isPart(lists: readonly (readonly Told[])[], others: readonly (readonly Told[])[]): boolean {
  return lists.every((list, index) => list.every((told, place) => isSame(told, others[index]?.[place])));
}

/** Equal, or an entry that an import has made of the same: secrets are taken out of what is stored. */
function isSame(one: Told, other: Told | undefined): boolean {
  return other !== undefined && (one.text === other.text || (one.entry ?? "") === other.entry);
}

/** Returns the entries after those that are known, in their order. One that tells nothing goes with the one before it. */
function listRest(talk: Talk, { told: known, isBehind }: KnownTalk): readonly NewEntry[] {
  const told = known.map(() => 0);
  let isAfterNew = false;
  const rest = talk.entries.filter((entry) => {
    const grown = talk.tell([entry]).map((list) => list.length);
    const isNew = grown.every((count) => count === 0)
      ? isAfterNew
      : grown.some((count, index) => count > 0 && (told[index] ?? 0) + count > (known[index]?.length ?? 0));
    isAfterNew = isNew;
    for (const [index, count] of grown.entries()) told[index] = (told[index] ?? 0) + count;
    return isNew;
  });
  return talk.closing !== undefined && isBehind ? [...rest, talk.closing.entry] : rest;
}

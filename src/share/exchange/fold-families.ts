import { SessionChanged, SessionInUse, SessionNotFound } from "../../sessions/errors.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { LinkedEntry, Replica, ReplicaHead } from "../../sessions/replica.ts";
import type { Client } from "../../sessions/session.ts";
import type { Exchanged } from "../exchange-report.ts";
import { findParting } from "./find-parting.ts";
import { readDescribing } from "./read-describing.ts";

/** Those that Carryon writes itself: what a client goes on with must stay where its next row will look for it. */
const ours: ReadonlySet<Client> = new Set<Client>(["carryon-append", "carryon-chat", "carryon-run"]);

/**
 * Gives up sessions that went another way by nothing but a title, tags or a status, where the other way has real work:
 * what they say of themselves is appended there, so that nothing is lost and one session is left.
 */
export async function foldFamilies(
  store: Replica,
  ids: readonly SessionId[],
  now: Date,
): Promise<readonly Exchanged[]> {
  if (ids.length === 0) return [];
  const living = (await store.relatives(ids)).filter(({ deletedAt }) => deletedAt === null);
  const folded: Exchanged[] = [];
  for (const family of Map.groupBy(living, (head) => head.knownAs).values()) {
    let rest = family;
    for (const each of family.filter(({ client }) => ours.has(client))) {
      const heir = await findHeir(store, each, rest);
      if (heir === undefined || !(await fold(store, heir, now))) continue;
      rest = rest.filter((other) => other !== each);
      const { session } = heir.to;
      const { knownAs, client } = each;
      folded.push({ type: "continued", session, knownAs, client, entries: 0, was: each.session });
    }
  }
  return folded;
}

/** A session that has everything of another but what describes that one. */
interface Heir {
  readonly from: ReplicaHead;
  readonly to: ReplicaHead;
  /** What describes it. */
  readonly entries: readonly LinkedEntry[];
}

async function findHeir(
  store: Replica,
  from: ReplicaHead,
  family: readonly ReplicaHead[],
): Promise<Heir | undefined> {
  for (const to of family) {
    if (to === from) continue;
    const parting = await findParting({ source: store, target: store }, from, to);
    const entries = parting && (await readDescribing(store, from, parting.seq));
    if (parting === undefined || entries === undefined || entries.length === 0) continue;
    if ((await readDescribing(store, to, parting.seq)) === undefined) return { from, to, entries };
  }
  return undefined;
}

/** Tells whether it could be done: somebody may write one of them, and then it stays as it is. */
async function fold(store: Replica, { from, to, entries }: Heir, now: Date): Promise<boolean> {
  try {
    await store.receive(async (intake) => {
      // Whoever else folds this family waits here.
      await intake.relatives(from.knownAs);
      const { hasConflict } = await intake.describe(to.session, entries);
      if (hasConflict) throw new SessionChanged(to.session);
      await intake.giveUp(from, to.session, now);
    });
    return true;
  } catch (error) {
    if (isLeftAlone(error)) return false;
    throw error;
  }
}

function isLeftAlone(error: unknown): boolean {
  return error instanceof SessionInUse || error instanceof SessionChanged || error instanceof SessionNotFound;
}

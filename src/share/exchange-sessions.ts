import { SessionChanged, SessionInUse, SessionNotFound } from "../sessions/errors.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { HeadQuery, LinkedEntry, Replica, ReplicaHead } from "../sessions/replica.ts";
import { type ClientName, recordClient } from "../sessions/session.ts";
import { Carrier } from "./exchange/carrier.ts";
import { findParting, isLiving, readDescribing, type Ways } from "./exchange/plan-session.ts";
import type { Exchanged, ExchangeReport } from "./exchange-report.ts";

export interface ExchangeOptions extends Ways {
  /** Which sessions of the source are brought; all unless told. */
  readonly query?: HeadQuery;
  /** The machine that the source is on; undefined where several write into it. */
  readonly machine?: string | undefined;
  /** The machine whose own store the target is: what was begun on it comes home, also into a store that was lost since. */
  readonly targetMachine?: string | undefined;
  readonly now: Date;
  /** About how many entries go into one transaction; 1,000 unless told. */
  readonly batch?: number;
  readonly onProgress?: ((sessions: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How many sessions are compared at once. */
const pageSize = 200;

/**
 * Brings what one store has into another, which loses nothing by it.
 *
 * Each transaction leaves the beginning of a chain, so that after a kill the next call goes on. Whatever way sessions
 * went, and in whichever order stores are brought together, in the end all have the same entries.
 */
export async function exchangeSessions({
  source,
  target,
  query = {},
  ...options
}: ExchangeOptions): Promise<ExchangeReport> {
  const heads = (await Array.fromAsync(source.heads(query))).flat();
  const carrier = new Carrier({ source, target }, options);
  const split = new Set<SessionId>();
  const tell = makeTeller(heads, options.onProgress);
  for (let from = 0; from < heads.length; from += pageSize) {
    const page = heads.slice(from, from + pageSize);
    const related = await target.relatives([...new Set(page.map(({ knownAs }) => knownAs))]);
    const families = Map.groupBy(related, ({ knownAs }) => knownAs);
    for (const [knownAs, family] of families) if (family.length > 1) split.add(knownAs);
    for (const head of inOrder(page)) {
      options.signal?.throwIfAborted();
      await carrier.carry(head, families.get(head.knownAs) ?? []);
      tell(head);
    }
    // What the next page is compared with must be there.
    await carrier.flush();
  }
  const { entries, scrubbed, changes, gone } = await carrier.finish();
  for (const { type, knownAs } of changes) if (type === "parted") split.add(knownAs);
  const folded = await foldFamilies(target, [...split], options.now);
  const compared = heads.filter(({ session }) => !gone.has(session));
  const records = compared.filter(({ client }) => client === recordClient).length;
  return {
    ...{ sessions: compared.length - records, records, entries, scrubbed },
    changes: settle(changes, folded),
  };
}

/** Nobody waits for what is gone. */
function makeTeller(
  heads: readonly ReplicaHead[],
  onProgress: ExchangeOptions["onProgress"],
): (head: ReplicaHead) => void {
  const total = heads.filter(isLiving).length;
  let done = 0;
  return (head) => {
    if (isLiving(head)) onProgress?.(++done, total);
  };
}

/** What went another way, and is the only way now, is not told twice. */
function settle(changes: readonly Exchanged[], folded: readonly Exchanged[]): readonly Exchanged[] {
  const brought = new Map(changes.map(({ session, entries }) => [session, entries]));
  const told = folded.map((each) => ({ ...each, entries: brought.get(each.session) ?? 0 }));
  const heirs = new Set(folded.map(({ session }) => session));
  return [...changes.filter(({ type, session }) => type !== "parted" || !heirs.has(session)), ...told];
}

/** What was deleted comes first, so that nothing goes on that is about to go. */
function inOrder(page: readonly ReplicaHead[]): readonly ReplicaHead[] {
  return [...page.filter((head) => !isLiving(head)), ...page.filter(isLiving)];
}

/** Those that Carryon writes itself: what a client goes on with must stay where its next row will look for it. */
const ours: ReadonlySet<ClientName> = new Set<ClientName>(["carryon-append", "carryon-chat", "carryon-run"]);

/**
 * Gives up sessions that went another way by nothing but a title, tags or a status, where the other way has real work:
 * what they say of themselves is appended there, so that nothing is lost and one session is left.
 */
async function foldFamilies(
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

import type { SessionId } from "../../src/sessions/ids.ts";
import type { Intake, Replica } from "../../src/sessions/replica.ts";
import type { ExchangeReport } from "../../src/share/exchange-report.ts";
import { type ExchangeOptions, exchangeSessions } from "../../src/share/exchange-sessions.ts";
import type { TestLog } from "../contract/test-log.ts";
import { later } from "./entries.ts";

type Told = Omit<Partial<ExchangeOptions>, "source" | "target">;

/** Brings what one store has to another. */
export function bring(
  from: Pick<TestLog, "replica">,
  to: Pick<TestLog, "replica">,
  told: Told = {},
): Promise<ExchangeReport> {
  return exchangeSessions({ source: from.replica, target: to.replica, now: later(99), ...told });
}

/** Says of a report what became of each session. */
export function outcomes({ changes }: ExchangeReport): readonly string[] {
  return changes.map(({ type, session }) => `${type} ${session}`);
}

/** What a transaction was broken by. */
export class Cut extends Error {}

/** Returns a replica whose connection breaks after so many transactions: before the next one, or just before it ends. */
export function cutAfter(replica: Replica, transactions: number, when: "before" | "at-end"): Replica {
  let left = transactions;
  return {
    ...bind(replica),
    receive: <Result>(work: (intake: Intake) => Promise<Result>) => {
      left -= 1;
      if (left >= 0) return replica.receive(work);
      if (when === "before") throw new Cut();
      return replica.receive(async (intake): Promise<Result> => {
        await work(intake);
        throw new Cut();
      });
    },
  };
}

function bind(replica: Replica): Replica {
  return {
    find: (session) => replica.find(session),
    read: (session, range) => replica.read(session, range),
    heads: (query) => replica.heads(query),
    relatives: (ids) => replica.relatives(ids),
    hashes: (session, from, to) => replica.hashes(session, from, to),
    holds: (session, entries) => replica.holds(session, entries),
    tombstone: (session) => replica.tombstone(session),
    receive: (work) => replica.receive(work),
  };
}

/** Returns the hashes of all entries of each session that is there, whatever it is called; sorted. */
export async function chainsOf({ replica }: Pick<TestLog, "replica">): Promise<readonly string[]> {
  const heads = (await Array.fromAsync(replica.heads())).flat();
  const living = heads.filter(({ deletedAt, entries }) => deletedAt === null && entries > 0);
  return living.map(({ knownAs, entries, head }) => `${knownAs} ${entries} ${head}`).toSorted();
}

/** Lists the ids of sessions that are there. */
export async function idsIn({ log }: Pick<TestLog, "log">): Promise<readonly SessionId[]> {
  return (await log.list({ limit: 500 })).sessions.map(({ id }) => id).toSorted();
}

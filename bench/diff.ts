import { compareSessions } from "../src/sessions/compare-sessions.ts";
import { parseSessionId, type SessionId } from "../src/sessions/ids.ts";
import { mergeSessions } from "../src/sessions/merge-sessions.ts";
import type { Session } from "../src/sessions/session.ts";
import type { Store } from "../src/storage/open-store.ts";
import type { Bench, Outcome } from "./figure.ts";
import { collectGarbage, compare, interleave, medianOf, subject } from "./measure.ts";
import { fill, place } from "./workload.ts";

const rounds = 8;

/** Two long forks compared beside reading both, a short one beside its long origin, and one merged into the other. */
export async function diff(bench: Bench): Promise<Outcome> {
  const { readLength } = bench.scale;
  const { store, session } = await bench.fixtures.store(readLength);
  const [left, right, short] = [
    await fork(store, session, "left"),
    await fork(store, session, "right"),
    await fork(store, session, "short"),
  ];
  for (const id of [left, right]) await fill(store, id, readLength);
  await fill(store, short, 10);
  const bare = await fork(store, session, "bare");
  await fill(store, bare, 10);
  const sides = async (...ids: readonly [SessionId, SessionId]) =>
    [{ session: await find(store, ids[0]) }, { session: await find(store, ids[1]) }] as const;
  const [long, brief] = [await sides(left, right), await sides(short, bare)];
  const times = await interleave(
    [
      subject({ name: "compare", prepare: collectGarbage, work: () => compareSessions(store.log, ...long) }),
      subject({
        name: "read",
        prepare: collectGarbage,
        work: () =>
          readOwn(
            store,
            long.map((side) => side.session),
            readLength,
          ),
      }),
      subject({ name: "short", prepare: collectGarbage, work: () => compareSessions(store.log, ...brief) }),
    ],
    rounds,
  );
  const began = performance.now();
  await mergeSessions(store, { target: long[0].session, source: long[1], now: new Date(), program: "bench" });
  const merged = performance.now() - began;
  const each = `${readLength.toLocaleString("en")} messages`;
  return {
    measurements: [
      {
        work: `compare two forks that went on for ${each} each`,
        limit: "reading both own parts",
        ...compare(times, "compare", "read"),
        bar: 3,
      },
      {
        work: `compare two forks of ${each} that went on for 10`,
        limit: "comparing the long ones",
        ...compare(times, "short", "compare"),
        bar: 0.1,
      },
    ],
    milliseconds: {
      "compare two long forks": medianOf(times, "compare"),
      "read both own parts": medianOf(times, "read"),
      "compare two short ones": medianOf(times, "short"),
      "merge one long fork into the other": merged,
    },
  };
}

async function fork(store: Store, from: SessionId, name: string): Promise<SessionId> {
  return (await store.log.fork({ id: parseSessionId(name), from, ...place() })).id;
}

async function find(store: Store, id: SessionId): Promise<Session> {
  const [session] = (await store.log.list({ id })).sessions;
  if (session === undefined) throw new Error(`There is no session ${id}.`);
  return session;
}

async function readOwn(store: Store, sessions: readonly Session[], shared: number): Promise<void> {
  for (const { id } of sessions) for await (const _ of store.log.read(id, { from: shared + 1 }));
}

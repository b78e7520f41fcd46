import type { NewEntry } from "../src/sessions/entry.ts";
import type { SessionId } from "../src/sessions/ids.ts";
import type { Store } from "../src/storage/open-store.ts";
import type { BareSqlite } from "./bare-sqlite.ts";
import type { Bench, Outcome } from "./figure.ts";
import type { FilledStore } from "./fixtures.ts";
import { compare, interleave, medianOf, type Subject, subject } from "./measure.ts";
import { bodyText, fill, makeMessage, openSession } from "./workload.ts";

const short = 100;

/** One durable append of a 2 KB message to a long session, beside a bare insert and beside a short session. */
export async function append(bench: Bench): Promise<Outcome> {
  const { long, rounds } = bench.scale;
  const times = await interleave(
    [
      appendSubject("long", await bench.fixtures.longStore(), long),
      appendSubject("short", await bench.fixtures.store(short), short),
      bareSubject("bare", bench.fixtures.bare(long)),
    ],
    rounds,
  );
  const work = `durable append of a 2 KB message at message ${long.toLocaleString("en")}`;
  return {
    measurements: [
      { work, limit: "a bare insert of the same bytes", ...compare(times, "long", "bare"), bar: 1.5 },
      { work, limit: `the same at message ${short}`, ...compare(times, "long", "short"), bar: 1.1 },
    ],
    milliseconds: {
      "append, long session": medianOf(times, "long"),
      "append, short session": medianOf(times, "short"),
      "bare insert": medianOf(times, "bare"),
    },
  };
}

/** Measures an append at one length: when the session has grown by half, the next appends go to a new one. */
export function appendSubject(name: string, filled: FilledStore, length: number): Subject<unknown> {
  const { store } = filled;
  let { session } = filled;
  let grown = 0;
  return subject({
    name,
    prepare: async (): Promise<NewEntry> => {
      grown += 1;
      if (grown > length / 2) {
        session = await openFilled(store, `${name}-${performance.now().toFixed(0)}`, length);
        grown = 1;
      }
      return makeMessage();
    },
    work: (message) => store.log.append(session, [message]),
  });
}

async function openFilled(store: Store, name: string, length: number): Promise<SessionId> {
  const session = await openSession(store, name);
  await fill(store, session, length);
  return session;
}

export function bareSubject(name: string, bare: BareSqlite): Subject<unknown> {
  return subject({ name, prepare: () => bodyText(makeMessage()), work: (body) => bare.append(body) });
}

import { join } from "node:path";
import { exchangeSessions } from "../src/share/exchange-sessions.ts";
import { openStore, type Store } from "../src/storage/open-store.ts";
import { openPostgres } from "../src/storage/postgres/open-postgres.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { CopyPostgres } from "./copy-postgres.ts";
import type { Bench, Outcome } from "./figure.ts";
import { compare, interleave, medianOf, subject } from "./measure.ts";
import { bodyText, makeMessages, openSession } from "./workload.ts";

const rounds = 8;
/** Most sessions are short, and some are long. */
const lengths = [5, 5, 5, 5, 5, 5, 5, 5, 30, 130];
const key = new Uint8Array(32);

/** Push and pull of sessions, beside `COPY` of their texts on the same server. */
export async function push(bench: Bench): Promise<Outcome> {
  const sessions = Math.min(200, bench.scale.sessions / 10);
  await using server = await startPostgres();
  await using copy = await CopyPostgres.open(server.url);
  await using source = await openStore(join(bench.folder, "push-source"));
  const texts = await fillSessions(source, sessions);
  await using filled = await openPostgres(server.url, key, "filled");
  await exchangeSessions({ source: source.replica, target: filled.replica, now: new Date() });
  let made = 0;
  const bring = async (from: Store, to: Store) => {
    await exchangeSessions({ source: from.replica, target: to.replica, now: new Date(), machine: "bench" });
    await to[Symbol.asyncDispose]();
  };
  const next = () => {
    made += 1;
    return `push_${made}`;
  };
  const times = await interleave(
    [
      subject({
        name: "push",
        prepare: () => openPostgres(server.url, key, next()),
        work: (to) => bring(source, to),
      }),
      subject({
        name: "pull",
        prepare: () => openStore(join(bench.folder, next())),
        work: (to) => bring(filled, to),
      }),
      subject({
        name: "nothing",
        prepare: () => undefined,
        work: () => exchangeSessions({ source: source.replica, target: filled.replica, now: new Date() }),
      }),
      subject({ name: "copy in", prepare: () => copy.clear(), work: () => copy.copyIn(texts) }),
      subject({ name: "copy out", prepare: () => refill(copy, texts), work: () => copy.copyOut() }),
    ],
    rounds,
  );
  const what = `${sessions} sessions, ${texts.length} messages of 2 KB`;
  return {
    measurements: [
      {
        work: `push of ${what}`,
        limit: "COPY of the same texts into a bare table",
        ...compare(times, "push", "copy in"),
      },
      {
        work: `pull of ${what}`,
        limit: "COPY of the same texts out of a bare table",
        ...compare(times, "pull", "copy out"),
      },
      {
        work: `push of the same again: nothing is new`,
        limit: "the first push",
        ...compare(times, "nothing", "push"),
      },
    ],
    milliseconds: {
      [`push of ${what}`]: medianOf(times, "push"),
      [`pull of ${what}`]: medianOf(times, "pull"),
      "COPY of the same texts in": medianOf(times, "copy in"),
    },
  };
}

async function refill(copy: CopyPostgres, texts: readonly string[]): Promise<void> {
  await copy.clear();
  await copy.copyIn(texts);
}

/** Returns the texts that were stored. */
async function fillSessions(store: Store, sessions: number): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let index = 0; index < sessions; index += 1) {
    const messages = makeMessages(lengths[index % lengths.length] ?? 1);
    await store.log.append(await openSession(store, `session-${index}`), messages);
    texts.push(...messages.map(bodyText));
  }
  return texts;
}

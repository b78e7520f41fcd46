import { statSync } from "node:fs";
import { parseSessionId } from "../src/sessions/ids.ts";
import { locateStore, openStore } from "../src/storage/open-store.ts";
import type { Bench, Outcome } from "./figure.ts";
import { fill, openSession, place } from "./workload.ts";

const forks = 10;

/** The stored bytes of a session and ten forks of it. The file is measured closed, when nothing is left in its log. */
export async function size(bench: Bench): Promise<Outcome> {
  const length = bench.scale.forkedLength;
  const home = bench.fixtures.newPath("home");
  const origin = await inStore(home, async (store) => {
    const session = await openSession(store, "origin");
    await fill(store, session, length);
    return session;
  });
  const one = statSync(locateStore(home)).size;
  await inStore(home, async (store) => {
    for (let index = 1; index <= forks; index += 1) {
      await store.log.fork({ id: parseSessionId(`fork-${index}`), from: origin, ...place() });
    }
  });
  const all = statSync(locateStore(home)).size;
  return {
    measurements: [
      {
        work: `stored bytes of a session of ${length.toLocaleString("en")} and ${forks} forks of it`,
        limit: "the session alone",
        ratio: all / one,
        bar: 1.1,
        n: 1,
      },
    ],
    milliseconds: {},
  };
}

type OpenStore = Awaited<ReturnType<typeof openStore>>;

async function inStore<Result>(home: string, work: (store: OpenStore) => Promise<Result>): Promise<Result> {
  const store = await openStore(home);
  try {
    return await work(store);
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

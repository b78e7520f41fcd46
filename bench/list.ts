import type { Bench, Outcome } from "./figure.ts";
import { interleave, median, subject } from "./measure.ts";
import { fill, openSession } from "./workload.ts";

const barMs = 5;

/** The first page of a long list of sessions. */
export async function list(bench: Bench): Promise<Outcome> {
  const { sessions, rounds } = bench.scale;
  const store = await bench.fixtures.emptyStore();
  for (let index = 0; index < sessions; index += 1) {
    await fill(store, await openSession(store, `session-${index}`), 1);
  }
  const times = await interleave(
    [subject({ name: "list", prepare: () => undefined, work: () => store.log.list({ limit: 50 }) })],
    rounds / 2,
  );
  const found = times.get("list") ?? [];
  return {
    measurements: [
      {
        work: `list the 50 newest of ${sessions.toLocaleString("en")} sessions`,
        limit: `${barMs} ms`,
        ratio: median(found) / barMs,
        bar: 1,
        n: found.length,
      },
    ],
    milliseconds: { "list 50 sessions": median(found) },
  };
}

import { type EntryId, parseSessionId } from "../src/sessions/ids.ts";
import { appendSubject } from "./append.ts";
import type { Bench, Outcome } from "./figure.ts";
import type { FilledStore } from "./fixtures.ts";
import { compare, interleave, medianOf, type Subject, subject } from "./measure.ts";
import { place } from "./workload.ts";

const early = 10;

/** Forks of a long session, at its newest entry and at an early one, beside one append to it. */
export async function fork(bench: Bench): Promise<Outcome> {
  const { long, rounds } = bench.scale;
  const filled = await bench.fixtures.longStore();
  const [entry] = await Array.fromAsync(filled.store.log.read(filled.session, { from: early, to: early }));
  const times = await interleave(
    [
      appendSubject("append", filled, long),
      forkSubject("newest", filled, undefined),
      forkSubject("early", filled, entry?.id),
    ],
    rounds / 2,
  );
  const of = `of a session of ${long.toLocaleString("en")}`;
  const limit = "one append to it";
  return {
    measurements: [
      { work: `fork ${of} at its newest entry`, limit, ...compare(times, "newest", "append"), bar: 2 },
      { work: `fork ${of} at entry ${early}`, limit, ...compare(times, "early", "append"), bar: 2 },
    ],
    milliseconds: {
      "fork at the newest entry": medianOf(times, "newest"),
      "fork at an early entry": medianOf(times, "early"),
    },
  };
}

function forkSubject(
  name: string,
  { store, session }: FilledStore,
  at: EntryId | undefined,
): Subject<unknown> {
  let count = 0;
  return subject({
    name,
    prepare: () => {
      count += 1;
      return { id: parseSessionId(`${name}-${count}`), from: session, ...(at && { at }), ...place() };
    },
    work: (asked) => store.log.fork(asked),
  });
}

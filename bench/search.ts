import { execFileSync } from "node:child_process";
import { createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Store } from "../src/storage/open-store.ts";
import { openPostgres } from "../src/storage/postgres/open-postgres.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import { installRipgrep } from "./install-ripgrep.ts";
import { interleave, median, subject, type Times } from "./measure.ts";
import { common, makeTexts, queries, record, type SearchQuery } from "./search-corpus.ts";

const barMs = 50;
const orders = ["newest", "relevance"] as const;
/** On PostgreSQL, one of so many of the messages. */
const fewer = 20;

/** The first 20 hits among many messages, beside ripgrep over the same text; what the index costs to make and to keep. */
export async function search(bench: Bench): Promise<Outcome> {
  const { messages, rounds } = bench.scale;
  const store = await bench.fixtures.emptyStore();
  const appended = await record(store, makeTexts(messages));
  const start = performance.now();
  await store.search.catchUp();
  const indexed = performance.now() - start;
  const { bytes } = await store.search.describe();
  const file = join(bench.folder, "messages.txt");
  await pipeline(Readable.from(lines(messages)), createWriteStream(file));
  const ripgrep = await tryRipgrep(file);
  const each = Math.max(20, Math.round(rounds / 8));
  const times = await measure(store, ripgrep.subjects, each);
  const onServer = await measureServer(Math.max(2000, Math.round(messages / fewer)), each);
  const count = messages.toLocaleString("en");
  return {
    measurements: [
      ...orders.map((order) =>
        barOf(times, order, `the first 20 of words in up to 1 % of ${count} messages, ${order}`),
      ),
      {
        work: `bytes of the index of ${count} short messages`,
        ...{ limit: "the bytes of their text", ratio: bytes / statSync(file).size, n: 1 },
      },
      {
        work: "take a message into the index",
        ...{ limit: "append it in a batch of 1,000", ratio: indexed / appended, n: messages },
      },
      ...ripgrep.compare(times),
      ...onServer.measurements,
    ],
    milliseconds: {
      ...Object.fromEntries(
        [...times].flatMap(([name, all]) => [
          [`search: ${name}, p50`, median(all)],
          [`search: ${name}, p95`, high(all)],
        ]),
      ),
      "search: take a message into the index": indexed / messages,
      ...onServer.milliseconds,
    },
    notes: ripgrep.notes,
  };
}

function* lines(messages: number): Generator<string> {
  for (const text of makeTexts(messages)) yield `${text}\n`;
}

const nameOf = ({ name }: SearchQuery, order: string) => `${name}, ${order}`;

function measure(
  store: Store,
  others: readonly Parameters<typeof interleave>[0][number][],
  rounds: number,
): Promise<Times> {
  const searches = [...queries, common].flatMap((each) =>
    orders.map((order) =>
      subject({
        name: nameOf(each, order),
        prepare: () => undefined,
        work: () => store.search.search({ query: each.query, match: "ranked", order }),
      }),
    ),
  );
  return interleave([...searches, ...others], rounds);
}

/** All queries but the common word count, each as often as the others. */
function barOf(times: Times, order: (typeof orders)[number], work: string): Measurement {
  const all = queries.flatMap((each) => times.get(nameOf(each, order)) ?? []);
  return {
    work: `${work}: 95 of 100`,
    limit: `${barMs} ms`,
    ratio: high(all) / barMs,
    bar: 1,
    n: all.length,
  };
}

function high(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
}

async function tryRipgrep(file: string) {
  const grepOf = ({ name }: SearchQuery) => `${name}, ripgrep`;
  try {
    const program = installRipgrep();
    const subjects = [...queries, common].map((each) =>
      subject({
        name: grepOf(each),
        samples: 20,
        prepare: () => undefined,
        work: () => void execFileSync(program, ["--ignore-case", "--count", each.pattern, file]),
      }),
    );
    const compare = (times: Times): readonly Measurement[] =>
      [...queries, common].map((each) => {
        const [found, grepped] = [times.get(nameOf(each, "newest")) ?? [], times.get(grepOf(each)) ?? []];
        const limit = "ripgrep over the same text in a file, its start included";
        return {
          work: `find ${each.name}, newest 20`,
          limit,
          ratio: median(found) / median(grepped),
          n: found.length,
        };
      });
    return { subjects, compare, notes: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { subjects: [], compare: () => [], notes: [`ripgrep was not measured: ${reason}`] };
  }
}

async function measureServer(
  messages: number,
  rounds: number,
): Promise<Pick<Outcome, "measurements" | "milliseconds">> {
  await using server = await startPostgres();
  await using store = await openPostgres(server.url, new Uint8Array(32));
  await record(store, makeTexts(messages));
  const start = performance.now();
  await store.search.catchUp();
  const indexed = performance.now() - start;
  const times = await measure(store, [], rounds);
  const work = `the same among ${messages.toLocaleString("en")} on PostgreSQL`;
  const { bar: _bar, ...found } = barOf(times, "newest", work);
  return {
    measurements: [found],
    milliseconds: { "search on PostgreSQL: take a message into the index": indexed / messages },
  };
}

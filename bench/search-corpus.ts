import type { NewEntry } from "../src/sessions/entry.ts";
import { parseEntryId } from "../src/sessions/ids.ts";
import type { Store } from "../src/storage/open-store.ts";
import { openSession } from "./workload.ts";

/** What is looked for, what stands for it on the command line of ripgrep, and in one of how many messages it stands. */
export interface SearchQuery {
  readonly name: string;
  readonly query: string;
  readonly pattern: string;
  readonly every: number;
}

const word = (name: string, text: string, every: number): SearchQuery => ({
  ...{ name, query: text, pattern: text, every },
});

/** Words of several frequencies; none stands in more than one of a hundred messages but the last, which is common. */
export const queries: readonly SearchQuery[] = [
  word("a rare word", "zeppelin", 100_000),
  word("a word in 1 of 1,000", "quagmire", 1000),
  word("a word in 1 of 100", "lantern", 100),
  { name: "two words", query: "lantern harbour", pattern: "lantern.*harbour|harbour.*lantern", every: 200 },
  { name: "a phrase", query: '"connection refused"', pattern: "connection refused", every: 150 },
  { name: "a prefix", query: "configur*", pattern: "\\bconfigur", every: 125 },
  { name: "an identifier", query: "read_entries.ts", pattern: "read_entries\\.ts", every: 400 },
  word("a Chinese word", "数据库", 6000),
];
export const common = word("a word in every second message", "the", 2);

const planted: Readonly<Record<string, string>> = {
  "two words": "lantern at the harbour",
  "a phrase": "connection refused",
  "a prefix": "configuration",
  "an identifier": "src/read_entries.ts:12",
};

/** Makes words from a fixed seed: few of them often, most of them rarely, as in any language. */
function makeWords(): (count: number) => string {
  let state = 20_261_116;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const words = Array.from({ length: 40_000 }, () =>
    Array.from({ length: 3 + next(7) }, () => String.fromCharCode(97 + next(26))).join(""),
  );
  const draw = () => words[Math.floor((next(40_000) * next(40_000)) / 40_000)] ?? "";
  return (count) => Array.from({ length: count }, draw).join(" ");
}

/** Makes the texts of short messages, about 180 characters each. */
export function* makeTexts(count: number): Generator<string> {
  const words = makeWords();
  for (let index = 0; index < count; index += 1) {
    const there = [...queries, common].filter(({ every }) => (index * 7919) % every === 0);
    yield [words(12), ...there.map(({ name, query }) => planted[name] ?? query), words(12)].join(" ");
  }
}

const perSession = 1000;

/** Records texts, a thousand in each session, and returns how many milliseconds that took. */
export async function record(store: Store, texts: Iterable<string>): Promise<number> {
  let batch: NewEntry[] = [];
  let number = 0;
  let took = 0;
  const flush = async () => {
    const session = await openSession(store, `session-${number / perSession}`);
    const start = performance.now();
    await store.log.append(session, batch);
    took += performance.now() - start;
    batch = [];
  };
  for (const text of texts) {
    number += 1;
    const at = new Date(Date.UTC(2026, 0, 1) + number * 10_000);
    const role = number % 2 === 1 ? "user" : "assistant";
    batch.push({
      id: parseEntryId(`e${number}`),
      at,
      kind: "message",
      role,
      parts: [{ type: "text", text }],
    });
    if (batch.length === perSession) await flush();
  }
  if (batch.length > 0) await flush();
  return took;
}

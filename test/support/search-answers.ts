import fc from "fast-check";
import type { SearchHit, SearchRequest } from "../../src/sessions/search-index.ts";
import type { TestLog } from "../contract/test-log.ts";

export async function findIds(test: TestLog, request: SearchRequest): Promise<readonly string[]> {
  const { hits } = await test.search.search({ limit: 1000, ...request });
  return hits.map(({ entry }) => entry ?? "").toSorted();
}

export async function findPlaces(
  test: TestLog,
  query: string,
  more: Partial<SearchRequest> = {},
): Promise<readonly string[]> {
  const { hits } = await test.search.search({ query, ...more });
  return hits.map(({ session, seq }: SearchHit) => `${session}#${seq}`);
}

export async function pages(test: TestLog, request: SearchRequest): Promise<readonly (readonly string[])[]> {
  const all: string[][] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<TestLog["search"]["search"]>> = await test.search.search({
      ...request,
      ...(cursor !== null && { cursor }),
    });
    all.push(page.hits.map(({ entry }) => entry ?? ""));
    cursor = page.next;
    if (cursor === null) return all;
  }
}

const vocabulary = fc.constantFrom(
  ...[
    "alpha",
    "beta",
    "Alpha",
    "gammaDelta",
    "gamma",
    "delta",
    "数据",
    "据库",
    "数",
    "テスト",
    "é",
    "e",
    "ß",
    "ss",
    "👍",
    "a_b",
    "x.y",
    "ﬁ",
    "42",
    "\0",
    "\ud800",
    "-",
    "…",
  ],
);
export const anyWords = fc
  .array(fc.tuple(vocabulary, fc.constantFrom(" ", "", "_", "/", ", ", "\n")), { maxLength: 12 })
  .map((words) => words.map(([word, joint]) => word + joint).join(""));
export const anyQuery = fc
  .array(fc.tuple(vocabulary, fc.constantFrom("", "*", '"'), fc.constantFrom(" ", "", "_")), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) =>
    words.map(([word, mark, joint]) => (mark === '"' ? `"${word} alpha"` : word + mark) + joint).join(""),
  );

import { describe, expect, it } from "vitest";
import { rankedSearchContract } from "../../contract/ranked-search.ts";
import { one, openWithSession, type TestLog } from "../../contract/test-log.ts";
import { later, said } from "../../support/entries.ts";
import { openPostgresTestLog } from "../../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

describe("ranked search on SQLite", () => rankedSearchContract(openSqliteTestLog));
describe("ranked search on PostgreSQL", () => rankedSearchContract(openPostgresTestLog));

const vocabulary =
  "hook commit refuse linter deploy staging retry policy index search rank token budget session resume".split(
    " ",
  );

/** Makes texts from a fixed seed, some of them so long that PostgreSQL takes them in several documents. */
function makeTexts(count: number): readonly string[] {
  let state = 20_261_118;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const word = () => `${vocabulary[Math.min(next(15), next(15))]}${["", "s", "ed", "ing"][next(4)]}`;
  return Array.from({ length: count }, (_, index) => {
    const length = index % 40 === 7 ? 5000 : 3 + next(30);
    return Array.from({ length }, (__, at) => (next(3) === 0 ? word() : `w${(index + at) % 997}`)).join(" ");
  });
}

async function fill(test: TestLog): Promise<TestLog> {
  await test.log.append(
    one,
    makeTexts(200).map((text, index) => said(`e${index}`, text, { at: later(index) })),
  );
  return test;
}

it("gives the same hits with the same scores in the same order on both engines", async () => {
  await using sqlite = await fill(await openWithSession(openSqliteTestLog));
  await using postgres = await fill(await openWithSession(openPostgresTestLog));
  const answer = async ({ search }: TestLog, query: string) =>
    (await search.search({ query, match: "ranked", limit: 50 })).hits.map(({ entry, score }) => [
      entry,
      score,
    ]);
  for (const query of [
    "why did the hook refuse the commit",
    "retry policy of the search index",
    "session resume token budget w12",
    "+staging deployed -hook",
    '"hook commit" linter',
    "rank*",
  ]) {
    const found = await answer(sqlite, query);
    expect(found.length, query).toBeGreaterThan(0);
    expect(await answer(postgres, query)).toEqual(found);
  }
});

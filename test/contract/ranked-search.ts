import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import type { SearchRequest } from "../../src/sessions/search-index.ts";
import { later, said } from "../support/entries.ts";
import { pages } from "../support/search-answers.ts";
import { one, openWithSession, type TestLog } from "./test-log.ts";

const answered = (id: string, text: string): NewEntry => ({
  ...{ id: parseEntryId(id), at: later(1), kind: "message", role: "tool" },
  parts: [{ type: "tool-result", call: id, output: text }],
});

/** Talk about one thing among talk about others, so that words differ in how rare they are. */
const talk: readonly NewEntry[] = [
  said("goal", "Please make the pre-commit hook faster, it takes a minute."),
  said("refused", "The hook refused the commit because the linter found an unused import."),
  said("deploy", "We deployed the service to staging on Friday."),
  said("path", "The retry logic is in src/http/retryPolicy.ts, see backoffDelay."),
  said("chinese", "数据库迁移失败了，因为表已经存在。"),
  said("german", "Die Größe des Puffers war falsch eingestellt."),
  answered("log", `${"checking file commit hook ".repeat(50)} refused`),
  ...Array.from({ length: 30 }, (_, index) =>
    said(`x${index}`, `The commit number ${index} is done, what is next for the team?`),
  ),
];

/** What every engine must do about searches that any word counts for. */
export function rankedSearchContract(open: () => Promise<TestLog>): void {
  const openTalk = async () => {
    const test = await openWithSession(open);
    await test.log.append(one, talk);
    return test;
  };
  const find = async (test: TestLog, query: string, more: Partial<SearchRequest> = {}) =>
    (await test.search.search({ query, match: "ranked", limit: 1000, ...more })).hits.map(
      ({ entry }) => entry,
    );

  it.each([
    ["why did the precommit hook refuse the commit?", "refused"],
    ["how long does the precommit hook take", "goal"],
    ["when was the deployment?", "deploy"],
    ["where is the retry policy", "path"],
    ["BackoffDelay", "path"],
    ["src/http/retryPolicy.ts", "path"],
    ["为什么数据库失败", "chinese"],
    ["grosse puffer", "german"],
  ])("answers %s first with what says it", async (query, best) => {
    await using test = await openTalk();
    expect((await find(test, query))[0]).toBe(best);
  });

  it("finds entries by what is said of them elsewhere too, unless they are not among those that were found", async () => {
    await using test = await openTalk();
    const linesOf = (...seqs: readonly number[]): Pick<SearchRequest, "linesOf"> => ({
      linesOf: async (sessions) =>
        sessions.map((session) => ({
          session,
          seqs,
          texts: ["A linter of the deployment", "The hook takes long"],
        })),
    });
    const query = "did the linter delay the deployment, or how long did the hook take?";
    const [goal, deploy] = ["goal", "deploy"].map((id) => 1 + talk.findIndex((each) => each.id === id));
    expect((await find(test, query))[0]).not.toBe("deploy");
    expect((await find(test, query, linesOf(deploy ?? 0)))[0]).toBe("deploy");
    expect((await find(test, query, linesOf(deploy ?? 0, goal ?? 0))).slice(0, 2).toSorted()).toEqual([
      ...["deploy", "goal"],
    ]);
    for (const without of ["-staging", "role:tool"])
      expect(await find(test, `${query} ${without}`, linesOf(deploy ?? 0))).toEqual(
        await find(test, `${query} ${without}`),
      );
  });

  it("finds something wherever any word matches, and nothing where none does", async () => {
    await using test = await openTalk();
    expect(await find(test, "zeppelin staging")).toEqual(["deploy"]);
    expect(await find(test, "what is the")).not.toEqual([]);
    expect(await find(test, "zeppelin")).toEqual([]);
  });

  it("wants phrases, prefixes and +words, leaves out what has a -word, and keeps to filters", async () => {
    await using test = await openTalk();
    expect(await find(test, 'hook "unused import"')).toEqual(["refused"]);
    expect(await find(test, "hook deplo*")).toEqual(["deploy"]);
    expect(await find(test, "hook +minute")).toEqual(["goal"]);
    expect(await find(test, "hook -linter -checking")).toEqual(["goal"]);
    expect(await find(test, 'hook -"takes a minute" role:user')).toEqual(["refused"]);
    expect(await find(test, "hook role:tool")).toEqual(["log"]);
    expect(await find(test, "role:tool")).toEqual(["log"]);
  });

  it("gives the same hits page by page, and with the newest first only what fits well", async () => {
    await using test = await openTalk();
    const query = "why was the commit refused by the hook";
    const all = await find(test, query);
    expect((await pages(test, { query, match: "ranked", limit: 7 })).flat()).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
    expect(await find(test, query, { order: "newest" })).toEqual(["log", "refused"]);
  });

  it("counts no more what was scrubbed or deleted", async () => {
    await using test = await openTalk();
    expect(await find(test, "staging")).toEqual(["deploy"]);
    await test.scrubber.replace(literalPattern("staging"), later(9));
    expect(await find(test, "staging")).toEqual([]);
    expect(await find(test, "deployed friday")).toEqual(["deploy"]);
    await test.log.delete(one, later(10));
    expect(await find(test, "deployed friday")).toEqual([]);
  });
}

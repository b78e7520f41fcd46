import { describe, expect, it } from "vitest";
import { openDigests } from "../../src/digest/read-digests.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { readSince } from "../../src/work/read-since.ts";
import { findTodos } from "../../src/work/tasks/find-todos.ts";
import { sessionOf } from "../contract/comparing.ts";
import { merge } from "../contract/merging.ts";
import { one, openWithSession, two } from "../contract/test-log.ts";
import { later, newSession } from "../support/entries.ts";
import { answered, calling, resulted } from "../support/talk.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

/** A command that was run, and a list of tasks, at a moment. */
function worked(tag: string, at: Date, task: string): readonly NewEntry[] {
  const calls = [
    calling(`${tag}1`, "Bash", { command: `npm test ${tag}` }),
    calling(`${tag}2`, "TodoWrite", { todos: [{ content: task, activeForm: "…", status: "pending" }] }),
  ];
  return [
    { ...answered(`${tag}-call`, "…", calls), at },
    {
      ...resulted(`${tag}-result`, { [`${tag}1`]: "1 passed", [`${tag}2`]: "Todos have been modified" }),
      at,
    },
  ];
}

describe("after a merge of an older session", () => {
  it("the list of tasks and what is new are those of the session itself", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    const { log, project: id } = test;
    await log.open(newSession("two", id));
    await log.append(two, worked("old", later(10), "theirs"));
    await log.append(one, worked("new", later(500), "mine"));
    await merge(test, "one", "two");
    const session = await sessionOf(log, "one");
    expect(session.entries).toBe(6);
    const site = { log, project: { id, name: "shop" } };
    const todos = await findTodos({ site, digests: openDigests(test) }, session);
    expect(todos?.tasks).toMatchObject({ pending: [expect.stringContaining("mine")] });
    const since = await readSince(log, session, later(400));
    expect(since.map((entry) => entry.id)).toEqual(expect.arrayContaining(["new-call", "new-result"]));
    expect(since.some((entry) => entry.id.startsWith("from-"))).toBe(false);
  });
});

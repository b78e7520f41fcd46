import { describe, expect, it } from "vitest";
import { startDigest } from "../../src/digest/digest.ts";
import { followEntries } from "../../src/digest/follow-entries.ts";
import { chooseWorkstream, groupSessions } from "../../src/memory/workstreams.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import type { Session } from "../../src/sessions/session.ts";
import { Story } from "../digest/entries.ts";

const now = new Date("2026-11-18T12:00:00Z");
const hour = 3_600_000;

interface Told {
  readonly id: string;
  readonly story: Story;
  readonly hoursAgo: number;
  readonly branch?: string | null;
  readonly forkedFrom?: string;
  readonly status?: "ended" | "interrupted";
}

function group(told: readonly Told[]) {
  const sessions = told.map(({ id, hoursAgo, branch = "main", forkedFrom, status = "ended" }) => {
    const at = new Date(now.getTime() - hoursAgo * hour);
    const origin = forkedFrom === undefined ? null : { session: forkedFrom, entry: "e" };
    return {
      id,
      branch,
      startedAt: at,
      updatedAt: at,
      status,
      forkedFrom: origin,
    } as unknown as Session;
  });
  const digests = new Map(
    told.map(({ id, story }) => [id as SessionId, followEntries(startDigest("/work/shop"), story.entries)]),
  );
  return groupSessions(sessions, digests);
}

const finished = (goal: string) =>
  new Story().asks(goal).edits("a.ts").runs("git commit -m a", "[main 1111111] a\n").says("Done.");
const broken = (goal: string) => new Story().asks(goal).edits("a.ts").calls("Bash", { command: "make" });
const question = () => new Story().asks("what time is it?").says("Noon.");

describe("workstreams", () => {
  it("join the sessions of a branch, of a fork, and those that only go on", () => {
    const streams = group([
      { id: "a", story: finished("Add search"), hoursAgo: 9, branch: "search" },
      { id: "b", story: broken("Make it fast"), hoursAgo: 8, branch: "search" },
      { id: "c", story: broken("Fix login"), hoursAgo: 7 },
      { id: "d", story: new Story().asks("go on").edits("b.ts").says("Done."), hoursAgo: 6 },
      { id: "e", story: finished("Other work"), hoursAgo: 5 },
      { id: "f", story: finished("Another way"), hoursAgo: 4, forkedFrom: "e" },
    ]);
    expect(streams.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([
      ["e", "f"],
      ["c", "d"],
      ["a", "b"],
    ]);
  });

  it.each([
    { story: finished("a thing"), status: "done" },
    { story: broken("a thing"), status: "interrupted" },
    { story: new Story().asks("a thing").edits("a.ts").says("Which one?"), status: "waiting" },
    { story: new Story().asks("a thing").edits("a.ts").says("Done."), status: "open" },
  ])("have the status $status when the last turn says so", ({ story, status }) => {
    expect(group([{ id: "a", story, hoursAgo: 1 }])[0]?.status).toBe(status);
  });

  it("are not displaced by a trivial session", () => {
    const streams = group([
      { id: "plan", story: broken("Move to PostgreSQL"), hoursAgo: 20 },
      { id: "time", story: question(), hoursAgo: 1 },
    ]);
    expect(chooseWorkstream(streams, "main", now)?.newest.id).toBe("plan");
  });

  it("lead with a session that was killed at its first call, although nothing shows what came of it", () => {
    const killed = new Story().asks("Round the prices").calls("Write", { file_path: "a.ts" });
    const streams = group([
      { id: "before", story: broken("Move to PostgreSQL"), hoursAgo: 20 },
      { id: "killed", story: killed, hoursAgo: 1, status: "interrupted" },
    ]);
    expect(chooseWorkstream(streams, "main", now)?.newest.id).toBe("killed");
  });

  it.each([
    { text: "Go on, and round the prices", joins: true },
    { text: "please continue with the tests", joins: true },
    { text: "go online once the list is read", joins: false },
    { text: "Continue buttons have the wrong colour", joins: false },
  ])("take a session that begins with $text for a part of the last one: $joins", ({ text, joins }) => {
    const streams = group([
      { id: "a", story: finished("Add prices"), hoursAgo: 3 },
      { id: "b", story: finished(text), hoursAgo: 2 },
    ]);
    expect(streams).toHaveLength(joins ? 1 : 2);
  });

  it("lead with interrupted work, also when other work was finished since, until that is old", () => {
    const told = (hoursAgo: number) =>
      group([
        { id: "crashed", story: broken("Move to PostgreSQL"), hoursAgo },
        { id: "since", story: finished("Fix a typo"), hoursAgo: 1 },
      ]);
    expect(chooseWorkstream(told(20), "main", now)?.newest.id).toBe("crashed");
    expect(chooseWorkstream(told(24 * 30), "main", now)?.newest.id).toBe("since");
  });

  it("stand where they were interrupted until a later session of the branch goes on with the work", () => {
    const told = (later: Story) =>
      group([
        { id: "crashed", story: broken("Make it fast"), hoursAgo: 9, branch: "search" },
        { id: "later", story: later, hoursAgo: 2, branch: "search" },
      ])[0];
    const asked = new Story().asks("Explain how the index is made").says("It is long. ".repeat(200));
    expect(told(asked)).toMatchObject({ newest: { id: "crashed" }, status: "interrupted" });
    expect(told(finished("Make it faster"))).toMatchObject({ newest: { id: "later" }, status: "done" });
  });

  it("are chosen by branch first", () => {
    const streams = group([
      { id: "here", story: finished("Add search"), hoursAgo: 30, branch: "search" },
      { id: "there", story: broken("Fix login"), hoursAgo: 1, branch: "login" },
    ]);
    expect(chooseWorkstream(streams, "search", now)?.newest.id).toBe("here");
    expect(chooseWorkstream(streams, "new-branch", now)?.newest.id).toBe("there");
  });
});

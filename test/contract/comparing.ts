import { expect, it } from "vitest";
import { type CompareOptions, compareSessions } from "../../src/sessions/compare-sessions.ts";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import { mainStrand, parseEntryId, parseSessionId, parseStrand } from "../../src/sessions/ids.ts";
import type { Session } from "../../src/sessions/session.ts";
import type { SessionDiff } from "../../src/sessions/session-diff.ts";
import { readPaths } from "../../src/sessions/session-paths.ts";
import type { SideRequest } from "../../src/sessions/side-reader.ts";
import { later, newFork, newSession, said } from "../support/entries.ts";
import { answered, calling, happened, resulted } from "../support/talk.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

/** Returns a session as it is. */
export async function sessionOf(log: ConversationLog, id: string): Promise<Session> {
  const [session] = (await log.list({ id: parseSessionId(id) })).sessions;
  if (session === undefined) throw new Error(`There is no session ${id}.`);
  return session;
}

async function compare(
  log: ConversationLog,
  left: string,
  right: string,
  more: { readonly left?: Partial<SideRequest>; readonly right?: Partial<SideRequest> } & CompareOptions = {},
): Promise<SessionDiff> {
  const sides = [
    { session: await sessionOf(log, left), ...more.left },
    { session: await sessionOf(log, right), ...more.right },
  ] as const;
  return compareSessions(log, ...sides, more);
}

const namesOf = ({ items }: SessionDiff["left"]) => items.map(({ name, text }) => `${name}: ${text}`);

/** What every engine must do when sessions are compared. */
export function comparingContract(open: () => Promise<TestLog>): void {
  it("tells what forks of forks share, also of an origin that was deleted, and what each did", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    await log.append(one, [said("a", "1"), said("b", "2", { at: later(7) }), said("c", "3")]);
    await log.fork({ ...newFork("two"), at: parseEntryId("b") });
    await log.append(two, [said("x", "left")]);
    await log.fork(newFork("three", "two"));
    await log.fork({ ...newFork("four", "two"), at: parseEntryId("b") });
    await log.append(parseSessionId("three"), [said("y", "left again")]);
    await log.append(parseSessionId("four"), [said("z", "right")]);
    const shared = { by: "entries", entries: 2, left: 2, right: 2, until: later(7) };
    expect((await compare(log, "one", "three")).shared).toEqual(shared);
    await log.delete(one, later(9));
    await log.delete(two, later(9));
    const diff = await compare(log, "three", "four");
    expect(diff.shared).toEqual(shared);
    expect([namesOf(diff.left), namesOf(diff.right)]).toEqual([
      ["user: left", "user: left again"],
      ["user: right"],
    ]);
    expect(diff.stretches).toEqual([{ same: false, left: { from: 0, to: 2 }, right: { from: 0, to: 1 } }]);
  });

  it("finds what unrelated sessions say alike, at the start and later, and lays rounds beside each other", async () => {
    await using test = await openWithSession(open);
    const { log, project } = test;
    const round = (id: string, number: number, who: string) =>
      ({ ...said(id, ""), kind: "round", number, data: { who } }) as const;
    await log.open(newSession("two", project));
    const talk = (tag: string) => [
      said(`${tag}1`, "Build it", { at: later(tag === "l" ? 1 : 9) }),
      happened(`${tag}2`, "notice", { text: tag }),
      answered(`${tag}3`, "With what?", [calling(`${tag}c`, "Read", { path: "a.ts" })]),
      resulted(`${tag}4`, { [`${tag}c`]: "text" }),
    ];
    await log.append(one, [
      ...talk("l"),
      round("l5", 1, "l"),
      said("l6", "extra"),
      round("l7", 2, "l"),
      said("l8", "Thanks"),
    ]);
    await log.append(two, [...talk("r"), round("r5", 1, "r"), round("r7", 2, "r"), said("r8", "Thanks")]);
    const diff = await compare(log, "one", "two");
    expect(diff.shared).toEqual({ by: "content", entries: 3, left: 4, right: 4, until: later(2) });
    expect(diff.stretches).toEqual([
      { same: false, left: { from: 0, to: 2 }, right: { from: 0, to: 1 } },
      { same: false, left: { from: 2, to: 3 }, right: { from: 1, to: 2 } },
      { same: true, left: { from: 3, to: 4 }, right: { from: 2, to: 3 } },
    ]);
    await log.open(newSession("three", project));
    await log.append(parseSessionId("three"), [said("q", "Something else")]);
    expect((await compare(log, "one", "three")).shared).toEqual({
      by: "nothing",
      entries: 0,
      left: 0,
      right: 0,
      until: null,
    });
  });

  it("sums up tools, files, commands, decisions, tokens, models, errors and time", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    await log.append(one, [said("a", "Go")]);
    await log.fork(newFork("two"));
    const usage = { inputTokens: 10, outputTokens: 5 };
    const calls = [
      calling("c1", "Edit", { file_path: "/work/src/a.ts", old_string: "x" }),
      calling("c2", "Bash", { command: "npm test > out.log 2>&1" }),
      calling("c3", "Write", { file_path: "/elsewhere/b.ts" }),
      calling("c4", "Read", { file_path: "/work/src/a.ts" }),
      calling("c5", "mcp__carryon__decide", { summary: "Use SQLite", decision: "by default" }),
    ];
    await log.append(one, [
      answered("b", "Doing", calls, { model: "m-1", usage, at: later(10) }),
      resulted("c", { c1: "ok", c2: "1 passed", c4: "…", c5: "The decision is written down as D4." }),
      resulted("d", { c3: "\n no such folder\nmore" }, true),
      {
        id: parseEntryId("e"),
        at: later(3600),
        kind: "checkpoint",
        state: { blocker: { description: "red tests" } },
      },
      happened("f", "api-error", { status: 529 }, { at: later(3605) }),
    ]);
    const edit = calling("d1", "write", { path: "src/a.ts" });
    await log.append(two, [answered("g", "Mine", [edit], { usage: { ...usage, cacheReadTokens: 7 } })]);
    const decisions = [{ seq: 9, at: later(1), summary: "Late", decision: "yes" }];
    const { left, right, bothChanged } = await compare(log, "one", "two", { decisions });
    expect(left.own).toEqual({
      entries: 5,
      messages: { user: 0, assistant: 1, tool: 2 },
      calls: 5,
      failedCalls: 1,
      tools: ["Edit", "Bash", "Write", "Read", "mcp__carryon__decide"].map((name) => ({
        ...{ name, calls: 1, failed: name === "Write" ? 1 : 0 },
      })),
      files: [
        { path: "out.log", read: false, written: true },
        { path: "src/a.ts", read: true, written: true },
      ],
      commands: [{ command: "npm test > out.log 2>&1", outcome: "done" }],
      decisions: [{ seq: 4, summary: "Use SQLite", decision: "by default", by: "tool" }],
      usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
      models: ["m-1"],
      errors: 1,
      summaries: 0,
      checkpoints: 1,
      rounds: 0,
      blockers: ["red tests"],
      firstAt: later(2),
      lastAt: later(3605),
      wallMs: 3_603_000,
      activeMs: 8000 + 300_000 + 5000,
    });
    expect(
      left.items.map(({ name, calls: made }) => [name, made.map(({ outcome, said: why }) => outcome + why)]),
    ).toEqual([
      ["assistant", ["done", "done", "failedno such folder", "done", "done"]],
      ["checkpoint", []],
      ["api-error", []],
    ]);
    expect(right.own.decisions).toEqual([{ seq: 9, summary: "Late", decision: "yes", by: "time" }]);
    expect(right.own.usage).toEqual({ ...usage, cacheReadTokens: 7, cacheWriteTokens: 0 });
    expect(bothChanged).toEqual(["src/a.ts"]);
  });

  it("counts no file that only a failed call, or one that was denied, names", async () => {
    await using test = await openWithSession(open);
    const { log, project } = test;
    await log.open(newSession("two", project));
    for (const [session, call] of [
      [one, "c1"],
      [two, "c2"],
    ] as const) {
      const command = calling(call, "Bash", { command: "echo hi > out.txt" });
      await log.append(session, [answered(`a${call}`, call, [command])]);
      if (session === two) await log.append(two, [resulted("r", { [call]: "denied" }, true)]);
    }
    const { left, right, bothChanged } = await compare(log, "one", "two");
    expect([left.own.files, right.own.files, bothChanged]).toEqual([
      [{ path: "out.txt", read: false, written: true }],
      [],
      [],
    ]);
  });

  it("compares strands of one session, and paths that a client has split", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    const [instructor, worker] = [parseStrand("instructor"), parseStrand("worker")];
    await log.append(one, [
      said("i1", "Task", { strand: instructor }),
      said("w1", "Task", { strand: worker }),
      said("w2", "Done", { strand: worker }),
      said("m1", "root"),
      said("m2", "left"),
      said("m3", "right", { parent: parseEntryId("m1") }),
    ]);
    const strands = await compare(log, "one", "one", {
      left: { strand: instructor },
      right: { strand: worker },
    });
    expect(strands.shared).toMatchObject({ by: "content", entries: 1, left: 1, right: 2 });
    expect([namesOf(strands.left), namesOf(strands.right)]).toEqual([[], ["user: Done"]]);
    const paths = await compare(log, "one", "one", { right: { end: 5 } });
    expect(paths.shared).toMatchObject({ by: "entries", entries: 1, left: 4, right: 4 });
    expect([namesOf(paths.left), namesOf(paths.right)]).toEqual([["user: right"], ["user: left"]]);
  });

  it("goes through compactions, keeps the results of tools that ran side by side, and knows resets from side paths", async () => {
    await using test = await openWithSession(open);
    const { log } = test;
    const compacted = { kind: "summary", text: "short", replaces: parseEntryId("b3"), parent: null } as const;
    await log.append(one, [
      said("z", "before a reset"),
      said("a", "root", { parent: null }),
      answered("b1", "both", [calling("c1", "Read", {})]),
      answered("b2", "", [calling("c2", "Read", {})]),
      { ...resulted("r1", { c1: "one" }), parent: parseEntryId("b1") },
      { ...resulted("r2", { c2: "two" }), parent: parseEntryId("b2") },
      answered("b3", "done"),
      { ...compacted, id: parseEntryId("s"), at: later(4) },
      said("m", "after the compaction"),
      said("n", "another way", { parent: parseEntryId("b3") }),
    ]);
    const paths = await readPaths(log, await sessionOf(log, "one"), mainStrand);
    expect(paths.sidePaths()).toMatchObject([{ end: 9, partsAt: 7, entries: ["s", "m"] }]);
    expect(paths.pathTo(9).map(({ id }) => id)).toEqual(["a", "b1", "r1", "b2", "r2", "b3", "s", "m"]);
    const { left, right, shared } = await compare(log, "one", "one", { right: { end: 9 } });
    expect(shared).toMatchObject({ by: "entries", entries: 6, left: 7 });
    expect([namesOf(left), namesOf(right)]).toEqual([
      ["user: another way"],
      ["summary: short", "user: after the compaction"],
    ]);
    const whole = await compare(log, "one", "one", { left: { end: 1 }, right: { end: 7 } });
    expect(whole.right.items.flatMap(({ calls }) => calls.map(({ outcome }) => outcome))).toEqual([
      "done",
      "done",
    ]);
  });

  it("cuts long texts, and tells how much is missing", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1")]);
    await test.log.fork(newFork("two"));
    await test.log.append(two, [said("b", `${"x".repeat(9)}😀 tail`)]);
    const { right } = await compare(test.log, "one", "two", { textLimit: 10 });
    expect(right.items.map(({ text, omitted }) => ({ text, omitted }))).toEqual([
      { text: "x".repeat(9), omitted: 7 },
    ]);
  });
}

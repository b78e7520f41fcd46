import { readFile, realpath } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { happened, message, ran, text } from "../support/recorded-work.ts";
import { openTwoClones, type TwoClones } from "../support/two-clones.ts";

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const failed = (seconds: number) =>
  ran(ago(seconds), {
    input: { command: "npm test" },
    output: "Exit code 1\n      Tests  1 failed | 3 passed (4)\n",
    failed: true,
  });
const passed = (seconds: number) =>
  ran(ago(seconds), { input: { command: "npm test" }, output: "      Tests  4 passed (4)\n" });
const listed = (seconds: number, ...tasks: readonly string[]) =>
  ran(ago(seconds), {
    name: "TodoWrite",
    input: { todos: tasks.map((content) => ({ content, status: "pending" })) },
  });
const asked = (seconds: number, words: string) => message(ago(seconds), "user", text(words));

/** Everything by which a session tells what the next one must know. */
const telling = (seconds: number, whose: string): readonly NewEntry[] => [
  asked(seconds, `make ${whose} form work`),
  ...listed(seconds - 1, `${whose} task`),
  ...failed(seconds - 2),
  happened(ago(seconds - 4), "interrupted", {}),
];

/** What a brief says, by the names of its parts, but for what is told always. */
async function briefOf(ask: TwoClones["asAda"]): Promise<Readonly<Record<string, string>>> {
  const { parts } = JSON.parse(await ask("brief", "--json"));
  return Object.fromEntries(parts.map(({ name, text: says }: Record<string, string>) => [name, says]));
}
const stateOf = async ({ onBen }: TwoClones) =>
  JSON.parse(await readFile(`${onBen}/.claude/session-state.json`, "utf8"));

describe("sessions of another machine", () => {
  it.each(["trusted", "not trusted"])("are not one's own in a project that is %s", async (trust) => {
    await using two = await openTwoClones();
    await two.ada.record(two.onAda, "hers", telling(100, "her"));
    await two.toBen();
    if (trust === "trusted") await two.ben.trust(two.onBen);
    expect(Object.keys(await briefOf(two.asBen))).toEqual(["First session"]);
    await two.asBen("save", "-m", "The docs", "--no-commit");
    expect(await stateOf(two)).toMatchObject({
      ...{ working_on: "The docs", session: null, blocker: null },
      ...{ completed_tasks: [], pending_tasks: [] },
    });
    expect(await two.asBen("handover", "--next", "go on")).not.toContain("npm test");
  });

  it("do not hide those of this machine that are older", async () => {
    await using two = await openTwoClones();
    await two.ben.record(two.onBen, "his", telling(200, "his"));
    await two.ada.record(two.onAda, "hers", [...telling(100, "her"), ...passed(20)]);
    await two.toBen();
    const { Blocker, "Where the work stands": work } = await briefOf(two.asBen);
    expect([Blocker, work].join("\n")).toMatch(/test_failure.*his form.*his task/s);
    await two.asBen("save", "--no-commit");
    expect(await stateOf(two)).toMatchObject({
      ...{ session: "his", blocker: { type: "test_failure" }, pending_tasks: ["his task"] },
    });
  });

  it("stay one's own when the other machine gave them a title, and somebody's else when one gave it here", async () => {
    await using two = await openTwoClones();
    await two.ada.record(two.onAda, "hers", telling(100, "her"));
    await two.toBen();
    await two.asBen("rename", "hers", "The form");
    await two.asBen("tag", "hers", "pinned");
    expect(Object.keys(await briefOf(two.asBen))).toEqual(["First session"]);
    await two.toAda();
    expect(JSON.parse(await two.asAda("sessions", "--json")).sessions).toMatchObject([
      { id: "hers", title: "The form", tags: ["pinned"] },
    ]);
    expect(await briefOf(two.asAda)).toMatchObject({ Blocker: expect.stringContaining("test_failure") });
  });

  it("belong to whoever went on with them last", async () => {
    await using two = await openTwoClones();
    const said = (words: string) => [{ role: "user", text: words }];
    const chat = async (ask: TwoClones["ada"], cwd: string, args: readonly string[], words: string) =>
      JSON.parse((await ask.ask(cwd, ["append", ...args], said(words))).split("\n")[0] ?? "").session;
    const id = await chat(two.ada, two.onAda, [], "make the form work");
    await two.toBen();
    await chat(two.ben, two.onBen, ["--session", id], "and its tests");
    await two.toAda();
    expect(await briefOf(two.asBen)).toMatchObject({
      "Where the work stands": expect.stringContaining("and its tests"),
    });
    expect(Object.keys(await briefOf(two.asAda))).toEqual(["First session"]);
    await chat(two.ada, two.onAda, ["--session", id], "and its docs");
    expect(await briefOf(two.asAda)).toMatchObject({
      "Where the work stands": expect.stringContaining("and its docs"),
    });
  });
});

describe("going on with a session of another machine", () => {
  it("is written for the client, or a new one with the brief, in one's own clone", async () => {
    await using two = await openTwoClones();
    await two.ada.record(two.onAda, "hers", telling(100, "her"));
    await two.toBen();
    const resumed = await two.ben.call(two.onBen, ["resume", "latest", "--print"]);
    expect([resumed.code, resumed.out.replace(/[0-9a-f-]{36}/, "<new>"), resumed.err]).toEqual([
      0,
      `cd ${await realpath(two.onBen)} && claude --resume=<new>\n`,
      expect.stringContaining("Kept: 1 prompt, 2 calls, 2 results."),
    ]);
    // Her folder is there as well, as it would be where both call it the same.
    const command = await two.asBen("resume", "hers", "--brief", "--print");
    expect(command.split(" && ")[0]).toBe(`cd ${await realpath(two.onBen)}`);
  });
});

describe("carryon status", () => {
  it("calls no session of another machine live, and says how to go on from it", async () => {
    await using two = await openTwoClones();
    await two.ada.record(two.onAda, "hers", [asked(60, "make the form work")]);
    await two.toBen();
    expect(await two.asAda("status")).toMatch(/^Open work:.*carryon resume hers$.*^Live +1 session: hers$/ms);
    const status = await two.asBen("status");
    expect(status).not.toMatch(/^Live/m);
    expect(status).toMatch(/carryon resume latest +go on with it, on this machine, in Claude Code/);
  });
});

describe("what stopped the work", () => {
  it("on another machine is told with its name, and does not stop the work here", async () => {
    await using two = await openTwoClones();
    await two.ada.record(two.onAda, "hers", telling(100, "her"));
    await two.asAda("save", "-m", "The form", "--no-commit");
    await two.toBen();
    await two.ben.record(two.onBen, "his", [asked(60, "explain"), ...listed(50, "his task")]);
    await two.ben.trust(two.onBen);
    const brief = await briefOf(two.asBen);
    expect(brief).toMatchObject({
      'Blocker on "ada-laptop"': expect.stringMatching(/^test_failure \(\w+\): .*npm test/),
      "Saved work": expect.stringMatching(
        /^Worked on: The form\nDone: 0\/1 tasks.*`carryon load --restore` takes it, and/s,
      ),
      "Where the work stands": expect.stringContaining("Open: his task"),
    });
    expect(brief.Blocker).toBeUndefined();
  });

  it("is over when it passes here, wherever it was recorded and whoever went on with that session", async () => {
    await using two = await openTwoClones();
    await two.ada.record(two.onAda, "hers", telling(100, "her"));
    await two.asAda("save", "-m", "The form", "--no-commit");
    await two.toBen();
    await two.ben.trust(two.onBen);
    const [{ id }] = JSON.parse(await two.asBen("load", "--list", "--json")).checkpoints;
    await two.asBen("load", "--restore", id);
    expect(await briefOf(two.asBen)).toMatchObject({ Blocker: expect.stringContaining("test_failure") });
    await two.ben.record(two.onBen, "his", passed(10));
    expect((await briefOf(two.asBen)).Blocker).toBeUndefined();
  });
});

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { message, ran, text } from "../support/recorded-work.ts";
import { openWork } from "../support/work-project.ts";

/** Far enough from the next full hour that a slow test still tells the same age. */
const hoursAgo = (hours: number, minute = 0) =>
  new Date(Date.now() - hours * 3_600_000 - (30 - minute) * 60_000);

/** Work in a folder where two files are not committed. */
async function openChanged() {
  const work = await openWork();
  for (const name of ["a.ts", "b.ts"]) await writeFile(join(work.root, name), "1\n");
  return work;
}

const asked = (hours: number, words: string) => message(hoursAgo(hours), "user", text(words));
const edited = (hours: number, path: string) =>
  ran(hoursAgo(hours, 1), { name: "Edit", input: { file_path: path }, output: "Updated." });
const said = (hours: number, words: string) => message(hoursAgo(hours, 3), "assistant", text(words));

/** Work that edited a file, committed nothing and ended. */
const open = (hours: number, goal: string): readonly NewEntry[] => [
  asked(hours, goal),
  ...edited(hours, "a.ts"),
  said(hours, "It is in."),
];
const finished = (hours: number, goal: string): readonly NewEntry[] => [
  asked(hours, goal),
  ...edited(hours, "a.ts"),
  ...ran(hoursAgo(hours, 2), { input: { command: "git commit -am x" }, output: "[main 1111111] x\n" }),
  said(hours, "Done."),
];
const trivial = (hours: number): readonly NewEntry[] => [
  asked(hours, "what time is it?"),
  said(hours, "Noon."),
];

const leading = (stdout: string) => stdout.slice(0, stdout.indexOf("Project"));
const nextSteps = (stdout: string) => stdout.slice(stdout.indexOf("Next:"));

describe("carryon status", () => {
  it("leads with open work, which neither a trivial session nor finished work displaces", async () => {
    await using work = await openChanged();
    await work.record("11111111-2222-4333-8444-555555555555", open(30, "Move the shop to PostgreSQL"));
    await work.record("asking", [
      asked(5, "Add a discount to the basket"),
      ...edited(5, "b.ts"),
      said(5, "The price is there. Should it be rounded?"),
    ]);
    await work.record("fixed", finished(3, "Fix the typo"));
    await work.record("time", trivial(1));
    const { stdout } = await work.call(["status"]);
    expect(leading(stdout)).toBe(
      [
        "Open work:",
        "  Add a discount to the basket (waiting for the user, 5 hours ago)",
        "    The user has not answered yet: Should it be rounded?",
        "    carryon resume asking",
        "  Move the shop to PostgreSQL (not finished, 1 day ago)",
        "    Review the edited file and commit.",
        "    carryon resume 11111111",
        "  `carryon digest ID --done` takes work off this list.",
        "",
        "",
      ].join("\n"),
    );
    expect(nextSteps(stdout)).not.toContain("carryon resume");
    expect((await work.call([])).stdout).toBe(stdout);
  });

  it("calls a session the same in both lists of a page, and a title that was given goes first", async () => {
    await using work = await openChanged();
    await work.record(
      "one",
      open(6, "Move the whole shop with all of its baskets and invoices to PostgreSQL"),
    );
    await work.record("two", [asked(4, "go on"), ...edited(4, "b.ts"), said(4, "Nearly there.")]);
    await work.record("named", open(2, "Write the migration of the old orders"));
    await work.call(["rename", "named", "Old orders"]);
    const { stdout } = await work.call(["status"]);
    const names = leading(stdout).match(/(?<=^ {2})[A-Z].*(?= \()/gm);
    expect(names).toEqual([
      "Old orders",
      "Move the whole shop with all of its baskets and invoices to PostgreSQL",
    ]);
    const titles = stdout.match(/(?<=^(?:two|named) .*claude-code +\S+ +)[A-Z].*/gm);
    expect(titles).toEqual(names);
    expect((await work.call(["brief"])).stdout).toContain("- Move the whole shop");
  });

  it("lists in a brief the tasks of the work that goes on, and not those of other work", async () => {
    await using work = await openWork();
    const todos = [{ content: "Write the invoice", status: "pending" }];
    const listed = ran(hoursAgo(2), { name: "TodoWrite", input: { todos }, output: "ok" });
    await work.record("listed", [asked(3, "Print invoices"), ...listed, said(2, "Next is the invoice.")]);
    expect((await work.call(["brief"])).stdout.match(/.*Write the invoice/g)).toEqual([
      "  Go on with the task: Write the invoice",
      "  Tasks: Open: Write the invoice",
    ]);
    await work.record("stopped", [asked(5, "Move the shop to PostgreSQL")]);
    const { stdout } = await work.call(["brief"]);
    expect(stdout).toContain("- Print invoices (not finished");
    expect(stdout).not.toContain("Write the invoice");
  });

  it("shows open work that no client can go on with by the command that shows it", async () => {
    await using work = await openWork();
    await work.carryon.ask(["append"], [{ role: "user", text: "Count the lamps" }]);
    const { workstreams } = await work.json("status");
    const [{ session, command }] = workstreams;
    const id = session.slice(0, "session-20260101-000000-abcd".length);
    expect([workstreams.length, command]).toEqual([1, null]);
    const { stdout } = await work.call(["status"]);
    expect(leading(stdout)).toContain(`    carryon show ${id}\n`);
    const asMain = (await work.call(["brief"])).stdout;
    await work.record("newest", [asked(-1, "Move the shop to PostgreSQL")]);
    const asOther = (await work.call(["brief"])).stdout;
    expect([asMain, asOther].map((brief) => brief.match(/carryon \w+ session\S+/g))).toEqual([
      null,
      [`carryon show ${id}\`)`],
    ]);
  });

  it("takes work off when its files were committed by hand or given up", async () => {
    await using work = await openChanged();
    await work.record("prices", open(4, "Round the prices"));
    await work.record("names", [asked(3, "Sort the names"), ...edited(3, "b.ts"), said(3, "Sorted.")]);
    const openNow = async () =>
      (await work.json("status")).workstreams.map(({ session }: { session: string }) => session);
    expect(await openNow()).toEqual(["names", "prices"]);
    await work.git("add", "b.ts");
    await work.git("commit", "--quiet", "--message", "Sort");
    expect(await openNow()).toEqual(["prices"]);
    await work.call(["save", "-m", "The prices"]);
    expect(await work.git("log", "-1", "--format=%s")).toMatch(/^WIP: The prices/);
    expect(await openNow()).toContain("prices");
    await work.git("reset", "--quiet", "HEAD~1");
    await rm(join(work.root, "a.ts"));
    expect(await openNow()).toEqual([]);
  });

  it("has the open work in JSON", async () => {
    await using work = await openChanged();
    await work.record("one", open(4, "Move the shop to PostgreSQL"));
    await work.record("two", [asked(2, "go on"), ...edited(2, "b.ts"), said(2, "Nearly there.")]);
    const { workstreams, sessions } = await work.json("status");
    expect(workstreams).toEqual([
      {
        session: "two",
        sessions: ["one", "two"],
        goal: "Move the shop to PostgreSQL",
        status: "open",
        branch: sessions[0].branch,
        updatedAt: sessions[0].updatedAt,
        next: "Review the 2 edited files and commit.",
        command: "carryon resume two",
      },
    ]);
  });

  it("names five pieces of open work, the newest first, and not the session that asks", async () => {
    await using work = await openChanged();
    for (const hours of [7, 6, 5, 4, 3, 2, 1])
      await work.record(`work-${hours}`, open(hours, `Goal ${hours}`));
    const { stdout } = await work.call(["status", "--json"], { CLAUDE_CODE_SESSION_ID: "work-1" });
    const goals = JSON.parse(stdout).workstreams.map(({ goal }: { goal: string }) => goal);
    expect(goals).toEqual(["Goal 2", "Goal 3", "Goal 4", "Goal 5", "Goal 6"]);
  });

  it("cuts goals and steps to the width of the terminal", async () => {
    await using work = await openChanged();
    await work.record(
      "long",
      open(2, "Move the whole shop with all of its baskets and invoices to PostgreSQL"),
    );
    const { stdout } = await work.answer(["status"], {}, { columns: 60 });
    expect(leading(stdout).split("\n")[1]).toBe(
      "  Move the whole shop with all … (not finished, 2 hours ago)",
    );
  });

  it("looks as before where nothing is open, and does not offer the last commit as work", async () => {
    await using work = await openWork();
    await work.record("fixed", finished(3, "Fix the typo"));
    await work.git("commit", "--quiet", "--allow-empty", "--message", "Fix the typo");
    await work.call(["save"]);
    const { stdout } = await work.call(["status"]);
    expect(leading(stdout)).toBe("");
    expect(stdout.split("\n").filter((line) => /^Work|resume/.test(line))).toEqual([
      "Work     saved just now",
      "  carryon resume latest  go on with it, in Claude Code",
    ]);
  });

  it("reads no entry twice: digests are kept although it only reads", async () => {
    await using work = await openChanged();
    await work.record("one", open(4, "Move the shop to PostgreSQL"));
    await work.call(["status"]);
    await using store = await openStore(work.env.CARRYON_HOME);
    const { digests } = await store.digests.read([parseSessionId("one")]);
    expect(digests).toMatchObject([{ session: "one", seq: 4 }]);
  });
});

import { describe, expect, it } from "vitest";
import { readOwnIdentity } from "../../src/lib/process-identity.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { message, ran, text } from "../support/recorded-work.ts";
import { openWork, type Work } from "../support/work-project.ts";

const at = (minute: number) => new Date(Date.UTC(2025, 1, 3, 9, minute));
const finding = "The test fails because the basket rounds before the discount is taken off.";

/** A session with a request, a failed check, an edit and a finding; nothing is committed. */
const discount = (root: string): readonly NewEntry[] => [
  message(at(0), "user", text("Add a discount to the basket, only for members")),
  ...ran(at(1), { name: "Edit", input: { file_path: `${root}/src/basket.ts` }, output: "Updated." }),
  ...ran(at(2), {
    input: { command: "npm test" },
    output: "Exit code 1\n      Tests  1 failed | 3 passed (4)\n",
    failed: true,
  }),
  message(at(3), "assistant", text(finding)),
  message(at(4), "assistant", text("I left it as it is for now.")),
];

async function openDiscount(): Promise<Work> {
  const work = await openWork();
  await work.record("discount", discount(work.root));
  return work;
}

interface Shown {
  readonly sections: readonly {
    readonly name: string;
    readonly lines: readonly { readonly number: number; readonly text: string }[];
  }[];
}

const numberOf = ({ sections }: Shown, name: string) =>
  sections.find((section) => section.name === name)?.lines[0]?.number;

describe("carryon digest", () => {
  it("shows the newest session, each line with its number and its entries", async () => {
    await using work = await openDiscount();
    expect(await work.call(["digest"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Add a discount to the basket, only for members
      discount · not finished · 2025-02-03

      Goal
        1  Add a discount to the basket, only for members #1

      State
        2  No commit was made in this session.
        3  At the end of the session: not committed: src/basket.ts

      Checks
        4  npm test → failed: Tests 1 failed | 3 passed (4) (not run again since) #5

      Last answer
        5  I left it as it is for now. #7

      Found out
        6  The test fails because the basket rounds before the discount is taken off. #6

      Files edited
        7  src/basket.ts #3
      ",
      }
    `);
  });

  it("has every line with its entries in JSON", async () => {
    await using work = await openDiscount();
    const { entries } = await work.json("show", "discount");
    const entry = (seq: number) => {
      const { id, at: time } = entries[seq - 1];
      return { id, seq, at: time };
    };
    const line = (number: number, words: string, ...seqs: readonly number[]) => ({
      ...{ number, text: words, entries: seqs.map(entry) },
    });
    const { session, ...digest } = await work.json("digest", "discount");
    expect(session).toEqual((await work.json("sessions")).sessions[0]);
    expect(digest).toEqual({
      goal: "Add a discount to the basket, only for members",
      status: "open",
      next: "Run `npm test` again: it failed and was not run since.",
      sections: [
        {
          name: "Goal",
          title: "Goal",
          lines: [line(1, "Add a discount to the basket, only for members", 1)],
        },
        {
          name: "State",
          title: "State",
          lines: [
            line(2, "No commit was made in this session."),
            line(3, "At the end of the session: not committed: src/basket.ts"),
          ],
        },
        {
          name: "Checks",
          title: "Checks",
          lines: [line(4, "npm test → failed: Tests 1 failed | 3 passed (4) (not run again since)", 5)],
        },
        { name: "Answer", title: "Last answer", lines: [line(5, "I left it as it is for now.", 7)] },
        { name: "Findings", title: "Found out", lines: [line(6, finding, 6)] },
        { name: "Edited", title: "Files edited", lines: [line(7, "src/basket.ts", 3)] },
      ],
    });
  });

  it("says what it does not know", async () => {
    await using work = await openWork();
    expect((await work.call(["digest"])).stderr).toContain("There is no store");
    await work.carryon.ask(["append"], [{ role: "user", text: "hello" }]);
    const { code, stderr } = await work.call(["digest", "nosuch"]);
    expect([code, stderr.split("\n")[0]]).toEqual([2, "carryon: There is no session nosuch in this store."]);
  });
});

describe("carryon digest --wrong", () => {
  it("leaves a line out of the digest and of the brief, by its number", async () => {
    await using work = await openDiscount();
    expect((await work.call(["brief"])).stdout).toContain(finding);
    const number = numberOf(await work.json("digest"), "Findings");
    expect(await work.call(["digest", "latest", "--wrong", String(number)])).toEqual({
      code: 0,
      stdout: "",
      stderr: `Marked as wrong in discount: ${finding}\n`,
    });
    const findings = (await work.json("digest")).sections.filter(
      ({ name }: { name: string }) => name === "Findings",
    );
    expect(findings).toEqual([]);
    expect((await work.call(["brief"])).stdout).not.toContain(finding);
    const { sessions } = await work.json("sessions");
    expect(sessions).toMatchObject([{ entries: 8, title: "Add a discount to the basket, only for members" }]);
  });

  it("is taken back by --right, by the number or a part of a line that stands at the end", async () => {
    await using work = await openDiscount();
    const before = await work.json("digest");
    for (const line of [finding, "npm test"]) await work.call(["digest", "--wrong", line]);
    const { sections } = (await work.json("digest")) as Shown;
    const [failed, found] = sections.at(-1)?.lines ?? [];
    expect([sections.at(-1)?.name, failed?.text, found?.text]).toEqual([
      "Wrong",
      expect.stringContaining("npm test → failed"),
      finding,
    ]);
    expect((await work.call(["brief"])).stdout).not.toContain("Marked as wrong");
    expect(await work.call(["digest", "--right", String(found?.number)])).toEqual({
      ...{ code: 0, stdout: "", stderr: `No longer marked as wrong in discount: ${finding}\n` },
    });
    expect(await work.json("digest", "--right", "NPM test")).toEqual({
      ...{ session: "discount", right: failed?.text },
    });
    const { session: _before, ...facts } = before;
    expect(await work.json("digest")).toMatchObject(facts);
    expect((await work.call(["brief"])).stdout).toContain(finding);
    const again = await work.call(["digest", "--json", "--right", finding]);
    expect(JSON.parse(again.stderr).error.code).toBe("line-not-found");
  });

  it("takes the only line that has a text, and brings no next step from it", async () => {
    await using work = await openDiscount();
    expect((await work.json("digest")).next).toContain("npm test");
    expect(await work.json("digest", "--wrong", "NPM test")).toEqual({
      session: "discount",
      wrong: expect.stringContaining("npm test → failed"),
    });
    const digest = await work.json("digest");
    expect([digest.next, numberOf(digest, "Checks")]).toEqual([
      "Review the edited file and commit.",
      undefined,
    ]);
    expect((await work.call(["brief"])).stdout).not.toContain("npm test →");
  });

  it("counts in a session that the marked one is merged into", async () => {
    await using work = await openDiscount();
    await work.call(["digest", "--wrong", finding]);
    await work.record("other", [message(at(9), "user", text("Round the prices of the invoice"))]);
    expect((await work.call(["merge", "other", "discount"])).code).toBe(0);
    const { sections } = (await work.json("digest", "other")) as Shown;
    const shown = sections.filter(({ name }) => name !== "Wrong");
    const lines = shown.flatMap((section) => section.lines.map((line) => line.text));
    const having = (words: string) => lines.filter((line) => line.includes(words)).length;
    expect([having("I left it as it is for now."), having(finding)]).toEqual([1, 0]);
  });

  it.each([
    { line: "99", code: "line-not-found" },
    { line: "no such words", code: "line-not-found" },
    { line: "basket", code: "ambiguous-line" },
  ])("refuses $line as $code", async ({ line, code }) => {
    await using work = await openDiscount();
    const answer = await work.call(["digest", "--json", "--wrong", line]);
    expect([answer.code, JSON.parse(answer.stderr).error.code]).toEqual([2, code]);
    expect(await work.json("sessions")).toMatchObject({ sessions: [{ entries: 7 }] });
  });

  it("marks a line of a session that a client holds", async () => {
    await using work = await openDiscount();
    await using here = await openProject({ cwd: work.root, home: work.env.CARRYON_HOME }, "write");
    const id = parseSessionId("discount");
    const holder = { process: await readOwnIdentity(), program: "a client", since: new Date() };
    const lease = await here.store.leases.acquire(id, { holder, forMs: 60_000 });
    expect((await work.call(["digest", "--wrong", "npm test"])).code).toBe(0);
    await here.store.log.append(lease, [message(at(5), "user", text("go on"))]);
    expect(numberOf(await work.json("digest"), "Checks")).toBeUndefined();
  });
});

describe("carryon digest --done", () => {
  const openSessions = async (work: Work) =>
    (await work.json("status")).workstreams.map(({ session }: { readonly session: string }) => session);

  it("takes the work off the lists of open work until something new is asked in it", async () => {
    await using work = await openDiscount();
    await work.record("invoice", [message(at(20), "user", text("Round the prices of the invoice"))]);
    expect(await openSessions(work)).toEqual(["invoice", "discount"]);
    expect(await work.call(["digest", "invoice", "--done"])).toEqual({
      ...{ code: 0, stdout: "" },
      stderr: "Done until something new is asked in invoice: Round the prices of the invoice\n",
    });
    expect(await openSessions(work)).toEqual(["discount"]);
    const { status, next, sections } = await work.json("digest", "invoice");
    expect([status, next, sections[0].name]).toEqual(["done", null, "Goal"]);
    const brief = (await work.call(["brief"])).stdout;
    expect(brief).toContain("Session discount: not finished.");
    expect(brief).not.toContain("Round the prices");
    await using here = await openProject({ cwd: work.root, home: work.env.CARRYON_HOME }, "write");
    const { sessions } = await here.store.log.list({ id: parseSessionId("invoice") });
    expect(sessions).toMatchObject([{ entries: 2, updatedAt: at(20) }]);
    const later = new Date(Date.now() + 1000);
    await here.store.log.append(parseSessionId("invoice"), [message(later, "user", text("And the tax"))]);
    expect(await openSessions(work)).toEqual(["invoice", "discount"]);
  });

  it("is undone by --reopen, which also opens work that looked done", async () => {
    await using work = await openDiscount();
    const [before, open] = [await work.json("digest"), await openSessions(work)];
    expect(await work.json("digest", "--done")).toEqual({ session: "discount", done: true });
    expect(await openSessions(work)).toEqual([]);
    expect(await work.json("digest", "--reopen")).toEqual({ session: "discount", reopen: true });
    const { session: _session, ...facts } = before;
    expect(await work.json("digest")).toMatchObject(facts);
    expect(await openSessions(work)).toEqual(open);

    const pushed = ran(at(31), { input: { command: "git push" }, output: "! [rejected] main -> main\n" });
    const done = [message(at(30), "user", text("Push it")), ...pushed];
    await work.record("push", [...done, message(at(32), "assistant", text("That is it."))]);
    expect((await work.json("digest", "push")).status).toBe("done");
    await work.call(["digest", "push", "--reopen"]);
    expect(await work.json("digest", "push")).toMatchObject({
      status: "open",
      next: "Ask the user what is left: the work was done and is called open again.",
    });
  });

  it("counts for the work of a branch in whichever of its sessions it was said, and comes along in a merge", async () => {
    await using work = await openDiscount();
    await work.record("more", [
      message(at(20), "user", text("go on")),
      message(at(21), "user", text("Why?")),
    ]);
    expect(await openSessions(work)).toEqual(["more"]);
    await work.call(["digest", "discount", "--done"]);
    expect(await openSessions(work)).toEqual([]);
    await work.record("target", [message(at(22), "user", text("Round the prices of the invoice"))]);
    expect(await openSessions(work)).toEqual(["target"]);
    expect((await work.call(["merge", "target", "discount"])).code).toBe(0);
    expect(await openSessions(work)).toEqual([]);
    expect((await work.call(["verify"])).code).toBe(0);
  });

  it("cannot be said together with a line or its opposite", async () => {
    await using work = await openDiscount();
    for (const other of [["--wrong", "1"], ["--right", "1"], ["--reopen"]])
      expect((await work.call(["digest", "--done", ...other])).code).toBe(2);
    expect((await work.json("sessions")).sessions).toMatchObject([{ entries: 7 }]);
  });
});

import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { emptySession } from "../../src/handover/session-doc.ts";
import { readRecordedWork } from "../../src/memory/recorded-work.ts";
import { makeEntryId, makeSessionId } from "../../src/sessions/ids.ts";
import { git } from "../support/git-repo.ts";
import { given, noon, openTestHandover } from "../support/project-handover.ts";

type Test = Awaited<ReturnType<typeof openTestHandover>>;

/** Commits a file of one line. */
async function commit(test: Test, file: string, subject: string): Promise<void> {
  await writeFile(test.join(file), `${subject}\n`);
  await git(test.root, "add", file);
  await git(test.root, "commit", "--quiet", "--message", subject);
}

/** Records that an agent ran a command, and returns the recorded work. */
async function recordCommand({ here }: Test, command: string, failed: boolean) {
  const { log } = here.store;
  const session = await log.open({
    id: makeSessionId(noon, command),
    ...{ project: here.project.id, client: "carryon-append", machine: "here", cwd: here.root },
    startedAt: noon,
  });
  const asked = { type: "text", text: "Test it" } as const;
  const call = { type: "tool-call", call: "1", name: "Bash", input: { command } } as const;
  const result = { type: "tool-result", call: "1", output: "Exit code 1", failed } as const;
  await log.append(session.id, [
    { id: makeEntryId(noon), at: noon, kind: "message", role: "user", parts: [asked] },
    { id: makeEntryId(noon), at: noon, kind: "message", role: "assistant", parts: [call] },
    { id: makeEntryId(noon), at: noon, kind: "message", role: "tool", parts: [result] },
  ]);
  return readRecordedWork({ ...here, log, clock: { now: () => noon } });
}

const summaries = async (test: Test) =>
  (await test.handover.decisions()).map(({ seq, type, summary, steeringRef }) =>
    [seq, type, summary, steeringRef].join(" "),
  );

describe("a handover", () => {
  // Seed 0: 2.1, 2.5, 2.6, 7.2
  it("archives what was there, writes the answers without a mode, and ends the session", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    await test.handover.draft({ done: ["/sdd-impl login"], goal: "Ship" });
    const drafted = await test.read();
    const { archive, decisions, end, problems, text } = await test.handover.polish({
      accomplished: ["Login works", "and is tested"],
      next: ["Review it", "Ship it"],
      decisions: [...given("Passkeys only"), { text: "as in D1" }],
      warnings: ["The keys expire on Friday"],
      tone: ["calm"],
      exceptions: given("No tests for the form"),
    });
    expect(archive).toBe(test.join(".claude/sdd/handover/sessions/2026-11-16.md"));
    expect(await readFile(archive ?? "", "utf8")).toBe(drafted);
    expect(await test.read()).toBe(text);
    expect(await test.doc()).toEqual({
      ...emptySession,
      ...{ generated: "2026-11-16", branch: "main", goal: "Ship" },
      nextAction: "1. Review it\n2. Ship it",
      added: "1. Passkeys only (D2)\n2. No tests for the form (D3)\n3. as in D1",
      warnings: "- The keys expire on Friday",
      tone: "calm",
      exceptions: "- No tests for the form: because (D3)",
      accomplished: "- Login works\n- and is tested",
      resume: "1. Read this file.\n2. Take the steps of the Immediate Next Action.",
    });
    expect({ seqs: decisions.map(({ seq }) => seq), end: end.seq, problems }).toEqual({
      ...{ seqs: [2, 3], end: 4, problems: [] },
    });
    expect(await summaries(test)).toEqual([
      "1 SESSION_START begin ",
      "2 USER_DECISION Passkeys only ",
      "3 STEERING_EXCEPTION No tests for the form unspecified",
      "4 SESSION_END Session handed over ",
    ]);
  });

  // Seed 0: 2.2, E.6
  it("carries forward what nobody answers, and counts archives by numbers", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({
      warnings: ["one"],
      tone: ["dry"],
      exceptions: given("x"),
      steeringRef: "tech.md",
    });
    const first = await test.doc();
    for (let round = 2; round <= 12; round += 1) await test.handover.polish({ warnings: [`${round}`] });
    expect(await test.doc()).toEqual({
      ...first,
      warnings: ["one", ...Array.from({ length: 11 }, (_, index) => index + 2)]
        .map((each) => `- ${each}`)
        .join("\n"),
    });
    const archives = await readdir(test.handover.paths.archive);
    expect(archives).toHaveLength(11);
    expect(archives).toEqual(
      expect.arrayContaining(["2026-11-16.md", "2026-11-16-2.md", "2026-11-16-11.md"]),
    );
    expect((await summaries(test))[0]).toBe("1 STEERING_EXCEPTION x tech.md");
  });

  it("empties what is answered with a word for nothing, and replaces where that comes first", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({
      warnings: ["one"],
      tone: ["dry"],
      accomplished: ["a"],
      exceptions: given("x"),
    });
    await test.handover.polish({
      warnings: ["none", "two"],
      tone: ["-"],
      accomplished: ["なし"],
      exceptions: given("None."),
    });
    const { warnings, tone, accomplished, exceptions } = await test.doc();
    expect({ warnings, tone, accomplished, exceptions }).toEqual({
      ...{ warnings: "- two", tone: "", accomplished: "", exceptions: "" },
    });
  });

  // Seed 0: 2.4
  it("tells the commits where nobody says what was done, and how the last tests ended", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    await commit(test, "a.ts", "Add a");
    await commit(test, "b.ts", "Add b");
    const work = await recordCommand(test, "npm test -- --run", true);
    const { summary } = await test.handover.polish({ work });
    const tests = { command: "npm test -- --run", outcome: "failed", at: noon };
    expect(summary).toEqual({
      ...{ branch: "main", commits: ["Add a", "Add b"], changedFiles: 2, specs: [], steering: [], tests },
    });
    const told = "- Last run of tests: `npm test -- --run` failed (2026-11-16T12:00:00+00:00)";
    expect((await test.doc()).accomplished).toBe(`- Add a\n- Add b\n${told}`);
    await test.handover.polish({ work, accomplished: ["All of it"] });
    expect((await test.doc()).accomplished).toBe(`- All of it\n${told}`);
    await test.handover.polish({ work });
    expect((await test.doc()).accomplished).toBe(`- All of it\n${told}`);
  });

  // Seed 0: 2.4
  it("names specs and steering that changed", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    for (const folder of ["specs/login", "steering"])
      await mkdir(test.join(".claude/sdd/project", folder), { recursive: true });
    await writeFile(
      test.join(".claude/sdd/project/specs/login/spec.yaml"),
      "phase: initialized\nroadmap: {wave: 2}\n",
    );
    await writeFile(test.join(".claude/sdd/project/steering/tech.md"), "");
    const later = new Date(noon.getTime() + 5000);
    await utimes(test.join(".claude/sdd/project/steering/tech.md"), later, later);
    const { summary } = await test.handover.polish();
    expect(summary).toMatchObject({
      specs: [{ name: "login", phase: "initialized", wave: 2 }],
      steering: ["steering/tech.md changed and no STEERING_UPDATE says why."],
    });
    expect((await test.doc()).nextAction).toBe("/sdd-design login");
  });

  // Seed 0: E.2
  it("makes decisions.md, of which the end of the session is the first entry", async () => {
    await using test = await openTestHandover({ inGit: false });
    await test.handover.polish({ tone: ["calm"], goal: "Ship", next: ["Review it"] });
    expect(await readFile(test.handover.paths.decisions, "utf8")).toBe(
      [
        "[2026-11-16T12:00:00+00:00] D1: SESSION_END | Session handed over",
        ...["- Context: Ship", "- Decision: Next: Review it", "- Source: user", ""],
      ].join("\n"),
    );
  });

  // Seed 0: E.4, E.5
  it("does without git and specs", async () => {
    await using test = await openTestHandover({ inGit: false });
    const { archive, summary } = await test.handover.polish({ accomplished: ["x"] });
    expect({ archive, summary }).toEqual({
      archive: undefined,
      summary: { branch: undefined, commits: [], changedFiles: 0, specs: [], steering: [], tests: undefined },
    });
    expect(await test.doc()).toMatchObject({ branch: "", accomplished: "- x", modifiedFiles: "" });
  });

  it("says whether session.md is another one than before", async () => {
    await using test = await openTestHandover();
    expect((await test.handover.polish()).isChanged).toBe(true);
    expect((await test.handover.polish()).isChanged).toBe(false);
    await test.handover.draft({ done: ["a"] });
    const drafted = await test.read();
    expect((await test.handover.polish()).isChanged).toBe(true);
    expect(await test.read()).not.toBe(drafted);
    expect((await test.handover.polish({ tone: ["calm"] })).isChanged).toBe(true);
    expect((await test.handover.polish({ tone: ["calm"] })).isChanged).toBe(false);
  });

  it("writes down a decision that is explained, whatever number its text has", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({ decisions: given("Cookies") });
    const { decisions } = await test.handover.polish({
      decisions: [...given("D1: Passkeys only", "No SMS, unlike D1"), { text: "D1: Cookies" }],
    });
    expect(decisions.map(({ seq, summary, reason, impact }) => [seq, summary, reason, impact])).toEqual([
      [3, "Passkeys only", "because", "none"],
      [4, "No SMS, unlike D1", "because", "none"],
    ]);
    expect((await test.doc()).added).toBe(
      "1. Cookies (D1)\n2. Passkeys only (D3)\n3. No SMS, unlike D1 (D4)\n4. D1: Cookies",
    );
  });

  // Seed 0: 3.6
  it("writes a decision down once, however often it is said in a session", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({ decisions: given("Passkeys only", "Passkeys only") });
    await test.handover.polish({ decisions: given("Passkeys only"), exceptions: given("Passkeys only") });
    expect(await summaries(test)).toEqual([
      "1 USER_DECISION Passkeys only ",
      "2 SESSION_END Session handed over ",
      "3 STEERING_EXCEPTION Passkeys only unspecified",
      "4 SESSION_END Session handed over ",
    ]);
    expect((await test.doc()).added).toBe("1. Passkeys only (D1)\n2. Passkeys only (D3)");
  });

  // Seed 0: 3.6
  it("reports the numbers of decisions that there are not, those of a range and of an exception too", async () => {
    await using test = await openTestHandover();
    const { problems } = await test.handover.polish({
      decisions: [{ text: "see D7-D8" }],
      exceptions: [{ text: "see D9" }],
    });
    expect(problems).toEqual([
      { code: "unknown-decision", line: 18, message: "there is no decision D7" },
      { code: "unknown-decision", line: 18, message: "there is no decision D8" },
      { code: "unknown-decision", line: 28, message: "there is no decision D9" },
    ]);
  });

  it.each([
    {
      case: "the marks of a merge",
      code: "unfinished-merge",
      text: "# Session Handover\n<<<<<<< ours\n## Direction\n=======\n>>>>>>> theirs\n",
    },
    {
      case: "a fence that is left open",
      code: "left-open",
      text: "# Session Handover\n## Direction\n### Warnings\n```sh\n\n## Accomplished\n- one\n",
    },
  ])("refuses a document with $case, and writes nothing anywhere", async ({ code, text }) => {
    await using test = await openTestHandover();
    const polish = await test.handover.openPolish();
    const { length } = await test.history();
    await test.write(text);
    await expect(test.handover.polish({ decisions: given("x") })).rejects.toMatchObject({ code });
    await expect(polish.answer({ decisions: given("x") })).rejects.toMatchObject({ code });
    await expect(test.handover.draft({ done: ["two"] })).rejects.toMatchObject({ code });
    expect(await test.read()).toBe(text);
    expect(await readdir(test.handover.paths.folder)).not.toContain("sessions");
    expect(await test.handover.decisions()).toEqual([]);
    expect(await test.history()).toHaveLength(length);
  });

  it("is whole after each step, and lets others decide in between", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ done: ["a"], goal: "Ship" });
    const polish = await test.handover.openPolish();
    expect(await test.doc()).toMatchObject({ mode: "", goal: "Ship", accomplished: "- a" });
    await polish.answer({ tone: ["calm"] });
    await test.decide("USER_DECISION", "from elsewhere");
    await polish.answer({ decisions: given("mine") });
    expect(await test.doc()).toMatchObject({
      ...{ tone: "calm", accomplished: "- a", added: "1. from elsewhere (D1)\n2. mine (D2)" },
    });
    expect(await polish.finish()).toMatchObject({
      seq: 3,
      context: "Ship",
      decision: expect.stringContaining("Next: "),
    });
  });
});

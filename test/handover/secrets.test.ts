import { appendFile, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openProjectHandover } from "../../src/handover/project-handover.ts";
import { commitAll, put, trust } from "../support/brief-of.ts";
import { given, noon, openTestHandover } from "../support/project-handover.ts";

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const hidden = "[redacted:github-token]";
const said = "What looks like a secret was not written; [redacted:…] stands in its place.";

/** A project with its handover, and what is warned of. */
async function openWarned() {
  const test = await openTestHandover();
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const handover = await openProjectHandover({
    ...test.here,
    machine: "here",
    clock: { now: () => noon },
    warn,
  });
  return { ...test, handover, warnings };
}

const key = [
  "-----BEGIN RSA PRIVATE KEY-----",
  ...["MIIEpAIBAAKCAQEA7bq3", "x0Zt9vQm4LkR2sWc8yHn", "p5TfJd1oGa6uEi3BxVzK"].map((line) => line.repeat(3)),
  "-----END RSA PRIVATE KEY-----",
];

describe("a secret that is said for a document", () => {
  it("is in no field of a decision, and that is said once", async () => {
    await using test = await openWarned();
    const fields = { context: token, decision: token, reason: token, impact: token, source: token };
    await test.handover.decide({
      ...{ type: "STEERING_EXCEPTION", summary: `use ${token}`, ...fields, steeringRef: token },
    });
    const text = await readFile(test.handover.paths.decisions, "utf8");
    expect(text.split("\n")).toEqual([
      `[2026-11-16T12:00:00+00:00] D1: STEERING_EXCEPTION | use ${hidden}`,
      ...["Context", "Decision", "Reason", "Impact", "Source", "Steering-ref"].map(
        (label) => `- ${label}: ${hidden}`,
      ),
      "",
    ]);
    expect(test.warnings).toEqual([said]);
    expect((await test.handover.decisions())[0]?.seq).toBe(1);
  });

  it("is in no part of a draft", async () => {
    await using test = await openWarned();
    await test.handover.draft({
      done: [`set ${token}`],
      next: token,
      goal: token,
      activeGoals: `- ${token}`,
    });
    expect(await test.doc()).toMatchObject({
      ...{ accomplished: `- set ${hidden}`, nextAction: hidden, goal: hidden, activeGoals: `- ${hidden}` },
    });
    expect(await test.read()).not.toContain(token);
    expect(test.warnings).toEqual([said]);
    // Told again it says nothing new.
    expect(await test.handover.draft({ done: [`set ${token}`] })).toMatchObject({ isChanged: false });
  });

  it("is in no part of a session that is handed over, nor in what decisions.md says of it", async () => {
    await using test = await openWarned();
    const each = {
      accomplished: [token],
      next: [token],
      tone: [token],
      warnings: ["password=hunter2secret"],
    };
    await test.handover.polish({
      ...{ ...each, decisions: given(token), exceptions: given(token), goal: token, activeGoals: token },
      steeringRef: token,
    });
    expect(await test.doc()).toMatchObject({
      ...{ accomplished: `- ${hidden}`, nextAction: hidden, tone: hidden, goal: hidden, activeGoals: hidden },
      ...{ added: `1. ${hidden} (D1)\n2. ${hidden} (D2)`, exceptions: `- ${hidden}: because (D2)` },
      warnings: expect.stringMatching(/^- password=\[redacted:[a-z-]+\]$/),
    });
    const both = (await test.read()) + (await readFile(test.handover.paths.decisions, "utf8"));
    expect(both).not.toMatch(/ghp_|hunter2/);
    expect(test.warnings).toEqual([said]);
  });

  it("is not in an answer to a question, also where a key was pasted line by line", async () => {
    await using test = await openWarned();
    const polish = await test.handover.openPolish();
    await polish.answer({ tone: ["calm", ...key, "and kind"] });
    expect((await test.doc()).tone).toBe("calm\n[redacted:private-key]\nand kind");
    await polish.answer({ accomplished: ["password: none\nyet"] });
    expect(test.warnings).toEqual([said]);
  });

  it("is not in a note, which is taken once", async () => {
    await using test = await openWarned();
    const note = { tag: "PATTERN", text: `api: send ${token}`, source: `login ${token}, task 1` } as const;
    const { added } = await test.handover.note([note]);
    expect(added).toEqual([{ ...note, text: `api: send ${hidden}`, source: `login ${hidden}, task 1` }]);
    expect(await readFile(test.handover.paths.buffer, "utf8")).not.toContain(token);
    expect(test.warnings).toEqual([said]);
    expect(await test.handover.learn([note], noon)).toEqual([]);
    await test.handover.flush();
    expect(await test.handover.learn([note], noon)).toEqual([]);
    expect(test.warnings).toEqual([said]);
  });
});

describe("a secret that Carryon finds", () => {
  it("stays as it is where a person wrote it, and is not brought into another document", async () => {
    await using test = await openWarned();
    await trust(test);
    await test.handover.draft({ goal: "Ship" });
    const own = (await test.read())
      .replace("**Session Goal**: Ship", `**Session Goal**: Ship with ${token}`)
      .replace("### Warnings\nNone", `### Warnings\n- by hand ${token}`);
    await test.write(own);
    await test.decide("USER_DECISION", "first");
    const entry = `[2026-11-16T12:00:00Z] D2: USER_DECISION | by hand ${token}\n- Context: c\n- Decision: d\n`;
    await appendFile(test.handover.paths.decisions, `\n${entry}`);
    await test.handover.polish({ decisions: given("third") });
    const session = await test.read();
    expect(session).toContain(`**Session Goal**: Ship with ${token}\n`);
    expect(session).toContain(`- by hand ${token}\n`);
    expect((await test.doc()).added).toContain(`by hand ${hidden} (D2)`);
    const decisions = await test.handover.decisions();
    expect(decisions.map(({ seq, summary, context }) => [seq, summary, context])).toEqual([
      [1, "first", "c"],
      [2, `by hand ${token}`, "c"],
      [3, "third", `Ship with ${hidden}`],
      [4, "Session handed over", `Ship with ${hidden}`],
    ]);
    expect(test.warnings).toEqual([]);
  });

  it("is not brought over from a commit, nor from a spec", async () => {
    await using test = await openWarned();
    await trust(test);
    await test.decide("SESSION_START", "begin");
    await put(test, "a.txt", "a\n");
    await commitAll(test, `Use ${token}`);
    const spec = `phase: blocked\nblocked_info: {blocked_by: keys, reason: ${token}, blocked_at_phase: design}\n`;
    await put(test, ".claude/sdd/project/specs/login/spec.yaml", spec);
    await test.handover.polish();
    expect(await test.doc()).toMatchObject({
      accomplished: `- Use ${hidden}`,
      nextAction: `Resolve what blocks login: keys, ${hidden}`,
    });
    expect(await test.read()).not.toContain(token);
  });
});

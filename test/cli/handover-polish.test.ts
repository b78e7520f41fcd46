import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSession } from "../../src/handover/parse-session.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const path = "<folder>/work/.claude/sdd/handover/session.md";
const read = async (carryon: Carryon) =>
  parseSession(await readFile(path.replace("<folder>", carryon.folder), "utf8")).doc;

const decisionsOf = async (carryon: Carryon) => {
  const { decisions } = JSON.parse(await carryon.ask(["decisions", "--json"]));
  return decisions.map(({ type, summary, reason, impact }: Record<string, string>) => [
    ...[type, summary, reason, impact],
  ]);
};

describe("carryon handover", () => {
  // Seed 0: 2.7
  it("takes the answers of an agent, and says what was written", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--done", "/sdd-impl login"]);
    const answers = [
      ...["--accomplished", "Login works", "--next", "Review it", "--decision", "Passkeys only"],
      ...["--reason", "one way to sign in", "--impact", "no reset mails"],
      ...["--warnings", "beware", "--tone", "calm", "--exceptions", "no tests", "--steering-ref", "tech.md"],
      ...["--impact", "slower releases", "--reason", "gone on Friday"],
      ...["--goal", "Ship", "--goals", "- all"],
    ];
    const { code, stdout, stderr } = await carryon.call(["handover", ...answers]);
    expect({ code, stdout, stderr: stderr.replace(/\d{4}-\d\d-\d\d/, "<day>") }).toEqual({
      code: 0,
      stdout: `${path}\n`,
      stderr: `The one before it is <folder>/work/.claude/sdd/handover/sessions/<day>.md
D1: USER_DECISION | Passkeys only
D2: STEERING_EXCEPTION | no tests
Captured: goal, 1 done, next action, 2 decisions, 1 warning, tone, 1 exception.
D3 says that the session is over. \`carryon brief\` tells the next one.
`,
    });
    expect(await read(carryon)).toMatchObject({
      ...{ goal: "Ship", mode: "", nextAction: "Review it", activeGoals: "- all", warnings: "- beware" },
      ...{ tone: "calm", exceptions: "- no tests: gone on Friday (D2)", accomplished: "- Login works" },
      added: "1. Passkeys only (D1)\n2. no tests (D2)",
    });
    expect(await decisionsOf(carryon)).toEqual([
      ["USER_DECISION", "Passkeys only", "one way to sign in", "no reset mails"],
      ["STEERING_EXCEPTION", "no tests", "gone on Friday", "slower releases"],
      ["SESSION_END", "Session handed over", null, null],
    ]);
  });

  it("knows in which agent's session it runs, so that two at once are both told to the next one", async () => {
    await using carryon = await openCarryon();
    for (const id of ["one", "two"]) await carryon.ask(["brief", "--session", id]);
    for (const [id, name] of [
      ["one", "CARRYON_SESSION"],
      ["two", "CLAUDE_CODE_SESSION_ID"],
    ] as const)
      await carryon.call(["handover", "--no-ask", "--next", `mend ${id}`], { env: { [name]: id } });
    const { parts } = JSON.parse(await carryon.ask(["brief", "--json"]));
    const texts = new Map(parts.map(({ name, text }: { name: string; text: string }) => [name, text]));
    expect(texts.get("Next action")).toBe("mend two");
    expect(texts.get("Handover of session one")).toContain("\nNext action: mend one");
  });

  it("says what was not captured", async () => {
    await using carryon = await openCarryon();
    const { stderr } = await carryon.call(["handover"]);
    expect(
      stderr,
    ).toBe(`Captured: no goal, nothing done, no next action, no decisions, no warnings, no tone, no exceptions.
D1 says that the session is over. \`carryon brief\` tells the next one.
`);
  });

  it("carries forward in a pipe what is not given, and answers in JSON", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "--tone", "calm", "--no-ask"]);
    const answer = JSON.parse(await carryon.ask(["handover", "--decisions", "see D9", "--json"]));
    expect(answer).toEqual({
      path: join(carryon.folder, "work/.claude/sdd/handover/session.md"),
      archive: expect.stringMatching(/sessions\/[\d-]{10}\.md$/),
      changed: true,
      problems: [{ code: "unknown-decision", line: 17, message: "there is no decision D9" }],
      unlistedFiles: 0,
      decisions: [expect.objectContaining({ seq: 2, type: "SESSION_END" })],
      summary: { branch: null, commits: [], changedFiles: 0, specs: [], tests: null, steering: [] },
    });
    expect((await read(carryon)).tone).toBe("calm");
  });

  // Seed 0: 2.3
  it("takes a flag as often as it is given, and a word for nothing", async () => {
    await using carryon = await openCarryon();
    const twice = (flag: string) => [`--${flag}`, `${flag} one`, `--${flag}`, `${flag} two`];
    const flags = ["accomplished", "next", "decisions", "warnings", "tone", "exceptions"];
    const explained = flags.flatMap((flag) =>
      ["decisions", "exceptions"].includes(flag)
        ? [1, 2].flatMap((number) => {
            const [name = "", text = ""] = twice(flag).slice(number * 2 - 2);
            return [name, text, "--reason", `why ${number}`, "--impact", "none"];
          })
        : twice(flag),
    );
    await carryon.ask(["handover", ...explained]);
    expect(await read(carryon)).toMatchObject({
      accomplished: "- accomplished one\n- accomplished two",
      nextAction: "1. next one\n2. next two",
      added: "1. decisions one (D1)\n2. decisions two (D2)\n3. exceptions one (D3)\n4. exceptions two (D4)",
      warnings: "- warnings one\n- warnings two",
      tone: "tone one\ntone two",
      exceptions: "- exceptions one: why 1 (D3)\n- exceptions two: why 2 (D4)",
    });
    await carryon.ask(["handover", "--warnings", "none", "--tone", "なし", "--exceptions", "-"]);
    expect(await read(carryon)).toMatchObject({ warnings: "", tone: "", exceptions: "" });
  });

  it("lists files by their paths from the top of the project", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "--file", "./src/../a.ts", "--file", "b.ts"]);
    expect((await read(carryon)).modifiedFiles).toBe("- `a.ts`\n- `b.ts`");
  });

  // Seed 0: E.4
  it("needs no program git", async () => {
    await using carryon = await openCarryon();
    const env = { PATH: join(carryon.folder, "empty") };
    const { code, stdout, stderr } = await carryon.call(["handover", "--next", "Review it"], { env });
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stdout: `${path}\n` },
      stderr:
        "Captured: no goal, nothing done, next action, no decisions, no warnings, no tone, no exceptions.\nD1 says that the session is over. `carryon brief` tells the next one.\n",
    });
  });

  it.each([
    { args: ["--decision", "a"], says: '"a" has no --reason: give it behind its --decision.' },
    {
      args: ["--exceptions", "no tests"],
      says: '"no tests" has no --reason: give it behind its --exceptions.',
    },
    {
      args: ["--decision", "D1: b", "--reason", "c"],
      says: '"D1: b" has no --impact: give it behind its --decision.',
    },
  ])("names what $args lacks, and writes nothing", async ({ args, says }) => {
    await using carryon = await openCarryon();
    const first = ["--decision", "first", "--reason", "x", "--impact", "none"];
    const { code, stdout, stderr } = await carryon.call(["handover", ...first, ...args]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: `carryon: ${says}\n` });
    expect(await readdir(join(carryon.folder, "work"))).toEqual([]);
  });

  it.each([
    { args: ["draft", "--accomplished", "x"], says: "There is no --accomplished for a draft." },
    { args: ["draft", "--steering-ref", "x"], says: "There is no --steering-ref for a draft." },
    { args: ["draft", "--decision", "x"], says: "There is no --decision for a draft." },
    { args: ["--reason", "x"], says: "--reason stands behind the decision that it is for." },
    { args: ["--done", "x"], says: "There is no --done without draft." },
    { args: ["--command", "impl"], says: "There is no --command without draft." },
    { args: ["draft", "--history"], says: "`draft` and `--history` do not go together." },
  ])("refuses $args, and writes nothing", async ({ args, says }) => {
    await using carryon = await openCarryon();
    const { code, stdout, stderr } = await carryon.call(["handover", ...args]);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: `carryon: ${says}\n  See \`carryon handover --help\`.\n`,
    });
  });
});

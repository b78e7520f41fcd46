import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { Interrupted } from "../../src/cli/interrupted.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { parseSession } from "../../src/handover/parse-session.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

const path = "<folder>/work/.claude/sdd/handover/session.md";
const read = async (carryon: Carryon) =>
  parseSession(await readFile(path.replace("<folder>", carryon.folder), "utf8")).doc;

/** Runs the command on a terminal where a person gives answers in their order; the rest is left as it stands. */
async function converse(
  carryon: Carryon,
  args: readonly string[],
  answers: readonly (string | Error | undefined)[],
) {
  const asked: { message: string; initial: string }[] = [];
  const widths: number[] = [];
  const context = testContext(join(carryon.folder, "work"), {
    env: { CARRYON_HOME: join(carryon.folder, "home") },
    isTerminal: { input: true, output: true, error: true },
    askText: async ({ message, initial }) => {
      const answer = asked.length < answers.length ? answers[asked.length] : initial;
      widths.push(stringWidth(message));
      asked.push({ message: message.replace(/ \(.*/, ""), initial });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const code = await runCli(["handover", ...args], context);
  return { code, asked, widths, ...context.said };
}

describe("carryon handover", () => {
  it("takes the answers of an agent, and says what was written", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--done", "/sdd-impl login"]);
    const answers = [
      ...["--accomplished", "Login works", "--next", "Review it", "--decisions", "Passkeys only"],
      ...["--warnings", "beware", "--tone", "calm", "--exceptions", "no tests", "--steering-ref", "tech.md"],
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
      ...{ tone: "calm", exceptions: "- no tests (D2)", accomplished: "- Login works" },
      added: "1. Passkeys only (D1)\n2. no tests (D2)",
    });
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

  it("asks on a terminal with what is known to be changed, and only for what was not given", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--done", "a", "--done", "b", "--goal", "Ship"]);
    const { code, asked, out, err } = await converse(
      carryon,
      ["--tone", "calm"],
      ["Ship it", "a\nb\nand c", "Review", "Passkeys only\nNo SMS", "beware"],
    );
    expect(asked).toEqual([
      { message: "What is the goal of this session?", initial: "Ship" },
      { message: "What was done?", initial: "a\nb" },
      { message: "What is next?", initial: "" },
      { message: "Which decisions are not written down yet?", initial: "" },
      { message: "What must the next session beware of?", initial: "" },
      { message: "Which exceptions to steering are new?", initial: "" },
    ]);
    expect(err).toContain(
      "\nCaptured: goal, 3 done, next action, 2 decisions, 1 warning, tone, no exceptions.\n",
    );
    expect([code, out]).toEqual([0, `${join(carryon.folder, "work/.claude/sdd/handover/session.md")}\n`]);
    expect(await read(carryon)).toMatchObject({
      ...{ goal: "Ship it", mode: "", nextAction: "Review", accomplished: "- a\n- b\n- and c", tone: "calm" },
      ...{ warnings: "- beware", added: "1. Passkeys only (D1)\n2. No SMS (D2)" },
    });
    const again = await converse(carryon, [], ["Ship it", "", "Review", "", "beware more\nand more"]);
    expect(again.asked[4]).toEqual({ message: "What must the next session beware of?", initial: "beware" });
    expect(await read(carryon)).toMatchObject({
      ...{ accomplished: "", warnings: "- beware more\n- and more", tone: "calm", nextAction: "Review" },
    });
  });

  it("takes a flag as often as it is given, and a word for nothing", async () => {
    await using carryon = await openCarryon();
    const twice = (flag: string) => [`--${flag}`, `${flag} one`, `--${flag}`, `${flag} two`];
    const flags = ["accomplished", "next", "decisions", "warnings", "tone", "exceptions"];
    await carryon.ask(["handover", ...flags.flatMap(twice)]);
    expect(await read(carryon)).toMatchObject({
      accomplished: "- accomplished one\n- accomplished two",
      nextAction: "1. next one\n2. next two",
      added: "1. decisions one (D1)\n2. decisions two (D2)\n3. exceptions one (D3)\n4. exceptions two (D4)",
      warnings: "- warnings one\n- warnings two",
      tone: "tone one\ntone two",
      exceptions: "- exceptions one (D3)\n- exceptions two (D4)",
    });
    await carryon.ask(["handover", "--warnings", "none", "--tone", "なし", "--exceptions", "-"]);
    expect(await read(carryon)).toMatchObject({ warnings: "", tone: "", exceptions: "" });
  });

  it("archives what was there and writes what is known before it asks anything", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--done", "a"]);
    const folder = join(carryon.folder, "work/.claude/sdd/handover");
    const drafted = await readFile(join(folder, "session.md"), "utf8");
    let seen: readonly string[] = [];
    const context = testContext(join(carryon.folder, "work"), {
      env: { CARRYON_HOME: join(carryon.folder, "home") },
      isTerminal: { input: true, output: true, error: true },
      askText: async () => {
        const [archive = ""] = await readdir(join(folder, "sessions"));
        seen = [
          await readFile(join(folder, "sessions", archive), "utf8"),
          await readFile(join(folder, "session.md"), "utf8"),
        ];
        return undefined;
      },
    });
    expect(await runCli(["handover"], context)).toBe(130);
    expect(seen).toEqual([drafted, drafted.replace("**Mode**: auto-draft\n", "")]);
  });

  it("lists files by their paths from the top of the project", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "--file", "./src/../a.ts", "--file", "b.ts"]);
    expect((await read(carryon)).modifiedFiles).toBe("- `a.ts`\n- `b.ts`");
  });

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

  it("takes the markers off the items of an answer, and keeps them as they are the next time", async () => {
    await using carryon = await openCarryon();
    const answers = [
      ...["1. Ship", "- a\n* b\n1. c\n  2) d\n-e", "1. first\n2. then", "* Passkeys only"],
      ...["1. beware", "- calm\n- brisk", "- no tests"],
    ];
    await converse(carryon, [], answers);
    const written = {
      ...{ goal: "1. Ship", accomplished: "- a\n- b\n- c\n- d\n- -e", nextAction: "1. first\n2. then" },
      ...{
        added: "1. Passkeys only (D1)\n2. no tests (D2)",
        warnings: "- beware",
        exceptions: "- no tests (D2)",
      },
      tone: "- calm\n- brisk",
    };
    expect(await read(carryon)).toMatchObject(written);
    await converse(carryon, [], []);
    expect(await read(carryon)).toMatchObject(written);
  });

  it("asks in lines that a terminal of 80 columns shows whole beside the gutter", async () => {
    await using carryon = await openCarryon();
    const { widths } = await converse(carryon, [], []);
    expect(widths.map((width) => width <= 73)).toEqual(Array(7).fill(true));
  });

  it.each([0, 1, 2, 3, 4, 5, 6])(
    "keeps what was answered before question %i is interrupted or left",
    async (at) => {
      await using carryon = await openCarryon();
      const given = ["Ship it", "all of it", "Review", "Passkeys only", "beware", "calm"].slice(0, at);
      const stopped = expect.stringContaining("Stopped. All that you answered is in ");
      const interrupted = await converse(carryon, [], [...given, new Interrupted("SIGINT")]);
      expect([interrupted.code, interrupted.err]).toEqual([130, stopped]);
      const left = await converse(carryon, [], [...given, undefined]);
      expect([left.code, left.out, left.err]).toEqual([130, "", stopped]);
      const { goal, accomplished, nextAction, added, warnings, tone, mode } = await read(carryon);
      const kept = ["Ship it", "- all of it", "Review", "1. Passkeys only (D1)", "- beware", "calm"];
      const before = ["", "", "Wait for the user's instruction.", "", "", ""];
      expect([goal, accomplished, nextAction, added, warnings, tone, mode]).toEqual([
        ...[...kept.slice(0, at), ...before.slice(at)],
        "",
      ]);
      const { decisions } = JSON.parse(await carryon.ask(["decisions", "--json"]));
      const types = decisions.map(({ type }: { type: string }) => type);
      expect(types).toEqual(at > 3 ? ["USER_DECISION"] : []);
    },
  );

  it.each([
    { args: ["draft", "--accomplished", "x"], says: "There is no --accomplished for a draft." },
    { args: ["draft", "--steering-ref", "x"], says: "There is no --steering-ref for a draft." },
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

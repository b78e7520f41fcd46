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

const decisionsOf = async (carryon: Carryon) => {
  const { decisions } = JSON.parse(await carryon.ask(["decisions", "--json"]));
  return decisions.map(({ type, summary, reason, impact }: Record<string, string>) => [
    ...[type, summary, reason, impact],
  ]);
};

const steeringRefs = async (carryon: Carryon) => {
  const { decisions } = JSON.parse(await carryon.ask(["decisions", "--json"]));
  return decisions.flatMap(({ type, steering_ref }: Record<string, string>) =>
    type === "STEERING_EXCEPTION" ? [steering_ref] : [],
  );
};

describe("carryon handover on a terminal", () => {
  // Seed 0: 2.3
  it("asks on a terminal with what is known to be changed, and only for what was not given", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--done", "a", "--done", "b", "--goal", "Ship"]);
    const { code, asked, out, err } = await converse(
      carryon,
      ["--tone", "calm"],
      [
        ...["Ship it", "- [x] login\nsearch", "a\nb\nand c", "Review"],
        ...["Passkeys only\nNo SMS\nsee D1", "one way to sign in", "", "", "no mails", "beware"],
      ],
    );
    expect(asked).toEqual([
      { message: "What is the goal of this session?", initial: "Ship" },
      { message: "Which goals are active?", initial: "" },
      { message: "What was done?", initial: "a\nb" },
      { message: "What is next?", initial: "" },
      { message: "Which decisions are not written down yet?", initial: "" },
      ...["Passkeys only", "No SMS"].flatMap((text) => [
        { message: `Why "${text}"?`, initial: "" },
        { message: `What follows from "${text}"?`, initial: "" },
      ]),
      { message: "What must the next session beware of?", initial: "" },
      { message: "Which exceptions to steering are new?", initial: "" },
    ]);
    expect(err).toContain(
      "\nCaptured: goal, 3 done, next action, 3 decisions, 1 warning, tone, no exceptions.\n",
    );
    expect([code, out]).toEqual([0, `${join(carryon.folder, "work/.claude/sdd/handover/session.md")}\n`]);
    expect(await read(carryon)).toMatchObject({
      ...{ goal: "Ship it", mode: "", nextAction: "Review", accomplished: "- a\n- b\n- and c", tone: "calm" },
      ...{ warnings: "- beware", added: "1. Passkeys only (D1)\n2. No SMS (D2)\n3. see D1" },
      activeGoals: "- [x] login\n- search",
    });
    expect((await decisionsOf(carryon)).slice(0, 2)).toEqual([
      ["USER_DECISION", "Passkeys only", "one way to sign in", "none"],
      ["USER_DECISION", "No SMS", "none", "no mails"],
    ]);
    const again = await converse(
      carryon,
      [],
      ["Ship it", "[x] login\nsearch", "", "Review", "", "beware more\nand more"],
    );
    expect(again.asked[1]).toEqual({ message: "Which goals are active?", initial: "[x] login\nsearch" });
    expect(again.asked[5]).toEqual({ message: "What must the next session beware of?", initial: "beware" });
    expect(await read(carryon)).toMatchObject({
      ...{ accomplished: "", warnings: "- beware more\n- and more", tone: "calm", nextAction: "Review" },
      activeGoals: "- [x] login\n- search",
    });
  });

  it("asks for the reasons that flags leave out, and writes none of its own", async () => {
    await using carryon = await openCarryon();
    const flags = ["--decision", "Passkeys only", "--impact", "no mails", "--exceptions", "no tests"];
    const { asked } = await converse(carryon, flags, [
      "one way to sign in",
      "gone on Friday",
      "slower",
      "tech.md",
    ]);
    expect(asked.slice(0, 4).map(({ message }) => message)).toEqual([
      'Why "Passkeys only"?',
      'Why "no tests"?',
      'What follows from "no tests"?',
      "Which steering document do they depart from?",
    ]);
    expect((await decisionsOf(carryon)).slice(0, 2)).toEqual([
      ["USER_DECISION", "Passkeys only", "one way to sign in", "no mails"],
      ["STEERING_EXCEPTION", "no tests", "gone on Friday", "slower"],
    ]);
    expect(await steeringRefs(carryon)).toEqual(["tech.md"]);
  });

  it.each([
    { args: [], answers: ["gone on Friday", "slower", "tech.md"], asks: true, ref: "tech.md" },
    { args: [], answers: ["gone on Friday", "slower", ""], asks: true, ref: "none" },
    { args: ["--steering-ref", "api.md"], answers: ["gone on Friday", "slower"], asks: false, ref: "api.md" },
  ])(
    "asks what a new exception departs from, unless it was given: $ref",
    async ({ args, answers, asks, ref }) => {
      await using carryon = await openCarryon();
      const { asked } = await converse(carryon, args, [...Array(7).fill(""), "no tests", ...answers]);
      const last = asks ? "Which steering document do they depart from?" : 'What follows from "no tests"?';
      expect(asked.at(-1)?.message).toBe(last);
      expect(await steeringRefs(carryon)).toEqual([ref]);
    },
  );

  // Seed 0: 2.1
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

  it("takes the markers off the items of an answer, and keeps them as they are the next time", async () => {
    await using carryon = await openCarryon();
    const answers = [
      ...["1. Ship", "* all", "- a\n* b\n1. c\n  2) d\n-e", "1. first\n2. then", "* Passkeys only", "", ""],
      ...["1. beware", "- calm\n- brisk", "- no tests", "", ""],
    ];
    await converse(carryon, [], answers);
    const written = {
      activeGoals: "- all",
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
    const long = ["", "", "", "", "Passkeys only, whatever any browser says"];
    const { widths } = await converse(carryon, [], long);
    expect(widths.map((width) => width <= 73)).toEqual(Array(10).fill(true));
  });

  // Seed 0: 2.3
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "keeps what was answered before question %i is interrupted or left",
    async (at) => {
      await using carryon = await openCarryon();
      const all = [
        "Ship it",
        "login",
        "all of it",
        "Review",
        "Passkeys only",
        "simple",
        "",
        "beware",
        "calm",
      ];
      const given = all.slice(0, at);
      const stopped = expect.stringContaining(
        at === 0
          ? "Stopped. Nothing was answered; `carryon handover` asks again.\n"
          : "Stopped. All that you answered is in ",
      );
      const interrupted = await converse(carryon, [], [...given, new Interrupted("SIGINT")]);
      expect([interrupted.code, interrupted.err]).toEqual([130, stopped]);
      const left = await converse(carryon, [], [...given, undefined]);
      expect([left.code, left.out, left.err]).toEqual([130, "", stopped]);
      const { goal, activeGoals, accomplished, nextAction, added, warnings, tone, mode } =
        await read(carryon);
      const kept = [
        "Ship it",
        "- login",
        "- all of it",
        "Review",
        "1. Passkeys only (D1)",
        "- beware",
        "calm",
      ];
      const before = ["", "", "", "Wait for the user's instruction.", "", "", ""];
      // A decision counts once it is known why it was made, and what follows.
      const count = at < 5 ? at : Math.max(4, at - 2);
      expect([goal, activeGoals, accomplished, nextAction, added, warnings, tone, mode]).toEqual([
        ...[...kept.slice(0, count), ...before.slice(count)],
        "",
      ]);
      const { decisions } = JSON.parse(await carryon.ask(["decisions", "--json"]));
      const types = decisions.map(({ type }: { type: string }) => type);
      expect(types).toEqual(at > 6 ? ["USER_DECISION"] : []);
    },
  );
});

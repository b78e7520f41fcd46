import { describe, expect, it } from "vitest";
import { readTexts } from "../../support/gate-texts.ts";

const problemsOf = (text: string) =>
  readTexts({ project: text }).problems.map(({ line, problem, hint }) => [line, problem, hint]);

describe("a configuration", () => {
  it("without files has no gates, and what holds for gates that come", () => {
    expect(readTexts({})).toEqual({
      config: {
        enabled: true,
        gates: [],
        injectContext: true,
        carryOver: { enabled: true, windowSeconds: 300, sources: ["clear", "compact"] },
        verifyAtStop: { enabled: true, scopes: ["session", "branch", "single_use", "permanent"] },
        shellWrites: "check",
        clearAtEnd: false,
      },
      problems: [],
      notes: [],
    });
  });

  it("sets what holds for all gates", () => {
    const text = `
      enabled: false
      hooks:
        shell_writes: block
        session_start:
          inject_context: false
          carry_over: {enabled: false, window_seconds: 5m, sources: [startup, clear]}
        stop: {verify_requirements: false, verify_scopes: session}
        session_end: {clear_session_state: true}`;
    expect(readTexts({ project: text })).toEqual({
      config: {
        enabled: false,
        gates: [],
        injectContext: false,
        carryOver: { enabled: false, windowSeconds: 300, sources: ["startup", "clear"] },
        verifyAtStop: { enabled: false, scopes: ["session"] },
        shellWrites: "block",
        clearAtEnd: true,
      },
      problems: [],
      notes: [],
    });
  });

  it("counts a setting that is not valid as not set, and says so", () => {
    const text = [
      "enabled: 'yes'",
      "inherit: 3",
      "hooks:",
      "  shell_writes: blok",
      "  session_start: 5",
      "  stop:",
      "    verify_scopes: [session, brunch]",
      "    verify_requirements: maybe",
    ].join("\n");
    expect(readTexts({ project: text }).config).toEqual(readTexts({}).config);
    expect(problemsOf(text)).toEqual([
      [
        2,
        "A setting counts as not set: inherit must be true or false, not the number 3; true counts instead.",
        "Write true or false, without quotes.",
      ],
      [
        1,
        "A setting counts as not set: enabled must be true or false, not the text yes; true counts instead.",
        "Write true or false, without quotes.",
      ],
      [
        5,
        "A setting counts as not set: session_start must be a map, not the number 5; what is usual counts instead.",
        "Put its settings below it, each indented and with a colon.",
      ],
      [
        8,
        "A setting counts as not set: verify_requirements must be true or false, not the text maybe; true counts instead.",
        "Write true or false, without quotes.",
      ],
      [
        7,
        "A setting counts as not set: verify_scopes cannot be the text brunch; session, branch, single_use, permanent count instead.",
        "Did you mean branch?",
      ],
      [
        4,
        "A setting counts as not set: shell_writes cannot be the text blok; check counts instead.",
        "Did you mean block?",
      ],
    ]);
  });

  it("says what was meant by a setting that there is not, and reads the rest", () => {
    const text = [
      "requirment: 1",
      "requirements:",
      "  a: {enabled: true, scop: branch, trigger_tools: [Edit, {tool: Bash, comand_pattern: x}]}",
      "  b: {enabled: true, type: dynamic, thresholds: {blok: 1, warn: 2}}",
      "hooks: {stopp: 1, stop: {verify: true}, session_start: {carry_over: {qqq: 1}}}",
    ].join("\n");
    expect(readTexts({ project: text }).config.gates.map(({ name, enabled }) => [name, enabled])).toEqual([
      ["a", true],
      ["b", true],
    ]);
    expect(problemsOf(text)).toEqual([
      [
        1,
        "There is no setting requirment in the configuration; it is left out.",
        "Did you mean requirements?",
      ],
      [3, "There is no setting scop in the requirement a; it is left out.", "Did you mean scope?"],
      [
        3,
        "A trigger of the requirement a is left out: it has a setting comand_pattern that there is not.",
        "Did you mean command_pattern?",
      ],
      [
        4,
        "There is no setting blok in thresholds of the requirement b; it is left out.",
        "Did you mean block?",
      ],
      [5, "There is no setting stopp in hooks; it is left out.", "Did you mean stop?"],
      [
        5,
        "There is no setting qqq in hooks.session_start.carry_over; it is left out.",
        "There are: enabled, window_seconds, sources.",
      ],
      [5, "There is no setting verify in hooks.stop; it is left out.", "Did you mean verify_scopes?"],
    ]);
  });

  it("lists a hundred problems and says that there are more", () => {
    const text = `requirements:\n${Array.from({ length: 3000 }, (_, index) => `  r${index}: {scope: x}\n`).join("")}`;
    const { problems } = readTexts({ project: text });
    expect([problems.length, problems.at(-1)?.problem]).toEqual([
      101,
      "There are more than 100 problems; the others are not listed.",
    ]);
  });
});

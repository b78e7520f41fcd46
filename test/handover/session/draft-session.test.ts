import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftSession } from "../../../src/handover/follow-moment.ts";
import { parseSession } from "../../../src/handover/parse-session.ts";
import type { SessionFacts } from "../../../src/handover/session/carry-forward.ts";
import { polishSession } from "../../../src/handover/session/polish-session.ts";
import { renderSession } from "../../../src/handover/session/rewrite-session.ts";
import { emptySession, type SessionDoc } from "../../../src/handover/session-doc.ts";
import { nastyText } from "../nasty-text.ts";

const facts = (given: Partial<SessionFacts> = {}): SessionFacts => ({
  today: "2026-11-16",
  session: "same",
  branch: "main",
  done: [],
  decisions: [],
  warnings: [],
  ...given,
});

const previous: SessionDoc = {
  ...emptySession,
  generated: "2026-11-15",
  branch: "main",
  goal: "ship",
  nextAction: "/sdd-design login",
  activeGoals: "- [ ] login",
  continuing: "1. small specs (D2)\n2. two waves (D3)",
  added: "1. passkeys (D7)\n   - and nothing else\n2. no reset mail (D8)",
  warnings: "- the server forgets",
  tone: "short",
  exceptions: "- keys in memory (D9)",
  accomplished: "- began",
  modifiedFiles: "- `a.ts` (the heart of it)\n- `b.ts`",
  resume: "1. Read this file.\n2. /sdd-design login",
};

const draft = (given: Partial<SessionFacts>, doc: Partial<SessionDoc> = {}): SessionDoc =>
  parseSession(draftSession(renderSession({ ...previous, ...doc }), facts(given))).doc;

const drafted = { ...previous, generated: "2026-11-16", mode: "auto-draft" };
const unchanged = { nextFrom: "user" as const };

describe("draftSession", () => {
  // Seed 0: 1.5, 3.1
  it("writes a whole document where there is none", () => {
    expect(
      draftSession(undefined, facts({ goal: "ship", done: ["/sdd-steering"], derivedNext: "/sdd-design a" })),
    ).toBe(
      `# Session Handover
**Generated**: 2026-11-16
**Branch**: main
**Session Goal**: ship
**Mode**: auto-draft

## Direction
### Immediate Next Action
/sdd-design a

### Active Goals
None

### Key Decisions
**Continuing from previous sessions:**
None

**Added this session:**
None

### Warnings
None

## Session Context
### Tone and Nuance
None

### Steering Exceptions
None

## Accomplished
- /sdd-steering

### Modified Files
None

## Resume Instructions
1. Read this file.
2. /sdd-design a
`,
    );
  });

  // Seed 0: 1.2, 1.4
  it("carries forward what holds on, and adds what is new", () => {
    const given = {
      ...unchanged,
      done: ["/sdd-review login", "began"],
      decisions: [
        { seq: 8, summary: "known" },
        { seq: 10, summary: "one\nline" },
      ],
      warnings: ["tech.md changed", "the server forgets"],
      modifiedFiles: ["c`d.ts", "a.ts"],
    };
    expect(draft(given)).toEqual({
      ...drafted,
      added: `${previous.added}\n3. one line (D10)`,
      warnings: "- the server forgets\n- tech.md changed",
      accomplished: "- began\n- /sdd-review login",
      modifiedFiles: "- `a.ts` (the heart of it)\n- `` c`d.ts ``",
    });
  });

  // Seed 0: 3.2
  it("lets, in a new session, what was added continue, and begins with nothing accomplished", () => {
    const given = {
      ...unchanged,
      session: "new" as const,
      decisions: [{ seq: 11, summary: "a third wave" }],
    };
    expect(draft(given)).toEqual({
      ...drafted,
      continuing:
        "1. small specs (D2)\n2. two waves (D3)\n3. passkeys (D7)\n   - and nothing else\n4. no reset mail (D8)",
      added: "1. a third wave (D11)",
      accomplished: "",
      modifiedFiles: "",
    });
  });

  it("goes on in the style of a list, and after the numbers of a range", () => {
    const given = { ...unchanged, session: "new" as const };
    const doc = { continuing: "- one (D1)", added: "4. two (D2)" };
    expect(draft(given, doc)).toMatchObject({ continuing: "- one (D1)\n- two (D2)", added: "" });
    const range = { continuing: "8. a (D7)\n9-16: b (D8-D16)", added: "- c (D17)" };
    expect(draft(given, range).continuing).toBe("8. a (D7)\n9-16: b (D8-D16)\n17. c (D17)");
    const prose = { continuing: "All of them.", added: "Some text (D4)." };
    expect(draft(given, prose).continuing).toBe("All of them.\n\nSome text (D4).");
  });

  const next = (nextAction: string, given: Partial<SessionFacts>) => draft(given, { nextAction }).nextAction;
  it.each([
    { case: "takes the one that is given", was: "call Ann", given: { next: "call Bo" }, is: "call Bo" },
    {
      case: "keeps one that a person gave",
      was: "call Ann",
      given: { derivedNext: "/sdd-impl a" },
      is: "call Ann",
    },
    {
      case: "lets one go that is done",
      was: "Call `Ann`.",
      given: { derivedNext: "/sdd-impl a", done: ["call Ann"] },
      is: "/sdd-impl a",
    },
    {
      case: "lets one go of which more is told",
      was: "/sdd-review a",
      given: {
        nextFrom: "user" as const,
        derivedNext: "/sdd-impl b",
        done: ["/sdd-review a: two findings"],
      },
      is: "/sdd-impl b",
    },
    {
      case: "keeps one that a person gave in the words of the pipeline",
      was: "/sdd-review a",
      given: { nextFrom: "user" as const, derivedNext: "/sdd-impl b" },
      is: "/sdd-review a",
    },
    {
      case: "derives a derived one anew",
      was: "/sdd-design a",
      given: { derivedNext: "/sdd-impl a" },
      is: "/sdd-impl a",
    },
    {
      case: "waits when nothing calls for anything",
      was: "/sdd-impl a",
      given: {},
      is: "Wait for the user's instruction.",
    },
    { case: "fills an empty one", was: "", given: { derivedNext: "/sdd-impl a" }, is: "/sdd-impl a" },
  ])("of the next action: $case", ({ was, given, is }) => {
    expect(next(was, given)).toBe(is);
  });

  // Seed 0: 3.5
  it("lets the default steps follow the next action, and keeps others", () => {
    expect(draft({ next: "call Ann" }).resume).toBe("1. Read this file.\n2. call Ann");
    expect(draft({ next: "call Ann" }, { resume: "1. Breathe." }).resume).toBe("1. Breathe.");
    expect(draft({ next: "1. call Ann\n2. wait" }, { resume: "" }).resume).toBe(
      "1. Read this file.\n2. Take the steps of the Immediate Next Action.",
    );
  });

  it("leaves the branch and the files out without git", () => {
    expect(draft({ ...unchanged, branch: undefined })).toEqual({ ...drafted, branch: "" });
  });

  it("leaves a polished document as it is when nothing is new", () => {
    const polished = renderSession(previous);
    expect(draftSession(polished, facts({ ...unchanged, today: "2026-12-24" }))).toBe(polished);
  });

  const anyFacts = fc
    .record({
      done: fc.array(nastyText, { maxLength: 2 }),
      warnings: fc.array(nastyText, { maxLength: 2 }),
      modifiedFiles: fc.option(fc.array(nastyText, { maxLength: 3 }), { nil: undefined }),
      decisions: fc.array(fc.record({ seq: fc.integer({ min: 1, max: 30 }), summary: nastyText }), {
        maxLength: 3,
      }),
      goal: fc.option(nastyText, { nil: undefined }),
      next: fc.option(nastyText, { nil: undefined }),
      derivedNext: fc.constantFrom(undefined, "/sdd-impl a"),
      session: fc.constantFrom("new" as const, "same" as const),
    })
    .map(facts);
  const anyText = fc.record({
    continuing: nastyText,
    added: nastyText,
    warnings: nastyText,
    accomplished: nastyText,
    tone: nastyText,
  });

  it("changes nothing when it runs twice, whatever it is given", () => {
    fc.assert(
      fc.property(anyText, anyFacts, fc.boolean(), (doc, given, isFirst) => {
        const once = draftSession(isFirst ? undefined : renderSession({ ...previous, ...doc }), given);
        expect(draftSession(once, { ...given, session: "same" })).toBe(once);
        expect(parseSession(once).problems).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("polishSession", () => {
  const polish = (answers: Parameters<typeof polishSession>[1], given: Partial<SessionFacts> = unchanged) =>
    parseSession(
      polishSession(renderSession({ ...drafted, ...previous, mode: "auto-draft" }), answers, facts(given)),
    ).doc;
  const polished = { ...drafted, mode: "" };

  // Seed 0: 2.5
  it("takes the mode away and carries forward what was not answered", () => {
    expect(polish({})).toEqual(polished);
  });

  it("puts each answer where it belongs", () => {
    const answers = {
      accomplished: ["all of it", "and more"],
      next: ["first", "second"],
      decisions: ["passkeys only (D12)"],
      warnings: ["beware"],
      tone: ["calm", "kind"],
      exceptions: ["no review (D13)"],
    };
    expect(polish(answers)).toEqual({
      ...polished,
      accomplished: "- all of it\n- and more",
      nextAction: "1. first\n2. second",
      resume: "1. Read this file.\n2. Take the steps of the Immediate Next Action.",
      added: `${previous.added}\n3. passkeys only (D12)`,
      warnings: "- the server forgets\n- beware",
      tone: "calm\nkind",
      exceptions: "- keys in memory (D9)\n- no review (D13)",
    });
  });

  it.each(["none", "なし", "-"])("empties what is answered with %s, but no decision", (word) => {
    const answers = {
      accomplished: [word],
      decisions: [word],
      warnings: [word],
      tone: [word],
      exceptions: [word],
    };
    expect(polish(answers)).toEqual({
      ...polished,
      accomplished: "",
      warnings: "",
      tone: "",
      exceptions: "",
    });
  });

  // Seed 0: 1.5, 3.1
  it("writes a whole document where there is none", () => {
    expect(parseSession(polishSession(undefined, { tone: ["calm"] }, facts({ goal: "ship" }))).doc).toEqual({
      ...emptySession,
      generated: "2026-11-16",
      branch: "main",
      goal: "ship",
      nextAction: "Wait for the user's instruction.",
      tone: "calm",
      resume: "1. Read this file.\n2. Wait for the user's instruction.",
    });
  });
});

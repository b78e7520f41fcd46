import { describe, expect, it } from "vitest";
import { draftCommands } from "../../src/handover/draft-commands.ts";
import { git } from "../support/git-repo.ts";
import { minute, one, two } from "../support/hooked-project.ts";
import { openLead, reviewed } from "../support/seed-lead.ts";

// The seed's "Session Persistence", spec by spec. Names of files, sections and entries are its own.

const decided = ["--decision", "Passkeys only", "--reason", "simple", "--impact", "no reset mails"];

describe("Spec 1: session auto-draft", () => {
  // Seed 0: 1.1, 7.1
  it.each(draftCommands)(
    "drafts session.md when %s completes, with the next action of the pipeline",
    async (name) => {
      await using lead = await openLead();
      await lead.project.trust();
      await lead.spec("login", "phase: design-generated\n");
      await lead.turn(one, `/sdd-${name} login`);
      const session = await lead.read("session.md");
      expect(session).toContain("\n**Mode**: auto-draft\n");
      expect(session).toContain("\n### Immediate Next Action\n/sdd-impl login\n");
      expect(session).toContain(`\n## Accomplished\n- /sdd-${name} login\n`);
      await expect(lead.names("handover/sessions")).rejects.toThrow("ENOENT");
    },
  );

  // Seed 0: 1.2
  it("carries Key Decisions, Warnings, Tone and Steering Exceptions forward, and begins Accomplished anew", async () => {
    await using lead = await openLead();
    await lead.begin(one);
    const answers = ["--warnings", "The keys expire", "--tone", "short answers", "--next", "/sdd-impl login"];
    const exception = ["--exceptions", "no tests", "--reason", "gone on Friday", "--impact", "slower"];
    await lead.carryon(["handover", "--no-ask", ...answers, ...decided, ...exception]);
    await lead.begin(two);
    await lead.turn(two, "/sdd-impl login");
    const session = await lead.read("session.md");
    for (const part of [
      "**Continuing from previous sessions:**\n1. Passkeys only (D2)\n2. no tests (D3)\n",
      "### Warnings\n- The keys expire\n",
      "### Tone and Nuance\nshort answers\n",
      "### Steering Exceptions\n- no tests: gone on Friday (D3)\n",
      "## Accomplished\n- /sdd-impl login\n",
      "### Immediate Next Action\nWait for the user's instruction.\n",
    ])
      expect(session).toContain(`\n${part}`);
  });

  it("drafts when a pipeline stops: a spec is blocked", async () => {
    await using lead = await openLead();
    await lead.project.trust();
    await lead.turn(one, "Go on", () =>
      lead.spec("login", "phase: blocked\nblocked_info:\n  blocked_by: keys\n  reason: no schema\n"),
    );
    expect(await lead.read("session.md")).toContain(
      "\n### Immediate Next Action\nResolve what blocks login: keys, no schema\n",
    );
  });

  // Seed 0: 1.3
  it("lets a next action in the user's words go when the next command completes", async () => {
    await using lead = await openLead();
    await lead.project.trust();
    await lead.spec("login", "phase: design-generated\n");
    await lead.carryon(["handover", "--no-ask", "--next", "Ask Ada about the colours"]);
    await lead.turn(one, "Thank you");
    expect(await lead.read("session.md")).toContain(
      "\n### Immediate Next Action\nAsk Ada about the colours\n",
    );
    await lead.turn(one, "/sdd-design login");
    expect(await lead.read("session.md")).toContain("\n### Immediate Next Action\n/sdd-impl login\n");
  });
});

describe("Spec 2: manual polish", () => {
  // Seed 0: 2.3, 2.4, 2.7, 3.1
  it("archives, asks the questions, writes without a mode, appends SESSION_END and reports", async () => {
    await using lead = await openLead();
    await lead.put("project/steering/tech.md", "SQLite\n");
    await lead.spec("login", "phase: design-generated\n");
    await lead.begin(one);
    await lead.turn(one, "/sdd-design login");
    const drafted = await lead.read("session.md");
    await lead.project.commit(minute(30), "Add the form");
    await lead.put("project/steering/tech.md", "PostgreSQL\n");
    const { code, asked, out, err } = await lead.carryon(["handover"], {
      answers: {
        ...{ "What is the goal": "Sign in", "Which goals": "login", "What was done": "the form" },
        ...{ "What is next": "Review it", "Which decisions": "Passkeys only", Why: "simple" },
        ...{ "What follows": "no mails", "What must": "Keys expire", "In what tone": "calm" },
      },
    });
    expect(code).toBe(0);
    expect(asked).toEqual([
      ...["What is the goal of this session?", "Which goals are active?", "What was done?", "What is next?"],
      ...["Which decisions are not written down yet?", 'Why "Passkeys only"?'],
      ...['What follows from "Passkeys only"?', "What must the next session beware of?"],
      ...["In what tone and mood do you work?", "Which exceptions to steering are new?"],
    ]);
    // Git, the specs and the steering are collected.
    const [collected] = err.split("\n");
    expect(collected).toMatch(
      /^branch main · 1 commit · .* · login design-generated · steering\/tech.md changed/,
    );
    const [archive = ""] = await lead.names("handover/sessions");
    expect(archive).toMatch(/^\d{4}-\d\d-\d\d\.md$/);
    expect(await lead.read(`sessions/${archive}`)).toBe(drafted);
    const session = await lead.read("session.md");
    expect(session).not.toContain("**Mode**");
    expect((await lead.decisions()).slice(-2)).toEqual([
      "D2: USER_DECISION | Passkeys only",
      "D3: SESSION_END | Session handed over",
    ]);
    expect(out).toBe(`${lead.sdd("handover/session.md")}\n`);
    expect(err).toContain(`The one before it is ${lead.sdd("handover/sessions")}/${archive}\n`);
    expect(err).toContain(
      "Captured: goal, 1 done, next action, 1 decision, 2 warnings, tone, no exceptions.\n",
    );
    expect(err).toContain("D3 says that the session is over. `carryon brief` tells the next one.\n");
    // Spec 3: the format.
    expect(session.replace(/(?<=Generated\*\*: )\S+/, "<day>")).toBe(`# Session Handover
**Generated**: <day>
**Branch**: main
**Session Goal**: Sign in

## Direction
### Immediate Next Action
Review it

### Active Goals
- login

### Key Decisions
**Continuing from previous sessions:**
None

**Added this session:**
1. Passkeys only (D2)

### Warnings
- Keys expire
- steering/tech.md changed and no STEERING_UPDATE says why.

## Session Context
### Tone and Nuance
calm

### Steering Exceptions
None

## Accomplished
- the form

### Modified Files
- \`.claude/sdd/project/specs/login/spec.yaml\`
- \`.claude/sdd/project/steering/tech.md\`

## Resume Instructions
1. Read this file.
2. Review it
`);
  });
});

describe("Spec 4: the log of decisions", () => {
  // Seed 0: 4.2, 4.7
  it("takes every type, numbers on, and only ever adds", async () => {
    await using lead = await openLead();
    const types = ["USER_DECISION", "STEERING_UPDATE", "DIRECTION_CHANGE", "ESCALATION_RESOLVED"];
    const fields = [
      "--context",
      "c",
      "--decision",
      "d",
      "--reason",
      "r",
      "--impact",
      "i",
      "--source",
      "Lead",
    ];
    let before = "";
    for (const type of [...types, "REVISION_INITIATED", "STEERING_EXCEPTION"]) {
      const ref = type === "STEERING_EXCEPTION" ? ["--steering-ref", "tech.md"] : [];
      const { code } = await lead.carryon(["decide", type, `a ${type}`, ...fields, ...ref]);
      const after = await lead.read("decisions.md");
      expect([code, after.startsWith(before)]).toEqual([0, true]);
      before = after;
    }
    expect(
      before.slice(before.lastIndexOf("[")).replace(/^\[.*?\]/, "[<time>]"),
    ).toBe(`[<time>] D6: STEERING_EXCEPTION | a STEERING_EXCEPTION
- Context: c
- Decision: d
- Reason: r
- Impact: i
- Source: Lead
- Steering-ref: tech.md
`);
    expect(before).toMatch(
      /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\] D1: USER_DECISION \| a USER_DECISION\n/,
    );
    expect(
      (await lead.carryon(["decide", "USER_DECISION", "x", "--context", "c", "--decision", "d"])).code,
    ).toBe(2);
    expect(await lead.read("decisions.md")).toBe(before);
  });
});

describe("Spec 5: the buffer", () => {
  // Seed 0: 5.6
  it("takes tags from reports, makes candidates, and is flushed into knowledge/ when the wave is complete", async () => {
    await using lead = await openLead();
    const report = [
      "- [PATTERN] api: retry twice (source: login Builder, task 1)",
      "- [PATTERN] api: time out (source: cart Builder, task 2)",
      "- [INCIDENT] the disk was full (source: login Inspector, task 3)",
    ];
    const spec = (phase: string) => lead.spec("login", `phase: ${phase}\nroadmap:\n  wave: 1\n`);
    await spec("design-generated");
    await lead.turn(one, "/sdd-impl login", (now) =>
      lead.project.hook(one, now, "SubagentStop", {
        ...{ agent_type: "builder", last_assistant_message: report.join("\n") },
      }),
    );
    const buffer = (notes: readonly string[]) =>
      ["# Handover Buffer", "**Updated**: <time>", "", "## Knowledge Buffer", ...notes, ""].join("\n") +
      "\n## Skill Candidates\n- **api**: Detected in login, cart (2 occurrences)\n";
    const read = async () => (await lead.read("buffer.md")).replace(/(?<=Updated\*\*: ).*/, "<time>");
    expect(await read()).toBe(buffer(report));
    await lead.turn(one, "Finish it", () => spec("implementation-complete"));
    expect(await read()).toBe(buffer([]));
    expect(await lead.names("project/knowledge")).toEqual([
      "incident-general-the-disk-was-full.md",
      ...["pattern-api-retry-twice.md", "pattern-api-time-out.md"],
    ]);
  });
});

describe("Spec 6: session resume", () => {
  // Seed 0: 6.2, 6.6, 6.9
  it("restores all seven steps, in a new session, after a compaction and on demand", async () => {
    await using lead = await openLead();
    await lead.project.trust();
    await lead.put("project/specs/roadmap.md", "# Roadmap\n");
    await lead.spec("login", "phase: implementation-complete\nroadmap:\n  wave: 1\n");
    await lead.spec("cart", "phase: initialized\nroadmap:\n  wave: 2\n");
    await lead.put("project/specs/login/verdicts.md", reviewed("CONDITIONAL"));
    await lead.begin(one);
    const answers = ["--goal", "Sign in", "--warnings", "Keys expire", "--tone", "calm"];
    await lead.carryon(["handover", "--no-ask", ...answers, ...decided, "--exceptions", "none"]);
    await lead.carryon([
      "note",
      "pattern",
      "api: retry",
      "--spec",
      "login",
      "--role",
      "Builder",
      "--task",
      "1",
    ]);
    const told = [
      // Findings that passed do not come before the next wave.
      ...["Next action", "/sdd-design cart", "Session goal", "Sign in", "Keys expire", "calm"],
      ...["Open reviews", "login [B2]: M|test-gap|no test of a lost key"],
      ...["cart, wave 2: initialized", "Latest decisions", "USER_DECISION: Passkeys only"],
      "[PATTERN] api: retry (source: login Builder, task 1)",
    ];
    for (const brief of [
      await lead.begin(two),
      await lead.begin(two, "compact"),
      (await lead.carryon(["brief"])).out,
    ]) {
      expect(told.filter((text) => !brief.includes(text))).toEqual([]);
      expect(brief).not.toContain("an old finding");
    }
    expect(await lead.decisions()).toEqual([
      "D1: SESSION_START | Session started",
      "D2: USER_DECISION | Passkeys only",
      "D3: SESSION_END | Session handed over",
      "D4: SESSION_START | Session started",
    ]);
  });

  it("knows that a session was handed over from a terminal while it was open", async () => {
    await using lead = await openLead();
    await lead.begin(one);
    await lead.turn(one, "Write the parser", (now) => lead.project.write(now, "parser.ts", "1"));
    await lead.carryon(["handover", "--no-ask", "--next", "Write the lexer", "--goal", "A compiler"]);
    await lead.turn(one, "Thank you");
    await lead.project.hook(one, minute(40), "SessionEnd", { reason: "other" });
    await lead.project.sync(minute(41));
    const { out } = await lead.carryon(["brief", "--json"]);
    const parts: readonly { name: string; text: string }[] = JSON.parse(out).parts;
    expect(parts.find(({ name }) => name === "Next action")?.text).toBe("Write the lexer");
    expect(parts.map(({ name }) => name).filter((name) => /handover|cut off|other open/i.test(name))).toEqual(
      [],
    );
    expect(parts.map(({ text }) => text).join("\n")).not.toMatch(/without a handover|taken it up/);
  });

  it("goes by what the files of steering say, not by when they were written", async () => {
    await using lead = await openLead();
    await lead.put("project/steering/tech.md", "SQLite\n");
    await lead.project.commit(minute(0), "Steer");
    await lead.begin(one);
    await git(lead.project.root, "checkout", "-q", "-b", "other");
    await lead.put("project/steering/tech.md", "PostgreSQL\n");
    await lead.project.commit(minute(0), "Steer otherwise");
    await git(lead.project.root, "checkout", "-q", "main");
    await lead.turn(one, "/sdd-steering");
    expect(await lead.read("session.md")).toContain("\n### Warnings\nNone\n");
  });
});

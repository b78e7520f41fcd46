import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSession } from "../../src/handover/parse-session.ts";
import { everyGate, openGated } from "../support/gates/gated-cli.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { openOnServer } from "../support/on-server.ts";
import { openMcp, startMcp } from "../support/open-mcp.ts";
import { openCarryon } from "../support/run-carryon.ts";

const { PATH: _path, HOME: _home, ...identity } = gitEnv;

/** What an answer says before what it quotes. */
const headOf = (text: string) => text.split("\n\n")[0];

async function openHere() {
  const carryon = await openCarryon();
  return { carryon, [Symbol.asyncDispose]: () => carryon[Symbol.asyncDispose]() };
}

const engines = [
  { engine: "SQLite", open: openHere },
  { engine: "PostgreSQL", open: openOnServer },
] as const;

const decision = {
  type: "USER_DECISION",
  summary: "--json Use SQLite",
  context: "choosing a store",
  decision: "SQLite",
  reason: "nothing to set up",
  impact: "none",
};

describe.each(engines)("carryon mcp on $engine", ({ open }) => {
  it("lists, reads and finds what was recorded", async () => {
    await using here = await open();
    const { carryon } = here;
    await using mcp = await openMcp(carryon);
    expect((await mcp.call("session_list")).text).toBe("Nothing was recorded in this project.");
    const first = await carryon.record("the tea is hot", "the coffee is cold");
    const second = await carryon.record("Tea again");
    const listed = await mcp.call("session_list", { limit: 1 });
    expect(listed.text).toContain(`\n${second}  `);
    expect(headOf(listed.text)).toMatch(/^1 session\. For older ones call again with cursor "[^"]+"\.$/);
    const [, cursor] = /cursor "([^"]+)"/.exec(listed.text) ?? [];
    const older = await mcp.call("session_list", { cursor });
    expect([headOf(older.text), older.text.includes(`\n${first}  `)]).toEqual(["1 session.", true]);
    const shown = await mcp.call("session_show", { session: first, from: -1 });
    expect(shown.text.split("\n").slice(0, 1)).toEqual([
      `Session ${first} of carryon-append: ended, 3 entries.`,
    ]);
    expect(shown.text).not.toContain("coffee");
    expect((await mcp.call("session_show", { session: first, to: 2 })).text).toMatch(
      /\n#1 user main \S+Z\n {2}the tea is hot\n#2 user main \S+Z\n {2}the coffee is cold\n```$/,
    );
    const found = await mcp.call("session_search", { query: "TEA" });
    expect(headOf(found.text)).toBe("2 found. That is all.");
    expect(found.text).toMatch(
      new RegExp(`\n${second} #1 user \\S+Z: Tea again\n${first} #1 user \\S+Z: the tea is hot\n`),
    );
    const part = (await mcp.call("session_search", { query: "tea", limit: 1 })).text;
    const [, after] = /cursor "(.*)"/.exec(part) ?? [];
    const rest = await mcp.call("session_search", { query: "tea", cursor: after });
    expect(headOf(rest.text)).toBe("1 found. That is all.");
    const none = await mcp.call("session_search", { query: "tea coffee", exact: true });
    expect(none.text).toBe("0 found. That is all.");
    const taken = await mcp.call("session_search", { query: "tea after:soon since:yesterday" });
    expect(headOf(taken.text)).toMatch(
      /^2 found\. That is all\. after:soon was taken as text: after: takes a day /,
    );
  });
});

// What a store does is the same on each engine: test/contract.
describe("carryon mcp on SQLite", () => {
  it("recalls the passages that answer a question, with their source and within the budget", async () => {
    await using carryon = await openCarryon();
    await using mcp = await openMcp(carryon);
    const none = await mcp.call("recall", { question: "where is it?" });
    expect(none.text).toBe("Nothing was recorded in this project.");
    const first = await carryon.record("Why is the tea cold?", "The kettle was unplugged.", "Plug it in.");
    await carryon.record("Nothing about drinks", ...Array.from({ length: 20 }, (_, at) => `A kettle ${at}`));
    const told = await mcp.call("recall", { question: "why were kettles unplugged?", budget: 100 });
    expect(headOf(told.text)).toMatch(/^\d passages\. \d+ more did not fit into the budget\.$/);
    expect(told.text).toMatch(
      new RegExp(
        `text\n${first}#2 \\S{10} "Why is the tea cold\\?"\n {2}user: Why is the tea cold\\?\n {2}user: The kettle was unplugged.\n {2}user: Plug it in.\n`,
      ),
    );
  });

  it("recalls the better passages first, also when they are of one session", async () => {
    await using carryon = await openCarryon();
    await using mcp = await openMcp(carryon);
    const best = await carryon.record(
      "The kettle was unplugged",
      "So tea was cold",
      "Who had unplugged the kettle?",
    );
    const other = await carryon.record("There is a kettle in the kitchen, beside the window and the cups");
    const { text } = await mcp.call("recall", { question: "who unplugged the kettle?" });
    const sources = [...text.matchAll(/^(session-\S+?)#\d/gm)].map(([, session]) => session);
    expect(sources).toEqual([best, best, other]);
  });

  it("drafts from the record where nothing else is given", async () => {
    await using carryon = await openCarryon();
    await using mcp = await openMcp(carryon);
    await carryon.record("Teach the cart to take discount codes", "Only for books", "And only once");
    await mcp.call("handover_draft", { done: ["Began"] });
    const path = join(carryon.folder, "work", ".claude", "sdd", "handover", "session.md");
    const { doc } = parseSession(await readFile(path, "utf8"));
    expect(doc).toMatchObject({
      goal: "Teach the cart to take discount codes",
      nextAction: 'Go on with the interrupted request: "And only once"',
      accomplished: "- Began",
    });
  });

  it("writes decisions and notes down, drafts the handover, and tells all of it in the brief", async () => {
    await using carryon = await openCarryon();
    await using mcp = await openMcp(carryon);
    const note = { tag: "PATTERN", text: "api: retry twice", spec: "login", role: "Builder", task: "2" };
    const path = join(carryon.folder, "work", ".claude", "sdd", "handover", "session.md");
    expect([
      await mcp.call("decide", decision),
      await mcp.call("note", note),
      await mcp.call("note", note),
      (await mcp.call("note", { ...note, text: "retry thrice", category: "api" })).facts,
      await mcp.call("handover_draft", { done: ["The --next form"], next: ["Review it"] }),
    ]).toEqual([
      { text: "The decision is written down as D1.", isError: false, facts: { number: 1 } },
      { text: "It is noted.", isError: false, facts: { added: 1, candidates: [] } },
      { text: "It was noted before.", isError: false, facts: { added: 0, candidates: [] } },
      { added: 1, candidates: ["api"], remarks: expect.stringContaining("New skill candidate: api\n```") },
      {
        text: "session.md is brought up to date.",
        isError: false,
        facts: { path, changed: true, problems: 0 },
      },
    ]);
    expect(await readFile(path, "utf8")).toContain("- The --next form");
    const { text } = await mcp.call("brief");
    expect(text).toContain("Next action (less than an hour old):\n  Review it\n");
    expect(text).toContain("USER_DECISION: --json Use SQLite -- SQLite\n");
    expect(await mcp.read("carryon://handover")).toBe(text);
    await mcp.call("note", { ...note, text: "a lesson at length ".repeat(80) });
    const whole = await mcp.call("brief");
    expect((await mcp.call("brief", { budget: 400 })).text.length).toBeLessThan(whole.text.length);
    // The brief of a tool begins no session.
    expect((await carryon.call(["decisions"])).stdout).not.toContain("SESSION_START");
  });

  it("saves the work, tells where it stands, and keeps what stops it", async () => {
    await using carryon = await openCarryon();
    const root = join(carryon.folder, "work");
    await makeRepo(root, ["first"]);
    await writeFile(join(root, "a.txt"), "a\n");
    await using mcp = await openMcp(carryon, { env: identity });
    const missing = await mcp.call("session_load");
    expect([missing.isError, headOf(missing.text)]).toEqual([true, expect.stringMatching(/\(no-state\)/)]);
    const saved = await mcp.call("session_save", { working_on: "--full tea", next: ["--sync"] });
    expect([saved.isError, headOf(saved.text)]).toEqual([false, "The work is saved."]);
    expect(await git(root, "log", "-1", "--format=%s")).toBe("WIP: --full tea - checkpoint");
    const loaded = await mcp.call("session_load", { resume: true });
    expect(loaded.text).toMatch(/\nWork +--full tea\n/);
    expect(loaded.text).toContain("\nGo on with: --sync\n");
    const added = await mcp.call("blocker", {
      action: "add",
      type: "decision_required",
      description: "--severity or not?",
      severity: "high",
    });
    expect(added.text).toContain("\nBlocker  decision_required (high): --severity or not?\n");
    expect((await mcp.call("blocker")).text).toContain("decision_required (high)");
    expect((await mcp.call("blocker", { action: "resolve", description: "not" })).text).toContain(
      "\nResolved: --severity or not?\n",
    );
    expect((await mcp.call("blocker")).text).toContain("\nBlocker  none\n");
  });
});

describe("the tools of carryon mcp", () => {
  it("say in their annotations what they do, and none is destructive", async () => {
    await using carryon = await openCarryon();
    await using mcp = await openMcp(carryon);
    const { tools } = await mcp.client.listTools();
    const kinds = tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint === true ? "reads" : annotations?.destructiveHint === false ? "adds" : "?",
    ]);
    expect(kinds).toEqual([
      ["brief", "reads"],
      ["session_list", "reads"],
      ["session_show", "reads"],
      ["recall", "reads"],
      ["session_search", "reads"],
      ["session_save", "adds"],
      ["session_load", "adds"],
      ["decide", "adds"],
      ["note", "adds"],
      ["blocker", "adds"],
      ["gate_status", "reads"],
      ["handover_draft", "adds"],
    ]);
    const documented = [...(await readFile("docs/mcp.md", "utf8")).matchAll(/^\| `([a-z_]+)` \|.*\|.*\|$/gm)];
    expect(documented.map(([, name]) => name)).toEqual(tools.map(({ name }) => name));
    expect(tools.every(({ inputSchema }) => inputSchema.additionalProperties === false)).toBe(true);
  });

  it("tell how the gates stand for the session that calls, and satisfy none", async () => {
    await using carryon = await openGated({ gates: everyGate });
    await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1"]);
    await carryon.live("s1");
    await carryon.live("s2", { ppid: 1 });
    await using mcp = await startMcp(carryon, { env: { CLAUDE_CODE_SESSION_ID: "s2" } });
    const own = await mcp.call("gate_status");
    expect(own.text).toContain("Gates    on feature/plan, session s1\n  ✓ commit_plan (session)\n");
    // Who asks is no other session.
    const { text } = await mcp.call("brief");
    expect([text.includes("the same files: s2"), text.includes("s1")]).toEqual([true, false]);
    const other = await mcp.call("gate_status", { session: "s3" });
    expect(other.text).toContain("Gates    on feature/plan, session s3\n  ✗ commit_plan (session)\n");
    expect(await carryon.satisfied("--session", "s3")).toEqual(["not_main", "size"]);
  });

  it("refuse arguments that they do not have, that are missing or that do not fit each other", async () => {
    await using carryon = await openCarryon();
    await using mcp = await openMcp(carryon);
    const { reason: _reason, ...unreasoned } = decision;
    const answers = [
      await mcp.call("session_save", { yes: true }),
      await mcp.call("decide", unreasoned),
      await mcp.call("decide", { ...decision, type: "SESSION_END" }),
      await mcp.call("session_show", { session: "x", from: 0 }),
      await mcp.call("brief", { budget: 100_000 }),
      await mcp.call("blocker", { action: "add", description: "no type" }),
      await mcp.call("blocker", { action: "resolve", type: "other" }),
      await mcp
        .call("gate_satisfy", { name: "commit_plan" })
        .catch((error) => ({ text: String(error), isError: true })),
    ];
    expect(answers.map(({ isError }) => isError)).toEqual(answers.map(() => true));
    expect(answers.map(({ text }) => text.replace(/^MCP error -32602: /, "").split("\n")[0])).toEqual([
      expect.stringContaining('Unrecognized key: "yes"'),
      expect.stringContaining("expected string, received undefined"),
      expect.stringContaining("Invalid option"),
      expect.stringContaining("Use 1, 2, 3"),
      expect.stringContaining("Too big"),
      "A blocker needs `type` and `description`. (bad-arguments)",
      "Only `add` takes a `type`, a `severity` and a `resolution`. (bad-arguments)",
      expect.stringContaining("gate_satisfy"),
    ]);
  });

  it("push only where they are asked to, and never to the default branch", async () => {
    await using carryon = await openCarryon(identity);
    const root = join(carryon.folder, "work");
    const origin = join(carryon.folder, "origin.git");
    await git(carryon.folder, "init", "--quiet", "--bare", "--initial-branch=main", origin);
    await makeRepo(root, ["first"]);
    await git(root, "remote", "add", "origin", origin);
    await git(root, "push", "--quiet", "--set-upstream", "origin", "main");
    await git(root, "remote", "set-head", "origin", "main");
    await using mcp = await openMcp(carryon);
    await writeFile(join(root, "a.txt"), "a\n");
    const refused = await mcp.call("session_save", { working_on: "a", push: true });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("(push-failed)")]);
    expect(refused.text).toContain("\nSaved ");
    await git(root, "switch", "--quiet", "--create", "topic");
    await writeFile(join(root, "b.txt"), "b\n");
    await mcp.call("session_save", { working_on: "b" });
    expect(await git(origin, "branch", "--format=%(refname:short)")).toBe("main");
    const pushed = await mcp.call("session_save", { working_on: "c", push: true });
    expect(pushed.isError).toBe(false);
    expect(await git(origin, "log", "--format=%s", "topic")).toBe(
      "WIP: b - checkpoint\nWIP: a - checkpoint\nfirst",
    );
  });
});

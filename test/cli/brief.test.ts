import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

describe("carryon brief", () => {
  it("tells a new user that it is the first session, and makes nothing", async () => {
    await using carryon = await openCarryon();
    const { code, stdout, stderr } = await carryon.run(["brief"]);
    expect([code, stdout.split("\n").slice(3), stderr]).toEqual([
      0,
      [
        "```text",
        "First session (now):",
        "  There is no session.md: wait for the user's instruction.",
        "```",
        "",
      ],
      "",
    ]);
    expect(await readdir(join(carryon.folder, "work"))).toEqual([]);
    expect(await readdir(carryon.folder)).not.toContain("home");
  });

  it("shows the handover, writes nothing at a terminal, and answers in JSON", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "--next", "Review it", "--tone", "calm"]);
    const decisions = await carryon.ask(["decisions", "--json"]);
    expect(await carryon.ask(["brief"])).toContain("Next action (less than an hour old):\n  Review it\n");
    const { parts, tokens } = JSON.parse(await carryon.ask(["brief", "--json"]));
    expect(parts.map(({ name }: { name: string }) => name)).toEqual([...["Next action", "Tone and nuance"]]);
    expect(parts[0]).toEqual({ name: "Next action", text: "Review it", at: expect.stringMatching(/Z$/) });
    expect(tokens).toBeGreaterThan(40);
    expect(await carryon.ask(["decisions", "--json"])).toBe(decisions);
  });

  it("says once in decisions.md that the session of an agent began", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["brief", "--session", "abc"]);
    await carryon.ask(["brief", "--session", "abc"]);
    const { decisions } = JSON.parse(await carryon.ask(["decisions", "--json"]));
    const begun = { type: "SESSION_START", context: "session abc", decision: "Begin without a session.md" };
    expect(decisions).toMatchObject([{ seq: 1, ...begun }]);
    await carryon.ask(["handover", "--next", "Review it"]);
    await carryon.ask(["brief", "--session", "def"]);
    const [last] = JSON.parse(await carryon.ask(["decisions", "--json", "--last", "1"])).decisions;
    expect(last).toMatchObject({ context: "session def", decision: "Go on from session.md" });
  });

  it("is told to an agent although decisions.md cannot take the beginning of its session", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "--next", "Review it"]);
    const decisions = join(carryon.folder, "work", ".claude", "sdd", "handover", "decisions.md");
    await writeFile(decisions, Buffer.from("PK\0\u0001"));
    const { code, stdout, stderr } = await carryon.call(["brief", "--session", "abc"]);
    expect(stdout).toContain("Next action (less than an hour old):\n  Review it\n");
    expect([code, stderr]).toEqual([
      74,
      expect.stringContaining("decisions.md cannot be read as a document"),
    ]);
  });

  it("keeps to the budget that is given, and names what it left out", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "--next", "Review it", "--warnings", "word ".repeat(4000)]);
    const { parts, tokens } = JSON.parse(await carryon.ask(["brief", "--budget", "500", "--json"]));
    expect(tokens).toBeLessThanOrEqual(500);
    expect(parts[0]).toMatchObject({ name: "Next action", text: "Review it" });
    expect(await carryon.ask(["brief", "--budget", "500"])).toMatch(/more characters\]|Left out/);
  });

  it.each([
    {
      args: ["--budget", "399"],
      says: "carryon: A brief does not fit into 399 tokens.\n  Give it 400 or more.\n",
    },
    { args: ["--session", "a b"], says: expect.stringContaining("a b") },
    { args: ["--session", ""], says: expect.stringContaining("carryon: ") },
  ])("refuses $args", async ({ args, says }) => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["brief", ...args])).toEqual({ code: 2, stdout: "", stderr: says });
  });
});

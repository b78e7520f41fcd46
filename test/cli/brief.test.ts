import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";
import { openWork } from "../support/work-project.ts";

describe("carryon brief", () => {
  // Seed 0: 6.1
  it("tells a new user that it is the first session, and makes nothing", async () => {
    await using carryon = await openCarryon();
    const { code, stdout, stderr } = await carryon.call(["brief"]);
    expect([code, stdout.split("\n").slice(2), stderr]).toEqual([
      0,
      [
        "```text",
        "First session (now):",
        "  There is no session.md: wait for the user's instruction.",
        "```",
        "",
        expect.stringMatching(
          /^To learn more, run `.*carryon search WORDS`, or `.*carryon show ID` for a session\.$/,
        ),
        "",
      ],
      "",
    ]);
    expect(await readdir(join(carryon.folder, "work"))).toEqual([]);
    expect(await readdir(carryon.folder)).not.toContain("home");
  });

  // Seed 0: 6.8, E.3
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

  it("is a page to read on a terminal, and quoted for an agent there", async () => {
    await using work = await openWork();
    const warnings = "Prices are net, and a discount is taken off before the tax is added";
    await work.call(["handover", "--next", "Review it", "--warnings", warnings]);
    const { stdout } = await work.answer(["brief"], {}, { columns: 50 });
    expect(stdout.split("\nTo learn more")[0]).toMatchInlineSnapshot(`
      "Next action, just now
        Review it

      Warnings, just now
        - Prices are net, and a discount is taken off
          before the tax is added
      "
    `);
    const env = { ...work.env, CLAUDECODE: "1" };
    const quoted = await work.answer(["brief"], {}, { columns: 50, env });
    expect(quoted.stdout).toMatch(/^This is a record of earlier sessions/);
  });

  it.each([
    { has: "path/carryon", name: "carryon" },
    { has: "home/bin/carryon", name: "<folder>/home/bin/carryon" },
    { has: "path/other", name: "npx carryon" },
  ])("ends with the command for more, which is $name where there is $has", async ({ has, name }) => {
    await using carryon = await openCarryon();
    for (const folder of ["path", "home", "home/bin"]) await mkdir(join(carryon.folder, folder));
    await writeFile(join(carryon.folder, has), "", { mode: 0o700 });
    const env = { PATH: join(carryon.folder, "path") };
    const { stdout } = await carryon.call(["brief"], { env });
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(
      `To learn more, run \`${name} search WORDS\`, or \`${name} show ID\` for a session.`,
    );
  });

  // Seed 0: 6.7, 6.9, 7.6
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

import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { tempDir } from "../support/temp-dir.ts";
import { testContext } from "../support/test-context.ts";

/** A person at a terminal who answers, and may do something first. */
function atTerminal(folder: string, answer: (question: string) => Promise<boolean>) {
  const asked: string[] = [];
  const context = testContext(folder, {
    isTerminal: { input: true, output: true, error: true },
    confirm: (question) => {
      asked.push(question);
      return answer(question);
    },
  });
  return { context, asked };
}

describe("carryon init on a terminal", () => {
  it("writes after a yes, and then offers to take in what is there", async () => {
    await using dir = await tempDir();
    const path = dir.join(".claude/projects", makeSlug(await realpath(dir.path)), "s-1.jsonl");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '{"type":"of-a-newer-client"}\n');
    const { context, asked } = atTerminal(dir.path, async () => true);
    expect(await runCli(["init"], context)).toBe(0);
    expect(asked).toEqual(["Write this?", "Import the sessions that Claude Code has kept of this project?"]);
    expect(await readFile(dir.join(".claude/settings.local.json"), "utf8")).toContain("carryon-hook.cjs");
    expect(context.said.out).toContain("Nothing to take in. Not asked for, or deleted: 1 session.");
  });

  it.each([["project"], ["user"]])("offers nothing where nothing was kept, for the %s", async (scope) => {
    await using dir = await tempDir();
    if (scope === "project") {
      await mkdir(dir.join(".claude/projects/-of-another"), { recursive: true });
      await writeFile(dir.join(".claude/projects/-of-another/s-1.jsonl"), "");
    }
    const { context, asked } = atTerminal(dir.path, async () => true);
    expect(await runCli(["init", "--scope", scope], context)).toBe(0);
    expect([asked, context.said.out.includes("transcript")]).toEqual([["Write this?"], false]);
  });

  it("writes nothing after a no", async () => {
    await using dir = await tempDir();
    const { context, asked } = atTerminal(dir.path, async () => false);
    expect(await runCli(["init"], context)).toBe(0);
    expect(asked).toEqual(["Write this?"]);
    expect(context.said.err).toBe("Nothing was written.\n");
    await expect(readFile(dir.join(".claude/settings.local.json"))).rejects.toThrow("ENOENT");
  });

  it("leaves settings alone that changed while it was asking", async () => {
    await using dir = await tempDir();
    const settings = dir.join(".claude/settings.local.json");
    const { context } = atTerminal(dir.path, async () => {
      await mkdir(dir.join(".claude"));
      await writeFile(settings, "{}\n");
      return true;
    });
    expect(await runCli(["init", "--no-import"], context)).toBe(4);
    expect(context.said.err).toContain("settings.local.json has changed meanwhile and was left as it is.");
    expect(await readFile(settings, "utf8")).toBe("{}\n");
    const second = atTerminal(dir.path, async () => true);
    expect(await runCli(["init", "--no-import"], second.context)).toBe(0);
    expect(await runCli(["uninit"], second.context)).toBe(0);
    expect(await readFile(settings, "utf8")).toBe("{}\n");
  });
});

import { appendFile, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { type HookedCarryon, openHooked, session } from "../support/gates/hooked-cli.ts";
import { layOutPackage } from "../support/lay-out-package.ts";

const gates = "requirements:\n  commit_plan: { enabled: true, auto_resolve_skill: plan-review }\n";
const why = ["--reason", "r", "--impact", "i", "--source", "s"];

/** Lays out a package for hooks to start from now on. */
async function installPackage({ folder }: HookedCarryon, name: string, code?: string) {
  const laidOut = await layOutPackage(join(folder, name), code);
  await laidOut.install(join(folder, "home"));
  return laidOut;
}

const decisions = ({ root }: HookedCarryon) =>
  readFile(join(root, ".claude", "sdd", "handover", "decisions.md"), "utf8");

describe("the beginning of a session in an installed package", () => {
  it("is answered in the process of its hook as Carryon itself answers, and all is done when that ends", async () => {
    await using carryon = await openHooked(gates);
    await carryon.ask(["decide", "USER_DECISION", "SQLite", "--context", "c", "--decision", "d", ...why]);
    await carryon.ask(["handover", "draft", "--goal", "Ship the shop"]);
    const own = await carryon.tell("SessionStart", { source: "startup" });
    await vi.waitFor(async () => expect(await decisions(carryon)).toContain(`session ${session}`), 60_000);
    const installed = await installPackage(carryon, "package");
    expect(await carryon.tell("SessionStart", { source: "clear" })).toEqual(own);
    expect(own?.hookSpecificOutput?.additionalContext).toContain("Ship the shop");
    const other = "33333333-2222-4333-8444-555555555555";
    const env = join(carryon.folder, "env.sh");
    const start = { source: "startup", session_id: other };
    const answer = await carryon.tell("SessionStart", start, { CLAUDE_ENV_FILE: env });
    expect(answer?.hookSpecificOutput?.additionalContext).toContain("0 of 1 gates on feature/plan");
    expect(await decisions(carryon)).toContain(`session ${other}`);
    expect(await readFile(env, "utf8")).toBe(`export CARRYON_SESSION=${other}\n`);
    const live = JSON.parse(await readFile(join(carryon.folder, ".claude", "sessions.json"), "utf8"));
    expect(Object.keys(live.sessions)).toContain("33333333");
    expect([await installed.started(), await carryon.log()]).toEqual(["", []]);
  });

  it("is answered as Carryon itself answers where documents need their parsers", async () => {
    await using carryon = await openHooked("");
    await carryon.ask(["handover", "draft", "--goal", "Ship the shop"]);
    const sdd = join(carryon.root, ".claude", "sdd");
    const spec = join(sdd, "project", "specs", "price-list");
    await mkdir(spec, { recursive: true });
    await writeFile(join(spec, "spec.yaml"), "phase: blocked\nblocked_info: {reason: no prices}\n");
    const session = join(sdd, "handover", "session.md");
    await appendFile(session, "\n~~~\n## Warnings\nno heading\n~~~\n\nWarnings\n---\n> Prices are net.\n");
    const own = await carryon.tell("SessionStart", { source: "startup" });
    const installed = await installPackage(carryon, "package");
    expect(await carryon.tell("SessionStart", { source: "clear" })).toEqual(own);
    expect(own?.hookSpecificOutput?.additionalContext).toContain("price-list");
    expect([await installed.started(), await carryon.log()]).toEqual(["", []]);
  });

  it("is answered by one of its own where that cannot be loaded, fails, or does not end", async () => {
    await using carryon = await openHooked("");
    const begin = (at: number) =>
      carryon.tell("SessionStart", {
        source: "startup",
        session_id: `${at}1111111-2222-4333-8444-555555555555`,
      });
    const brief = { hookSpecificOutput: { additionalContext: expect.stringContaining("This is a record") } };
    const torn = await installPackage(carryon, "torn", "exports.start = (");
    expect(await begin(1)).toMatchObject(brief);
    const failing = "exports.start = async () => { throw new Error('no room'); };";
    const failed = await installPackage(carryon, "failed", failing);
    expect(await begin(2)).toMatchObject(brief);
    expect([await torn.started(), await failed.started()]).toEqual(Array(2).fill("__hook SessionStart;"));
    expect(await carryon.log()).toEqual([
      expect.stringContaining("hook: "),
      expect.stringContaining("hook: no room"),
    ]);
    const lasting =
      "exports.start = ({ say }) => { say('{}'); return new Promise(() => setTimeout(String, 1e6)); };";
    const slow = await installPackage(carryon, "slow", lasting);
    expect(await begin(3)).toEqual({});
    await vi.waitFor(async () => expect(await decisions(carryon)).toContain("session 31111111"), 60_000);
    expect(await slow.started()).toBe("__hook rest;");
  });

  it("is answered by its source in a checkout, whatever was built there", async () => {
    await using carryon = await openHooked("");
    const checkout = await installPackage(carryon, "checkout", "throw new Error('stale');");
    await cp(
      fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url)),
      join(carryon.folder, "checkout", "src", "cli", "main.ts"),
      { recursive: true },
    );
    expect(await carryon.tell("SessionStart", { source: "startup" })).toBeDefined();
    expect([await checkout.started(), await carryon.log()]).toEqual(["__hook SessionStart;", []]);
  });
});

import { access, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { tamper } from "../support/store-files.ts";
import { testContext } from "../support/test-context.ts";

const init = ["init", "--yes", "--no-import"];
const now = new Date("2026-11-15T12:00:00Z");
const hint =
  "What was said is in the transcript of the client all the same. All notes are in <folder>/home/carryon.log; `carryon doctor --clear-log` deletes it.";

/** Writes what hooks noted of their failures. */
async function writeLog(carryon: Carryon, ...lines: readonly string[]): Promise<string> {
  const path = join(carryon.folder, "home", "carryon.log");
  await mkdir(join(carryon.folder, "home"), { recursive: true, mode: 0o700 });
  await writeFile(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

/** Runs doctor at a fixed time. */
async function examine(carryon: Carryon, ...args: readonly string[]) {
  const context = testContext(join(carryon.folder, "work"), {
    env: { CARRYON_HOME: join(carryon.folder, "home") },
    userHome: carryon.folder,
    clock: { now: () => now },
  });
  const code = await runCli(["doctor", "--json", ...args], context);
  const { problems, notes } = JSON.parse(context.said.out.replaceAll(carryon.folder, "<folder>"));
  return { code, problems, notes };
}

describe("what doctor says of failures that hooks noted", () => {
  it("is a problem for a week, with the age of the last one", async () => {
    await using carryon = await openCarryon();
    await writeLog(
      carryon,
      "2026-11-14T12:00:00.000Z hook: Stop waits in the spool",
      "2026-11-15T10:00:00.000Z hook: Stop was lost",
    );
    const what = "Hooks noted 2 failures in the last 7 days, the last one (2 hours ago): Stop was lost";
    expect(await examine(carryon)).toEqual({ code: 74, problems: [{ what, hint }], notes: [] });
  });

  it("is only a note later on", async () => {
    await using carryon = await openCarryon();
    await writeLog(carryon, "no line of ours", "2026-11-01T12:00:00.000Z hook: Stop was lost");
    const what = "Hooks noted 2 failures more than 7 days ago, the last one (14 days ago): Stop was lost";
    expect(await examine(carryon)).toEqual({ code: 0, problems: [], notes: [{ what, hint }] });
    const { stdout } = await carryon.call(["doctor"]);
    expect(stdout).toContain(`✓ No problem found.\n· Hooks noted 2 failures`);
  });

  it("is shown once more and forgotten with --clear-log", async () => {
    await using carryon = await openCarryon();
    const path = await writeLog(carryon, "2026-11-15T10:00:00.000Z hook: Stop was lost");
    const what = "Hooks noted a failure in the last 7 days (2 hours ago): Stop was lost";
    expect(await examine(carryon, "--clear-log")).toEqual({ code: 0, problems: [{ what, hint }], notes: [] });
    await expect(access(path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await examine(carryon, "--clear-log")).toEqual({ code: 0, problems: [], notes: [] });
  });
});

describe("what doctor advises", () => {
  it("is to move a store aside only if it is damaged", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    const settings = join(carryon.folder, "work", ".claude", "settings.local.json");
    await writeFile(settings, "{");
    const missing = await carryon.call(["doctor"]);
    expect(missing).toMatchObject({ code: 74, stderr: "carryon: 1 problem found.\n" });
    expect(missing.stdout).not.toContain("--move-aside");
    await writeFile(join(carryon.folder, "home", "store.db"), "no database");
    expect((await carryon.call(["doctor"])).stdout).toContain(
      "Without a backup, `carryon doctor --move-aside` renames it, so that a new store can begin; nothing is deleted.\n",
    );
  });

  it("is to update where the store is of a newer version", async () => {
    await using carryon = await openCarryon();
    await carryon.record("hello");
    tamper(join(carryon.folder, "home"), "PRAGMA user_version = 99");
    const { stdout, stderr } = await carryon.call(["doctor"]);
    expect(stderr).toBe("carryon: 1 problem found.\n");
    expect(stdout).toContain("  Update Carryon, or set CARRYON_HOME to another folder.\n");
    expect(stdout).not.toContain("--move-aside");
  });

  it("names the scope in which hooks of another version are, and no scope where there are none", async () => {
    await using carryon = await openCarryon();
    await carryon.call([...init, "--scope", "user"]);
    const launch = join(carryon.folder, "home", "bin", "carryon.json");
    await writeFile(launch, '{"version":"0.0.1"}');
    const what = expect.stringMatching(/^The hooks are of version 0\.0\.1, Carryon is \d/);
    const installed = await examine(carryon);
    expect(installed.problems).toEqual([{ what, hint: "Run `carryon init --scope user` again." }]);
    await writeFile(join(carryon.folder, ".claude", "settings.json"), "{}");
    const elsewhere = await examine(carryon);
    expect(elsewhere.problems).toEqual([
      { what, hint: "Run `carryon init` again in a project that is recorded." },
    ]);
  });

  it("is to install hooks again where an event or the way to start sync is missing", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    const settings = join(carryon.folder, "work", ".claude", "settings.local.json");
    const { hooks, ...rest } = JSON.parse(await readFile(settings, "utf8"));
    const { Stop: _stop, PreToolUse: _call, ...others } = hooks;
    await writeFile(settings, JSON.stringify({ ...rest, hooks: others }));
    await rm(join(carryon.folder, "home", "bin", "carryon.json"));
    const again = "Run `carryon init --scope project` again.";
    expect(await examine(carryon)).toMatchObject({
      code: 74,
      problems: [
        {
          what: "<folder>/work/.claude/settings.local.json has no hook of Carryon at PreToolUse, Stop, so that not everything is recorded.",
          hint: again,
        },
        { what: "Hooks cannot start sync: <folder>/home/bin/carryon.json has gone.", hint: again },
      ],
    });
    await carryon.call(init);
    expect(await examine(carryon)).toMatchObject({ code: 0, problems: [] });
  });

  it("is to look at the settings that turn all hooks off, where hooks are installed", async () => {
    await using carryon = await openCarryon();
    const settings = join(carryon.folder, ".claude", "settings.json");
    await mkdir(join(carryon.folder, ".claude"));
    await writeFile(settings, '{ "disableAllHooks": true }');
    expect(await examine(carryon)).toMatchObject({ code: 0, problems: [] });
    await carryon.call(init);
    expect(await examine(carryon)).toMatchObject({
      code: 74,
      problems: [
        {
          what: "<folder>/.claude/settings.json turns all hooks off with disableAllHooks, so that nothing is recorded.",
          hint: "Change it there if sessions are to be recorded.",
        },
      ],
    });
  });
});

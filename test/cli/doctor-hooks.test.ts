import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepo } from "../support/git-repo.ts";
import { openCarryon } from "../support/run-carryon.ts";

const init = ["init", "--yes", "--no-import"];

/** Runs doctor and returns what it found wrong. */
async function problemsOf(carryon: Awaited<ReturnType<typeof openCarryon>>): Promise<unknown> {
  return JSON.parse((await carryon.call(["doctor", "--json"])).stdout).problems;
}

describe("carryon doctor", () => {
  it("finds nothing wrong with hooks that were just installed", async () => {
    await using carryon = await openCarryon();
    expect((await carryon.call(["doctor"])).stdout).toContain("Hooks    not installed here; `carryon init`");
    await carryon.call(init);
    expect(await problemsOf(carryon)).toEqual([]);
    expect((await carryon.call(["doctor"])).stdout).toContain("Hooks    for this project\n");
  });

  it("tells of hooks that are installed twice", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    await carryon.call([...init, "--scope", "user"]);
    expect(await problemsOf(carryon)).toEqual([
      {
        what: "The hooks are installed twice, so that Claude Code may run each twice; nothing is recorded twice: <folder>/work/.claude/settings.local.json, <folder>/.claude/settings.json.",
        hint: "Take one of them back with `carryon uninit --scope project`.",
      },
    ]);
  });

  it("tells of hooks in a folder that became a repository, which init keeps out of commits then", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    await makeRepo(join(carryon.folder, "work"), ["first"]);
    const before = await readFile(join(carryon.folder, "work/.git/info/exclude"), "utf8");
    expect(await problemsOf(carryon)).toEqual([
      {
        what: "<folder>/work/.claude/settings.local.json has hooks, and nothing keeps it out of commits.",
        hint: "Run `carryon init` again: it tells git to leave the file out.",
      },
    ]);
    await carryon.call(init);
    expect(await problemsOf(carryon)).toEqual([]);
    await carryon.call(["uninit", "--yes"]);
    expect(await readFile(join(carryon.folder, "work/.git/info/exclude"), "utf8")).toBe(before);
  });

  it("tells of a Node and of a hook that have gone", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    const settings = join(carryon.folder, "work", ".claude", "settings.local.json");
    const text = await readFile(settings, "utf8");
    await writeFile(settings, text.replaceAll(process.execPath, "/nowhere/node"));
    await rm(join(carryon.folder, "home", "bin", "carryon-hook.cjs"));
    const hint = "Run `carryon init --scope project` again.";
    const gone = (path: string) => ({
      what: `The hooks in <folder>/work/.claude/settings.local.json record nothing: ${path} has gone.`,
      hint,
    });
    expect(await problemsOf(carryon)).toEqual([
      gone("/nowhere/node"),
      gone("<folder>/home/bin/carryon-hook.cjs"),
    ]);
    await carryon.call(init);
    expect(await problemsOf(carryon)).toEqual([]);
  });

  it("tells of hooks that cannot start sync", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    const launch = join(carryon.folder, "home", "bin", "carryon.json");
    const text = (await readFile(launch, "utf8")).replace(
      /"launcher":"[^"]*"/,
      '"launcher":"/nowhere/carryon"',
    );
    await writeFile(launch, text);
    expect(await problemsOf(carryon)).toEqual([
      {
        what: "Hooks cannot start sync: /nowhere/carryon has gone.",
        hint: "Run `carryon init --scope project` again.",
      },
    ]);
  });

  it("tells of hooks of another version and of a full spool", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    const home = join(carryon.folder, "home");
    const launch = join(home, "bin", "carryon.json");
    await writeFile(
      launch,
      (await readFile(launch, "utf8")).replace(/"version":"[^"]*"/, '"version":"0.0.1"'),
    );
    await mkdir(join(home, "spool"));
    for (const name of ["1.json", "2.json", ".3.json.tmp", "4.json.rejected"]) {
      await writeFile(join(home, "spool", name), "{}");
    }
    expect(await problemsOf(carryon)).toEqual([
      {
        what: expect.stringMatching(/^The hooks are of version 0\.0\.1, Carryon is \d/),
        hint: "Run `carryon init --scope project` again.",
      },
      {
        what: "2 events that hooks saw waited for the store in <folder>/home/spool.",
        hint: "Run `carryon sync`: it takes them in.",
      },
      {
        what: "A file in <folder>/home/spool could not be read.",
        hint: "Look into the files that end in .rejected, and delete them if they are of no use.",
      },
    ]);
  });

  it("tells of settings that it cannot read", async () => {
    await using carryon = await openCarryon();
    await mkdir(join(carryon.folder, "work", ".claude"));
    await writeFile(join(carryon.folder, "work", ".claude", "settings.local.json"), "{");
    expect(await problemsOf(carryon)).toEqual([
      {
        what: "<folder>/work/.claude/settings.local.json was left as it is: Line 1 is not JSON.",
        hint: "Correct the file, and run the command again.",
      },
    ]);
  });
});

import { once } from "node:events";
import { copyFile, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openChatting, scenarioOf } from "../support/open-chatting.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { ends, goesOn, runScenario, runs, writes } from "../support/run-scenario.ts";
import { repoIn } from "../support/save-repo.ts";

const homeOf = (carryon: Carryon) => join(carryon.folder, "home");

/** Starts a command that reads lines, and answers each of them with one. */
function startTalking(carryon: Carryon, args: readonly string[]) {
  const child = carryon.start(args);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const stderr = text(child.stderr);
  // A command that has stopped does not listen any more.
  child.stdin.on("error", () => undefined);
  const next = async () => (await answers.next()).value as string | undefined;
  return {
    next,
    say: (line: string) => {
      child.stdin.write(`${line}\n`);
      return next();
    },
    ended: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "close");
      return { code: child.exitCode, stderr: await stderr };
    },
  };
}

const said = (words: string) => JSON.stringify({ role: "user", text: words });

describe("carryon append", () => {
  it("acknowledges nothing more when the home is deleted, and says why", async () => {
    await using carryon = await openCarryon();
    const writer = startTalking(carryon, ["append"]);
    await writer.next();
    for (const words of ["one", "two", "three"]) expect(await writer.say(said(words))).toContain('"seq"');
    await rm(homeOf(carryon), { recursive: true });
    expect(await writer.say(said("four"))).toBe(undefined);
    const { code, stderr } = await writer.ended();
    expect({ code, stderr: stderr.replaceAll(carryon.folder, "<folder>") }).toMatchInlineSnapshot(`
      {
        "code": 74,
        "stderr": "carryon: The store <folder>/home/store.db was deleted or moved while it was in use. Nothing more is saved there.
        Put it back where it was, or bring a backup back with \`carryon restore\`. What was saved before is in the file that is gone.
      ",
      }
    `);
    expect(await readdir(carryon.folder)).not.toContain("home");
  });

  it("leaves a file that took the place of the store usable, and has saved all in the one before", async () => {
    await using carryon = await openCarryon();
    await carryon.record("before");
    await carryon.ask(["backup", "../old.db"]);
    const writer = startTalking(carryon, ["append"]);
    await writer.next();
    for (const words of ["one", "two", "three"]) await writer.say(said(words));
    const path = join(homeOf(carryon), "store.db");
    await rename(path, join(carryon.folder, "moved.db"));
    await copyFile(join(carryon.folder, "old.db"), path);
    expect(await writer.say(said("four"))).toBe(undefined);
    expect(await writer.ended()).toMatchObject({
      code: 74,
      stderr: expect.stringContaining("Another file has taken the place of the store"),
    });
    expect((await carryon.call(["verify"])).stdout).toContain("1 session, 2 entries: all whole");
    expect((await carryon.call(["doctor"])).code).toBe(0);
    await carryon.record("afterwards");
    await carryon.ask(["restore", "../moved.db", "--yes"]);
    expect((await carryon.call(["verify"])).stdout).toContain("2 sessions, 5 entries: all whole");
  });
});

describe("carryon chat", () => {
  it("keeps what was said in a file that it can go on with when the store is deleted", async () => {
    await using carryon = await openChatting(scenarioOf({ capital: [{ text: "Paris." }] }));
    const chat = startTalking(carryon, ["chat"]);
    expect(await chat.say("What is the capital?")).toBe("Paris.");
    await rm(homeOf(carryon), { recursive: true });
    expect(await chat.say("And of the sea? My key is ghp_012345678901234567890123456789abcdef")).toBe(
      undefined,
    );
    const { code, stderr } = await chat.ended();
    const [file = ""] = (await readdir(carryon.folder)).filter((name) => name.endsWith(".sexp"));
    const path = join(carryon.folder, file);
    expect({ code, mode: (await stat(path)).mode & 0o777 }).toEqual({ code: 74, mode: 0o600 });
    expect(stderr).toContain(`What was said is in ${path}.`);
    expect(stderr).toContain(`carryon chat --session-file ${path}`);
    const resumed = await carryon.call(["chat", "--session-file", path], { input: "Thank you.\n" });
    expect(resumed).toMatchObject({ code: 0, stdout: "Understood.\n" });
    const shown = await carryon.ask(["show", "latest"]);
    for (const words of ["What is the capital?", "Paris.", "And of the sea?", "Thank you."])
      expect(shown).toContain(words);
    expect(shown).not.toContain("ghp_0123");
  });

  it("keeps a reply that came when the store was gone already", async () => {
    const command = { tool: "bash", input: { command: 'rm -rf "$CARRYON_HOME"; echo done' } };
    await using carryon = await openChatting(
      scenarioOf({ tidy: [{ text: "I tidy up.", calls: [command] }] }),
    );
    const run = await carryon.call(["chat", "--yes"], { input: "Please tidy up.\nnever said\n" });
    const [file = ""] = (await readdir(carryon.folder)).filter((name) => name.endsWith(".sexp"));
    expect(run).toMatchObject({ code: 74, stderr: expect.stringContaining("What was said is in <folder>/") });
    expect(await carryon.ask(["import", join(carryon.folder, file)])).toContain("1");
    const shown = await carryon.ask(["show", "latest"]);
    for (const words of ["Please tidy up.", "I tidy up.", "done"]) expect(shown).toContain(words);
    expect(shown).not.toContain("never said");
  });
});

describe("carryon run", () => {
  it("stops when its worker deletes the home, with the command that resumes it", async () => {
    await using carryon = await openChatting(
      runScenario(
        [goesOn("Write one."), goesOn("Tidy up."), ends("All is done.")],
        [
          ...[writes("one.txt"), { text: "It is written." }],
          ...[runs('rm -rf "$CARRYON_HOME"'), { text: "It is tidy." }, { text: "It is tidy." }],
        ],
      ),
      { CARRYON_MODEL: "anthropic/claude-sonnet-5-5" },
    );
    await repoIn(join(carryon.folder, "work"));
    const failed = await carryon.run(["run", "Do it.", "--yes"]);
    expect(failed.code).toBe(74);
    expect(failed.stderr.match(/Round \d is saved/g)).toEqual(["Round 1 is saved"]);
    const [file = ""] = (await readdir(carryon.folder)).filter((name) => /^carryon-.*\.json$/.test(name));
    const path = join(carryon.folder, file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(failed.stderr.trimEnd().split("\n").at(-1)).toMatch(
      /^ {2}Resume with: carryon run --resume --session-file <folder>\/carryon-session-\S+\.json$/,
    );
    const resumed = await carryon.call(["run", "--resume", "--session-file", path, "--yes"]);
    expect([resumed.code, resumed.stdout]).toEqual([0, "All is done.\n"]);
    expect(resumed.stderr).not.toContain("write one.txt");
  });
});

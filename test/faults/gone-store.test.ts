import { exec } from "node:child_process";
import { once } from "node:events";
import { copyFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
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

describe("carryon append on a store that is written over in place", () => {
  it.each([": >", "head -c 8192 /dev/urandom >"])(
    "acknowledges nothing more after `%s`, and a new store can begin beside what is left",
    async (overwrite) => {
      await using carryon = await openCarryon();
      await carryon.record("before");
      const writer = startTalking(carryon, ["append"]);
      await writer.next();
      await writer.say(said("one"));
      await promisify(exec)(`${overwrite} "$0/store.db"`.replace("$0", homeOf(carryon)));
      expect(await writer.say(said("two"))).toBe(undefined);
      const { code, stderr } = await writer.ended();
      expect({ code, stderr: stderr.replaceAll(carryon.folder, "<folder>") }).toEqual({
        code: 74,
        stderr: `carryon: The store <folder>/home/store.db was emptied or overwritten while it was in use. Nothing more is saved there.
  Bring a backup back with \`carryon restore\`, or begin a new store with \`carryon doctor --move-aside\`.
`,
      });
      expect((await stat(join(homeOf(carryon), "store.db-wal"))).size).toBeGreaterThan(0);
      expect((await carryon.call(["sessions"])).code).toBe(74);
      expect((await carryon.call(["doctor", "--move-aside"])).code).toBe(0);
      await carryon.record("anew");
      expect((await readdir(homeOf(carryon))).filter((name) => /aside-\w+-wal$/.test(name))).toHaveLength(1);
    },
  );
});

describe("a store of which only the WAL is left", () => {
  it.each(["missing", "empty"])(
    "is refused by readers and writers alike when its file is %s",
    async (what) => {
      await using carryon = await openCarryon();
      const child = carryon.start(["append"]);
      child.stdin.write(`${said("one")}\n`);
      const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      for (const _ of ["session", "entry"]) await answers.next();
      child.kill("SIGKILL");
      await once(child, "close");
      const path = join(homeOf(carryon), "store.db");
      await (what === "missing" ? rm(path) : truncate(path));
      const reason =
        what === "missing"
          ? "it is missing, although the file with -wal at its end is there"
          : "it is empty, but the file with -wal at its end is not";
      const refused = {
        code: 74,
        stdout: "",
        stderr: `carryon: The store <folder>/home/store.db cannot be read: ${reason}. It was left as it is.
  Put the file back, or bring a backup back with \`carryon restore\`. Without a backup, \`carryon doctor --move-aside\` renames what is left, so that a new store can begin.
`,
      };
      for (const args of [
        ["sessions"],
        ["verify"],
        ["backup", "copy.db"],
        ["show", "latest"],
        ["search", "one"],
      ])
        expect([args, await carryon.call(args)]).toEqual([args, refused]);
      expect((await carryon.call(["append"])).stderr).toContain(`it is ${what}, `);
      const { code, stderr } = await carryon.call(["doctor", "--move-aside"]);
      const end = what === "missing" ? "-wal" : "";
      expect([code, stderr]).toEqual([
        0,
        `The store was moved to <folder>/home/store.db.aside-<stamp>${end}\n`,
      ]);
      const names = (await readdir(homeOf(carryon))).map((name) => name.replace(/\d{8}T\d{9}/, "<stamp>"));
      expect(names).toContain(`store.db.aside-<stamp>${end}`);
      await carryon.record("anew");
    },
  );
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
    expect(stderr).toContain(
      "If the store is refused, move what is left of it aside first: `carryon doctor --move-aside`",
    );
    expect(stderr).toContain(`carryon chat --session-file ${path}`);
    const resumed = await carryon.call(["chat", "--session-file", path], { input: "Thank you.\n" });
    expect(resumed).toMatchObject({ code: 0, stdout: "Understood.\n" });
    const shown = await carryon.ask(["show", "latest"]);
    for (const words of ["What is the capital?", "Paris.", "And of the sea?", "Thank you."])
      expect(shown).toContain(words);
    expect(shown).not.toContain("ghp_0123");
  });

  it.each([
    { way: "emptied", does: (path: string) => truncate(path) },
    { way: "overwritten", does: (path: string) => writeFile(path, "x".repeat(8192)) },
    {
      way: "damaged",
      does: async (path: string) => {
        using db = new DatabaseSync(path);
        db.exec("ALTER TABLE body RENAME TO nobody");
      },
    },
  ])("keeps what was said in a file when the store is $way in place", async ({ does }) => {
    await using carryon = await openChatting(scenarioOf({ capital: [{ text: "Paris." }] }));
    const first = await carryon.call(["chat"], { input: "What is the capital?\n" });
    expect(first.stdout).toBe("Paris.\n");
    const chat = startTalking(carryon, ["chat", "--session", "latest"]);
    expect(await chat.say("Thank you.")).toBe("Understood.");
    await does(join(homeOf(carryon), "store.db"));
    expect(await chat.say("And of the sea?")).toBe(undefined);
    const { code, stderr } = await chat.ended();
    const [file = ""] = (await readdir(carryon.folder)).filter((name) => name.endsWith(".sexp"));
    expect({ code, stderr }).toEqual({
      code: 74,
      stderr: expect.stringContaining(`What was said is in ${join(carryon.folder, file)}.`),
    });
    const text = await readFile(join(carryon.folder, file), "utf8");
    for (const words of ["What is the capital?", "Paris.", "Thank you.", "Understood.", "And of the sea?"])
      expect(text).toContain(words);
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

/** A program that makes a store unusable through SQLite. */
const damage = `new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("DROP TABLE body; DROP TABLE session_head")`;

describe("carryon run", () => {
  it.each([
    ': > "$CARRYON_HOME/store.db"',
    'head -c 8192 /dev/urandom > "$CARRYON_HOME/store.db"',
    'rm "$CARRYON_HOME/store.db"',
    `"${process.execPath}" -e '${damage}' "$CARRYON_HOME/store.db"`,
  ])("is kept in a file, and goes on from it in a new store, after `%s`", async (does) => {
    await using carryon = await openChatting(
      runScenario(
        [goesOn("Write one."), goesOn("Tidy up."), ends("All is done.")],
        [
          ...[writes("one.txt"), { text: "It is written." }],
          ...[runs(does), { text: "It is tidy." }, { text: "It is tidy." }],
        ],
      ),
      { CARRYON_MODEL: "anthropic/claude-sonnet-5-5" },
    );
    await repoIn(join(carryon.folder, "work"));
    // What is in the file then, and not only in the WAL, is lost.
    await carryon.record("before");
    const failed = await carryon.run(["run", "Do it.", "--yes"]);
    expect([failed.code, failed.stderr]).toEqual([
      74,
      expect.stringContaining("What was said is in <folder>/"),
    ]);
    const [file = ""] = (await readdir(carryon.folder)).filter((name) => /^carryon-.*\.json$/.test(name));
    expect(failed.stderr.trimEnd().split("\n").at(-1)).toMatch(
      /^ {2}Resume with: carryon run --resume --session-file <folder>\/carryon-session-\S+\.json$/,
    );
    expect((await carryon.call(["doctor", "--move-aside"])).code).toBe(0);
    const resume = ["run", "--resume", "--session-file", join(carryon.folder, file), "--yes"];
    const resumed = await carryon.call(resume);
    expect([resumed.code, resumed.stdout]).toEqual([0, "All is done.\n"]);
    expect(resumed.stderr).not.toContain("write one.txt");
  });

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

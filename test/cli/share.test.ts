import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { openMachine, type TestMachine } from "../support/open-machine.ts";
import { openDatabase } from "../support/postgres-database.ts";
import { testContext } from "../support/test-context.ts";

/** Makes a folder on a machine and records a session of user messages there; returns both. */
async function record(machine: TestMachine, folder: string, ...texts: readonly string[]) {
  const cwd = machine.path(folder);
  await mkdir(cwd, { recursive: true });
  const messages = texts.map((text) => ({ role: "user", text }));
  const [line = ""] = (await machine.ask(cwd, ["append"], messages)).split("\n");
  return { cwd, session: JSON.parse(line).session as string };
}

const idsIn = async (machine: TestMachine, cwd: string) =>
  JSON.parse(await machine.ask(cwd, ["sessions", "--all", "--json"])).sessions.map(
    ({ id }: { id: string }) => id,
  );

describe("push and pull", () => {
  it("exchange the sessions of this project with the store of another home, or those that are named, or all", async () => {
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd, session } = await record(here, "shop", "one", "two");
    const other = await record(here, "blog", "three");
    expect(await here.ask(cwd, ["push", there.home, "--create"])).toBe(
      `Pushed to ${there.home}/store.db: 3 entries; of 1 session 1 new.\n`,
    );
    expect(await idsIn(there, there.path())).toEqual([session]);
    expect(await here.ask(cwd, ["push", `${there.home}/store.db`])).toContain("nothing new in 1 session.");
    await here.ask(cwd, ["push", there.home, other.session]);
    expect((await idsIn(there, there.path())).toSorted()).toEqual([session, other.session].toSorted());
    await using third = await openMachine("third");
    const misnamed = await third.call(third.path(), ["pull", there.home, "--project", "weather"]);
    expect(misnamed.err).toMatch(
      /no project "weather" in this store\.\n {2}It has (shop, blog|blog, shop)\.\n$/,
    );
    const unknown = await third.call(third.path(), ["pull", there.home]);
    expect(unknown.out).toContain("nothing new in 0 sessions.");
    expect(unknown.err).toMatch(
      /does not have the project of this folder.*It has (shop, blog|blog, shop): `--p/,
    );
    const pulled = JSON.parse(await third.ask(third.path(), ["pull", there.home, "--all", "--json"]));
    expect(pulled).toMatchObject({ store: `${there.home}/store.db`, sessions: 2, scrubbed: 0 });
    {
      await using store = await openStore(third.home);
      expect(await store.search.describe()).toMatchObject({ documents: 3, behind: 0 });
    }
    const client = "carryon-append";
    const nothing = { was: null, reason: null, deletedAt: null };
    const added = { type: "added", session, knownAs: session, client, entries: 3, ...nothing };
    expect(pulled.changes[0]).toEqual(added);
    const [first = ""] = (await third.ask(third.path(), ["pull", there.home, session])).split("\n");
    expect(first).toContain("nothing new in 1 session.");
  });

  it("say what was deleted, what stays because it went on", async () => {
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd, session } = await record(here, "shop", "one");
    const gone = await record(here, "shop", "two");
    await here.ask(cwd, ["push", there.home, "--create"]);
    await there.ask(there.path(), ["append", "--session", session], [{ role: "user", text: "more" }]);
    await here.ask(cwd, ["delete", session, gone.session, "--yes"]);
    const pushed = await here.call(cwd, ["push", there.home]);
    expect(pushed.out).toContain("of 2 sessions 1 deleted.");
    expect(pushed.err).toBe(
      `Session ${session} was deleted here, and went on there since: ${session} stays\n`,
    );
    const pulled = await here.call(cwd, ["pull", there.home, "--all"]);
    expect(pulled.err).toContain(`it is kept as ${session}-here`);
    expect(await idsIn(here, cwd)).toEqual([`${session}-here`]);
  });

  it("take out of the files of the store, and of its index, what was scrubbed elsewhere", async () => {
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd } = await record(there, "shop", "the word is frobnicate-quux", "two");
    await here.ask(here.path(), ["pull", there.home, "--all"]);
    expect(await here.ask(here.path(), ["search", "quux", "--all"])).toContain("frobnicate");
    await there.ask(cwd, ["scrub", "frobnicate-quux", "--yes"]);
    expect(await here.ask(here.path(), ["pull", there.home, "--all"])).toContain("Scrubbed here too: 1");
    expect(await here.ask(here.path(), ["search", "quux", "--all"])).toBe("");
    expect((await here.call(here.path(), ["doctor"])).out).not.toContain("A scrub is not finished");
    for (const name of await readdir(here.home))
      if (name.startsWith("store.db"))
        expect(await readFile(join(here.home, name), "latin1")).not.toContain("quux");
  });

  it("do not count what is gone where there is nothing to do about it", async () => {
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd, session } = await record(here, "shop", "one");
    const gone = await record(here, "shop", "two");
    await record(here, "shop", "three");
    await here.ask(cwd, ["push", there.home, "--create"]);
    const never = await record(here, "shop", "nobody has it");
    await here.ask(cwd, ["delete", gone.session, never.session, "--yes"]);
    expect(await here.ask(cwd, ["push", there.home])).toContain("of 3 sessions 1 deleted.");
    expect(await here.ask(cwd, ["push", there.home])).toContain("nothing new in 2 sessions.");
    expect(await here.ask(cwd, ["pull", there.home, "--all"])).toContain("nothing new in 2 sessions.");
    await there.ask(there.path(), ["delete", session, "--yes"]);
    expect((await here.call(cwd, ["push", there.home])).out).toContain("nothing new in 1 session.");
  });

  it.each([
    { args: ["push"], code: 3, says: "There is no other store to exchange sessions with." },
    { args: ["push", "latest", "/tmp/x"], code: 2, says: "A store comes first" },
    { args: ["push", "/nowhere", "latest", "--all"], code: 2, says: "Name sessions, or a project." },
    {
      args: ["pull", "/nowhere/at/all"],
      code: 2,
      says: "Check its name. `carryon push STORE --create` makes one",
    },
    { args: ["push", "postgres://ada:hunter2@127.0.0.1:1/x"], code: 75, says: "nothing listens there" },
    {
      args: ["push", "postgres://ada@127.0.0.1:1/x?password=hunter2"],
      code: 3,
      says: "before the question mark",
    },
  ])("$args ends with $code", async ({ args, code, says }) => {
    await using here = await openMachine("here");
    const answer = await here.call(here.path(), args);
    expect(answer).toMatchObject({ code, out: "", err: expect.stringContaining(says) });
    expect(answer.err).not.toMatch(/hunter2/);
  });

  it("do not exchange a store with itself, by whatever name", async () => {
    await using here = await openMachine("here");
    const { cwd } = await record(here, "shop", "one");
    await symlink(here.home, here.path("linked"));
    for (const name of [here.home, here.path("linked"), `${here.home}/store.db`])
      expect(await here.call(cwd, ["push", name])).toMatchObject({
        code: 2,
        err: expect.stringContaining("is the store of this machine itself"),
      });
  });

  it("tell what was saved and handed over apart from sessions", async () => {
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd } = await record(here, "shop", "one");
    await here.ask(cwd, ["handover", "draft", "--done", "x", "--next", "y"]);
    expect(await here.ask(cwd, ["push", there.home, "--create"])).toMatch(
      /: \d entries; of 1 session 1 new; and what was saved and handed over\.\n$/,
    );
    await here.ask(cwd, ["handover", "draft", "--done", "x", "--next", "z"]);
    expect(await here.ask(cwd, ["push", there.home])).toMatch(
      /: \d (entry|entries); nothing new in 1 session; and what was saved and handed over\.\n$/,
    );
    expect(await here.ask(cwd, ["push", there.home])).toMatch(/: nothing new in 1 session\.\n$/);
  });

  it("bring a title to where the session went on", async () => {
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd, session } = await record(here, "shop", "one");
    await here.ask(cwd, ["push", there.home, "--create"]);
    await here.ask(cwd, ["rename", session, "The login"]);
    await there.ask(there.path(), ["append", "--session", session], [{ role: "user", text: "two" }]);
    const pushed = await here.call(cwd, ["push", there.home]);
    expect(pushed).toMatchObject({
      out: expect.stringContaining("of 1 session 1 titled or tagged."),
      err: "",
    });
    const pulled = await here.call(cwd, ["pull", there.home]);
    expect(pulled.err).toBe(`Session ${session} went on elsewhere, and is ${session}-here here now\n`);
    const shown = JSON.parse(await here.ask(cwd, ["show", session, "--json"]));
    expect(shown.session).toMatchObject({ id: `${session}-here`, title: "The login", messages: 2 });
    expect(await idsIn(here, cwd)).toEqual([`${session}-here`]);
  });

  it("take no file that is not a store", async () => {
    await using here = await openMachine("here");
    await writeFile(here.path("backup.db"), "");
    expect((await here.call(here.path(), ["push", "./backup.db"])).err).toContain(
      "is not the home folder of a store",
    );
  });

  it("show a bar on a terminal, and the answer alone in a pipe", async () => {
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd } = await record(here, "shop", "one");
    const isTerminal = { input: false, output: false, error: true };
    const context = testContext(cwd, { env: { CARRYON_HOME: here.home }, isTerminal, columns: 80 });
    expect(await runCli(["push", there.home, "--create"], context)).toBe(0);
    expect(context.said.err).toContain("████████████████████████ 1 of 1 sessions");
    expect((await here.call(cwd, ["push", there.home])).err).toBe("");
  });
});

describe("remote in config.yaml", () => {
  const configure = (machine: TestMachine, text: string) =>
    writeFile(`${machine.home}/config.yaml`, text, { mode: 0o600 });

  it("is where push and pull go, and what sync keeps in step for the projects that are named, and no others", async () => {
    await using database = await openDatabase();
    await using here = await openMachine("here");
    await using there = await openMachine("there");
    const { cwd, session } = await record(here, "shop", "shared");
    await record(here, "diary", "private");
    await configure(here, `remote: ${database.url}\n`);
    expect(await here.ask(cwd, ["sync"])).not.toContain("Pushed");
    expect(await here.ask(cwd, ["status"])).toContain("sync shares no project");
    await configure(here, `remote:\n  url: ${database.url}\n  projects: [shop]\n`);
    expect(await here.ask(cwd, ["sync"])).toContain(`Pushed to ${database.shown}`);
    expect(await here.ask(cwd, ["status"])).toMatch(/Remote +\S+, in step /);
    await there.ask(there.path(), ["pull", database.url, "--all"]);
    expect(await idsIn(there, there.path())).toEqual([session]);
    await there.ask(there.path(), ["append", "--session", session], [{ role: "user", text: "back" }]);
    await there.ask(there.path(), ["push", database.url, "--all"]);
    const synced = JSON.parse(await here.ask(cwd, ["sync", "--json"]));
    expect(synced.remote.pulled[0].changes).toMatchObject([{ type: "extended", session }]);
    expect(await here.ask(cwd, ["push"])).toContain("nothing new");
    expect(await here.ask(cwd, ["import", "claude-code"])).not.toContain("Pushed");
  });

  it("says which of its names no project goes by, and is not in step by them", async () => {
    await using database = await openDatabase();
    await using here = await openMachine("here");
    const { cwd } = await record(here, "shop", "shared");
    await configure(here, `remote:\n  url: ${database.url}\n  projects: [shpo]\n`);
    const synced = await here.call(cwd, ["sync"]);
    expect(synced.err).toBe(
      `Not in step with ${database.shown}: no project here is called shpo: \`carryon status\` in its folder says its name\n`,
    );
    for (const command of ["status", "doctor"])
      expect(await here.ask(cwd, [command])).toContain("not in step yet; no project here is called shpo");
    await configure(here, `remote:\n  url: ${database.url}\n  projects: [shop, shpo]\n`);
    expect(JSON.parse(await here.ask(cwd, ["sync", "--json"])).remote).toMatchObject({
      pushed: [{ sessions: 1 }],
      missing: ["shpo"],
    });
    expect(await here.ask(cwd, ["status"])).toMatch(/in step \S+ \S+; no project here is called shpo/);
  });

  it("disturbs nobody while its server is away: sync goes on, and status and doctor tell", async () => {
    await using here = await openMachine("here");
    const { cwd } = await record(here, "shop", "one");
    await configure(here, "remote:\n  url: postgres://ada:hunter2@127.0.0.1:1/x\n  projects: all\n");
    const synced = await here.call(cwd, ["sync"]);
    expect(synced).toMatchObject({ code: 0, err: expect.stringContaining("Not in step with 127.0.0.1:1/x") });
    expect((await here.call(cwd, ["sync", "--quiet"])).err).toBe("");
    const told = [await here.ask(cwd, ["status"]), await here.ask(cwd, ["doctor"])];
    for (const each of told) expect(each).toContain("not in step yet");
    expect(JSON.parse(await here.ask(cwd, ["status", "--json"])).remote).toMatchObject({
      isShared: true,
      inStepAt: null,
      trouble: { message: expect.stringContaining("nothing listens there") },
    });
    expect([...told, synced.err, synced.out].join("")).not.toContain("hunter2");
  });

  it.each([
    { text: "remote: 5", says: "remote must be an address, or a map" },
    { text: "remote:\n  projects: all", says: "remote needs a url" },
    {
      text: "remote:\n  url: postgres://h/d\n  projects: 3",
      says: "projects must be a list of names, or all",
    },
    { text: "remote:\n  url: postgres://h/d\n  who: me", says: "remote has a field that there is not" },
    { text: "remote: mysql://u:hunter2@h/d", says: "remote is not a valid address" },
  ])("$text is refused with its line", async ({ text, says }) => {
    await using here = await openMachine("here");
    await configure(here, `${text}\n`);
    const { code, err } = await here.call(here.path(), ["push"]);
    expect([code, err.includes(says), err.includes("hunter2")]).toEqual([3, true, false]);
  });

  it("is refused where others can read its password", async () => {
    await using here = await openMachine("here");
    await writeFile(`${here.home}/config.yaml`, "remote: postgres://ada:pw@h/d\n", { mode: 0o644 });
    expect((await here.call(here.path(), ["push"])).err).toContain("Other users can read");
  });
});

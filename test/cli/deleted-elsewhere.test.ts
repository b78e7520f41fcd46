import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TestMachine } from "../support/open-machine.ts";
import { openDatabase } from "../support/postgres-database.ts";
import { openTwoClones } from "../support/two-clones.ts";

async function record(machine: TestMachine, cwd: string, words: string): Promise<string> {
  const [line = ""] = (await machine.ask(cwd, ["append"], [{ role: "user", text: words }])).split("\n");
  return JSON.parse(line).session;
}

const idsIn = async (machine: TestMachine, cwd: string): Promise<readonly string[]> =>
  JSON.parse(await machine.ask(cwd, ["sessions", "--json"])).sessions.map(({ id }: { id: string }) => id);

const deletions = async (machine: TestMachine, cwd: string): Promise<unknown> =>
  JSON.parse(await machine.ask(cwd, ["status", "--json"])).deleted_elsewhere;

const isKept = (session: string, store: string) =>
  `Session ${session} was deleted elsewhere (${store}), and is kept here, where it was begun or continued. ` +
  `To delete it here too: carryon delete ${session}`;

/** Ada and Ben share a project through a server; Ben has deleted the session that Ada began, and has told the server. */
async function openTeam() {
  const database = await openDatabase();
  const two = await openTwoClones();
  const { host, pathname } = new URL(database.url);
  for (const { home } of [two.ada, two.ben])
    await writeFile(join(home, "config.yaml"), `remote:\n  url: ${database.url}\n  projects: all\n`, {
      mode: 0o600,
    });
  const session = await record(two.ada, two.onAda, "make the form work");
  await two.asAda("sync");
  // By this the two know the project by one name.
  await two.asBen("pull");
  await two.asBen("delete", session, "--yes");
  await two.asBen("sync");
  return {
    ...{ ...two, database, session, store: `${host}${pathname}` },
    [Symbol.asyncDispose]: async () => {
      await two[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

describe("a session of this machine that somebody else deleted", () => {
  it("survives a quiet sync, and status names it once after that", async () => {
    await using team = await openTeam();
    const { ada, onAda, session, store } = team;
    expect(await ada.call(onAda, ["sync", "--quiet"])).toEqual({ code: 0, out: "", err: "" });
    expect(await ada.call(onAda, ["sync", "--quiet"])).toEqual({ code: 0, out: "", err: "" });
    expect(await idsIn(ada, onAda)).toEqual([session]);
    // A script has seen it, and no person.
    const told = { session, store, at: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(await deletions(ada, onAda)).toEqual([told]);
    expect(await deletions(ada, onAda)).toEqual([told]);
    const status = await ada.ask(onAda, ["status"]);
    expect(status.replaceAll(/\s+/g, " ")).toContain(isKept(session, store));
    expect(await ada.ask(onAda, ["status"])).not.toContain("deleted elsewhere");
    const synced = await ada.call(onAda, ["sync"]);
    expect(synced.err).not.toContain("deleted");
    expect(await deletions(ada, onAda)).toEqual([]);
  });

  it("is named by a sync once, which is not pushed back, and returns when it goes on", async () => {
    await using team = await openTeam();
    const { ada, ben, onAda, onBen, session, store } = team;
    const [first, second] = [await ada.call(onAda, ["sync"]), await ada.call(onAda, ["sync"])];
    expect(first.err).toContain(`${isKept(session, store)}\n`);
    expect(first.err.split("deleted elsewhere")).toHaveLength(2);
    expect(second.err).not.toContain("deleted");
    expect(await ada.ask(onAda, ["status"])).not.toContain("deleted elsewhere");
    const pushed = JSON.parse(await ada.ask(onAda, ["push", "--json"]));
    expect(pushed.changes).toEqual([
      expect.objectContaining({ type: "withheld", session, deletedAt: expect.any(String) }),
    ]);
    expect((await ada.call(onAda, ["push"])).err).toBe("");
    await ben.ask(onBen, ["sync"]);
    expect(await idsIn(ben, onBen)).toEqual([]);
    await ada.ask(onAda, ["append", "--session", session], [{ role: "user", text: "more" }]);
    expect((await ada.call(onAda, ["push"])).err).toBe(
      `Session ${session} was deleted there, and went on here since: it is kept as ${session}-ada-laptop\n`,
    );
    expect((await ben.call(onBen, ["pull"])).err).toContain("was deleted here, and went on there since");
    expect(await idsIn(ben, onBen)).toEqual([`${session}-ada-laptop`]);
  });

  it("is named by a pull, is shared again as a fork, and is gone when it is deleted here too", async () => {
    await using team = await openTeam();
    const { ada, ben, onAda, onBen, session, store } = team;
    expect((await ada.call(onAda, ["pull"])).err).toBe(`${isKept(session, store)}\n`);
    expect((await ada.call(onAda, ["pull"])).err).toBe("");
    await ada.ask(onAda, ["fork", session, "--title", "Again"]);
    expect(await ada.ask(onAda, ["push"])).toContain("1 new");
    await ben.ask(onBen, ["pull"]);
    expect(await idsIn(ben, onBen)).toHaveLength(1);
    await ada.ask(onAda, ["delete", session, "--yes"]);
    const { err } = await ada.call(onAda, ["sync"]);
    expect(err).not.toContain("deleted");
    expect(await idsIn(ada, onAda)).toEqual(await idsIn(ben, onBen));
  });

  it("is not named any more after it was deleted here", async () => {
    await using team = await openTeam();
    const { ada, onAda, session } = team;
    await ada.ask(onAda, ["sync", "--quiet"]);
    await ada.ask(onAda, ["delete", session, "--yes"]);
    expect(await deletions(ada, onAda)).toEqual([]);
    expect(await ada.ask(onAda, ["status"])).not.toContain("deleted elsewhere");
    expect((await ada.call(onAda, ["sync"])).err).not.toContain("deleted");
  });

  it("is named by status also where it went on before a quiet sync heard of the deletion", async () => {
    await using team = await openTeam();
    const { ada, onAda, session, store } = team;
    await ada.ask(onAda, ["append", "--session", session], [{ role: "user", text: "more" }]);
    expect(await ada.call(onAda, ["sync", "--quiet"])).toEqual({ code: 0, out: "", err: "" });
    expect((await ada.ask(onAda, ["status"])).replaceAll(/\s+/g, " ")).toContain(isKept(session, store));
    expect((await ada.call(onAda, ["sync"])).err).not.toContain("deleted");
  });

  it("stays in a folder store too, and whoever deleted it is told once", async () => {
    await using two = await openTwoClones();
    const { ada, ben, onAda, onBen } = two;
    const session = await record(ada, onAda, "make the form work");
    await two.toBen();
    await two.asBen("delete", session, "--yes");
    const pushed = await ben.call(onBen, ["push", ada.home]);
    expect(pushed.err).toBe(
      `Session ${session} was deleted here, and is kept in ${ada.home}/store.db, where it was begun or continued.\n`,
    );
    for (const command of ["push", "pull"]) expect((await ben.call(onBen, [command, ada.home])).err).toBe("");
    expect(await idsIn(ada, onAda)).toEqual([session]);
    expect((await ada.call(onAda, ["pull", ben.home])).err).toBe(
      `${isKept(session, `${ben.home}/store.db`)}\n`,
    );
  });

  it("stays on the machine that began it, also after its home was lost and the session pulled back", async () => {
    await using two = await openTwoClones();
    const { ada, ben, onAda, onBen } = two;
    const session = await record(ada, onAda, "make the form work");
    await two.toBen();
    for (const name of await readdir(ada.home)) await rm(join(ada.home, name), { recursive: true });
    await two.asAda("pull", ben.home);
    expect(await idsIn(ada, onAda)).toEqual([session]);
    await two.asBen("delete", session, "--yes");
    expect((await ben.call(onBen, ["push", ada.home])).err).toContain(`is kept in ${ada.home}/store.db`);
    expect((await ada.call(onAda, ["pull", ben.home])).err).toBe(
      `${isKept(session, `${ben.home}/store.db`)}\n`,
    );
    expect(await idsIn(ada, onAda)).toEqual([session]);
  });

  it("is deleted in a folder store that only was pushed to, also by a machine of the same name", async () => {
    await using two = await openTwoClones();
    const { ada, onAda } = two;
    const session = await record(ada, onAda, "make the form work");
    const store = ada.path("stick");
    await two.asAda("push", store, "--create");
    await two.asAda("delete", session, "--yes");
    expect(await two.asAda("push", store)).toContain("1 deleted");
  });

  it("is named by the pull that deletes it where it only came from elsewhere", async () => {
    await using two = await openTwoClones();
    const { ada, ben, onAda, onBen } = two;
    const session = await record(ada, onAda, "make the form work");
    await two.asBen("pull", ada.home);
    await two.asAda("delete", session, "--yes");
    expect(await ben.call(onBen, ["pull", ada.home])).toEqual({
      code: 0,
      out: `Pulled from ${ada.home}/store.db: 0 entries; of 1 session 1 deleted.\n`,
      err: `Session ${session} was deleted there, and is deleted here too\n`,
    });
  });

  it("goes where it only came from elsewhere, as before", async () => {
    await using two = await openTwoClones();
    const { ada, ben, onAda, onBen } = two;
    const session = await record(ada, onAda, "make the form work");
    await two.toBen();
    await two.asAda("delete", session, "--yes");
    expect(await two.toBen()).toContain("1 deleted");
    expect(await idsIn(ben, onBen)).toEqual([]);
    expect(await ben.ask(onBen, ["status"])).not.toContain("deleted elsewhere");
    expect((await ada.call(onAda, ["pull", ben.home])).err).toBe("");
  });
});

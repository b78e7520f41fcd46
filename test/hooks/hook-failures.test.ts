import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { drainSpool } from "../../src/storage/drain-spool.ts";
import { openHook, promptOf, silence } from "../support/open-hook.ts";

/** Changes a database directly. */
function tamper(home: string, sql: string): void {
  const db = new DatabaseSync(join(home, "store.db"));
  db.exec(sql);
  db.close();
}

describe("a hook that cannot write the store", () => {
  it("leaves a spool file when the store stays locked, which is drained later", async () => {
    await using hook = await openHook();
    const db = new DatabaseSync(join(hook.home, "store.db"));
    db.exec("BEGIN IMMEDIATE");
    expect(await hook.run(promptOf("first"))).toEqual(silence);
    expect(await hook.run(promptOf("second"))).toEqual(silence);
    db.exec("ROLLBACK");
    db.close();
    expect(await hook.spool()).toHaveLength(2);
    const [name = ""] = await hook.spool();
    expect((await stat(join(hook.home, "spool", name))).mode & 0o777).toBe(0o600);
    expect(await hook.inbox()).toEqual([]);
    expect(await drainSpool(hook.home)).toEqual({ items: 2, rejected: [] });
    expect((await hook.inbox()).map(({ event, payload }) => [event, payload])).toEqual([
      ["UserPromptSubmit", { cwd: "/nowhere", prompt: "first" }],
      ["UserPromptSubmit", { cwd: "/nowhere", prompt: "second" }],
    ]);
    expect(await hook.spool()).toEqual([]);
    const note = expect.stringMatching(/ hook: UserPromptSubmit went into the spool: database is locked$/);
    expect(await hook.log()).toEqual([note, note]);
  });

  it.each([
    { case: "is of another program", spoil: (home: string) => tamper(home, "PRAGMA application_id = 7") },
    { case: "has no inbox yet", spoil: (home: string) => tamper(home, "DROP TABLE inbox") },
    { case: "is not in WAL mode", spoil: (home: string) => tamper(home, "PRAGMA journal_mode = DELETE") },
    { case: "is no database", spoil: (home: string) => writeFile(join(home, "store.db"), "x".repeat(9000)) },
    { case: "is damaged", spoil: (home: string) => overwriteSchema(join(home, "store.db")) },
    { case: "is empty", spoil: (home: string) => writeFile(join(home, "store.db"), "") },
  ])("leaves a spool file and the store as it is when it $case", async ({ spoil }) => {
    await using hook = await openHook();
    await spoil(hook.home);
    const before = await readFile(join(hook.home, "store.db"));
    expect(await hook.run(promptOf("hello"))).toEqual(silence);
    expect(await hook.spool()).toHaveLength(1);
    expect(await hook.log()).toEqual([
      expect.stringMatching(/ hook: UserPromptSubmit went into the spool: /),
    ]);
    expect(Buffer.compare(await readFile(join(hook.home, "store.db")), before)).toBe(0);
  });

  it("leaves the WAL of an emptied store alone", async () => {
    await using hook = await openHook({ store: false });
    await writeFile(join(hook.home, "store.db"), "");
    await writeFile(join(hook.home, "store.db-wal"), "acknowledged");
    expect(await hook.run(promptOf("hello"))).toEqual(silence);
    expect(await readFile(join(hook.home, "store.db-wal"), "utf8")).toBe("acknowledged");
    expect(await hook.spool()).toHaveLength(1);
  });

  it("leaves a spool file when there is no store, and makes none", async () => {
    await using hook = await openHook({ store: false });
    expect(await hook.run(promptOf("hello"))).toEqual(silence);
    await expect(stat(join(hook.home, "store.db"))).rejects.toThrow("ENOENT");
    expect(await drainSpool(hook.home)).toEqual({ items: 1, rejected: [] });
    expect((await hook.inbox()).map(({ payload }) => payload)).toEqual([
      { cwd: "/nowhere", prompt: "hello" },
    ]);
  });

  it("notes what is lost when there is no spool either", async () => {
    await using hook = await openHook({ store: false });
    await writeFile(join(hook.home, "spool"), "");
    expect(await hook.run(promptOf("hello"))).toEqual(silence);
    expect(await hook.log()).toEqual([
      expect.stringMatching(/ hook: UserPromptSubmit is lost: ENOENT: .*store\.db'; ENOTDIR: /),
    ]);
  });

  it("lets the client go on when not even that can be noted", async () => {
    await using hook = await openHook({ store: false });
    await writeFile(join(hook.home, "spool"), "");
    await mkdir(join(hook.home, "carryon.log"));
    expect(await hook.run(promptOf("hello"))).toEqual(silence);
  });

  it("stops writing to a log that has grown large", async () => {
    await using hook = await openHook();
    await writeFile(join(hook.home, "carryon.log"), `${"x".repeat(1_100_000)}\n`);
    expect(await hook.run("broken")).toEqual(silence);
    expect(await hook.log()).toHaveLength(1);
  });
});

describe("a hook that is killed", () => {
  it("stores nothing while it has not heard everything", async () => {
    await using hook = await openHook();
    const child = spawn(process.execPath, [hook.bundle], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.write(JSON.stringify(promptOf("half")).slice(0, -3));
    await new Promise((resolve) => setTimeout(resolve, 150));
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await hook.inbox()).toEqual([]);
    expect([await hook.spool(), await hook.log()]).toEqual([[], []]);
  });
});

/** Writes over the page that says which tables there are, but not over the header. */
async function overwriteSchema(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.fill(0xa5, 100, 8192);
  await writeFile(path, bytes);
}

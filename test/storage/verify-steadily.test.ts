import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { makeGuard } from "../../src/storage/guard.ts";
import { locateStore, openStore, type Store } from "../../src/storage/open-store.ts";
import { SqlConversationLog } from "../../src/storage/sql-conversation-log.ts";
import type { SqlDriver } from "../../src/storage/sql-driver.ts";
import { openForWriting } from "../../src/storage/sqlite/open-connection.ts";
import { SqliteDriver } from "../../src/storage/sqlite/sqlite-driver.ts";
import { later, said } from "../support/entries.ts";
import { fillStore, tamper } from "../support/store-files.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const one = parseSessionId("one");
const key = new Uint8Array(32);

/** Opens a log that lets others do something each time just before it reads entries to verify them. */
async function openDisturbed(dir: TempDir, disturb: () => Promise<unknown>): Promise<ConversationLog> {
  const path = locateStore(dir.path);
  const driver = new SqliteDriver(await openForWriting(path), { path, busyDeadlineMs: 1000 });
  const disturbed: SqlDriver = {
    dialect: driver.dialect,
    version: driver.version,
    all: async (sql, params) => {
      if (sql.includes("e.messages")) await disturb();
      return driver.all(sql, params);
    },
    run: (...args) => driver.run(...args),
    runEach: (statements) => driver.runEach(statements),
    transaction: (...args) => driver.transaction(...args),
    flush: () => driver.flush(),
    wipe: () => driver.wipe(),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
  return new SqlConversationLog(disturbed, makeGuard(key));
}

async function openFilled(dir: TempDir): Promise<Store> {
  await fillStore(dir.path);
  return await openStore(dir.path);
}

it("finds a session whole that is scrubbed while it is verified, several times over", async () => {
  await using dir = await tempDir();
  await using store = await openFilled(dir);
  const words = ["fourth", "long end"];
  await using log = await openDisturbed(dir, async () => {
    const word = words.shift();
    if (word !== undefined) await store.scrubber.replace(literalPattern(word), later(1));
  });
  expect(await log.verify(one)).toMatchObject({ scrubbed: 2, problem: null });
});

it("reports damage although others append all the time", async () => {
  await using dir = await tempDir();
  await using store = await openFilled(dir);
  tamper(dir.path, "UPDATE body SET json = replace(json, 'fourth', 'forth')");
  let count = 0;
  await using log = await openDisturbed(dir, async () => {
    count += 1;
    await store.log.append(one, [said(`n${count}`, `${count}`)]);
  });
  expect(await log.verify(one)).toMatchObject({
    entries: 3,
    problem: { seq: 4, reason: "its content does not match its hash" },
  });
});

it("takes a session that is deleted while it is verified for what it is: gone", async () => {
  await using dir = await tempDir();
  await using store = await openFilled(dir);
  await store.log.delete(parseSessionId("two"), later(1));
  await using log = await openDisturbed(dir, () => store.log.delete(one, later(1)).catch(() => undefined));
  await expect(log.verify(one)).rejects.toMatchObject({ code: "session-not-found" });
});

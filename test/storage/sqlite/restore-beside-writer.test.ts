import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readOwnIdentity } from "../../../src/lib/process-identity.ts";
import { parseSessionId } from "../../../src/sessions/ids.ts";
import { openWriter, type SessionWriter } from "../../../src/sessions/session-writer.ts";
import { backupStore, restoreStore } from "../../../src/storage/maintenance.ts";
import { openStore, type Store } from "../../../src/storage/open-store.ts";
import { newFork, said, start } from "../../support/entries.ts";
import { readContent, sayIn } from "../../support/store-content.ts";
import { tamper } from "../../support/store-files.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const one = parseSessionId("one");
const options = { program: "carryon append", now: start };
const wentBack = { kind: "conflict", code: "session-went-back" };

interface Held extends AsyncDisposable {
  readonly home: string;
  readonly file: string;
  readonly store: Store;
  readonly writer: SessionWriter;
}

/** A writer of a session, a backup that was made while it wrote, and more that it was told is saved. */
async function openHeld(dir: TempDir, session: string): Promise<Held> {
  const [home, file] = [dir.join("home"), dir.join("backup.db")];
  await sayIn(home, "one", "a", "first");
  const store = await openStore(home);
  if (session !== "one") await store.log.fork(newFork(session));
  const writer = await openWriter(store, parseSessionId(session), options);
  await writer.append([said("b", "second")]);
  await backupStore(home, file, { overwrite: false });
  await writer.append([said("c", "third")]);
  const close = () => store[Symbol.asyncDispose]();
  return { home, file, store, writer, [Symbol.asyncDispose]: close };
}

describe("restoring a backup while a process writes a session", () => {
  it("is refused, names the writer, and changes nothing", async () => {
    await using dir = await tempDir();
    await using held = await openHeld(dir, "one");
    const before = await readContent(held.home);
    const { pid, host } = await readOwnIdentity();
    await expect(restoreStore(held.home, held.file, start)).rejects.toMatchObject({
      kind: "conflict",
      code: "session-in-use",
      message: `Session one is being written by carryon append (process ${pid} on ${host}).`,
      hint: expect.stringContaining("carryon sessions --take-over one"),
    });
    expect(await readContent(held.home)).toEqual(before);
    expect((await readdir(held.home)).filter((name) => name.includes("restore"))).toEqual([]);
    expect(await held.writer.append([said("d", "fourth")])).toEqual([{ seq: 4, id: "d", isNew: true }]);
  });

  it.each([
    { what: "a session", session: "one" },
    { what: "a fork", session: "fork" },
  ])("when told so, lets the writer of $what add nothing more, and tells it why", async ({ session }) => {
    await using dir = await tempDir();
    await using held = await openHeld(dir, session);
    await restoreStore(held.home, held.file, start, { evenIfWritten: true });
    const restored = await readContent(held.home);
    await expect(held.writer.append([said("d", "fourth")])).rejects.toMatchObject(wentBack);
    await expect(held.writer.append([said("e", "fifth")])).rejects.toMatchObject(wentBack);
    expect(await readContent(held.home)).toEqual(restored);
  });

  it("tells a writer the same although another has taken the session since", async () => {
    await using dir = await tempDir();
    await using held = await openHeld(dir, "one");
    await restoreStore(held.home, held.file, start, { evenIfWritten: true });
    const { epoch } = (await held.store.leases.find(one)) ?? { epoch: -1 };
    await held.store.leases.end({ session: one, epoch });
    await using other = await openStore(held.home);
    await using _next = await openWriter(other, one, options);
    await expect(held.writer.append([said("d", "fourth")])).rejects.toMatchObject(wentBack);
  });

  it("tells a writer whose session is not in the backup at all", async () => {
    await using dir = await tempDir();
    const { file } = await openHeld(dir, "one").then(async (held) => {
      await held[Symbol.asyncDispose]();
      return held;
    });
    const home = dir.join("other");
    await sayIn(home, "two", "x", "elsewhere");
    await using store = await openStore(home);
    const writer = await openWriter(store, parseSessionId("two"), options);
    await restoreStore(home, file, start, { evenIfWritten: true });
    await expect(writer.append([said("y", "more")])).rejects.toMatchObject(wentBack);
  });

  it("lets the same process write again under a new lease", async () => {
    await using dir = await tempDir();
    await using held = await openHeld(dir, "one");
    await restoreStore(held.home, held.file, start, { evenIfWritten: true });
    const { epoch } = (await held.store.leases.find(one)) ?? { epoch: -1 };
    await held.store.leases.end({ session: one, epoch });
    const next = await openWriter(held.store, one, options);
    expect(await next.append([said("d", "again")])).toEqual([{ seq: 3, id: "d", isNew: true }]);
  });

  it.each([
    {
      what: "whose writer is gone",
      sql: `UPDATE lease SET holder = replace(holder, '"started":"', '"started":"9')`,
    },
    { what: "with a damaged lease", sql: "UPDATE lease SET holder = 'x'" },
  ])("is not refused for a session $what", async ({ sql }) => {
    await using dir = await tempDir();
    await using held = await openHeld(dir, "one");
    tamper(held.home, sql);
    expect(await restoreStore(held.home, held.file, start)).toMatchObject({ sessions: 1 });
  });
});

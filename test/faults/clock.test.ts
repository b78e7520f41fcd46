import { globSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { openStore } from "../../src/storage/open-store.ts";
import { childEnv, start } from "../support/child.ts";
import { collect } from "../support/entries.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";
import { launcher } from "../support/test-context.ts";

const [library = ""] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
const hour = 3_600_000;

/** Says how far the clock of a program is off, also while it runs. */
async function setClock(dir: TempDir, offset: string): Promise<void> {
  await writeFile(dir.join("offset"), offset);
}

/** Starts `carryon append` with a clock that can be set. Timers go on as before: they count on another clock. */
async function startAppend(dir: TempDir, args: readonly string[]) {
  await mkdir(dir.join("empty"), { recursive: true });
  const env = {
    ...{ ...childEnv, CARRYON_HOME: dir.join("home"), LD_PRELOAD: library },
    ...{ FAKETIME_TIMESTAMP_FILE: dir.join("offset"), FAKETIME_NO_CACHE: "1" },
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const child = start("env", ["-C", dir.join("empty"), process.execPath, launcher, "append", ...args], env);
  return { child, session: JSON.parse((await child.next()) ?? "{}").session as string };
}

/** Appends a message under each of the clocks and returns the receipts. */
async function sayUnder(dir: TempDir, offsets: readonly string[], ...args: readonly string[]) {
  const { child, session } = await startAppend(dir, args);
  await using _child = child;
  const receipts: { readonly seq: number; readonly id: string }[] = [];
  for (const offset of offsets) {
    await setClock(dir, offset);
    receipts.push(JSON.parse(await child.ask(JSON.stringify({ role: "user", text: offset }))));
  }
  child.end();
  expect(await child.ended()).toBe(0);
  return { session, receipts };
}

it("keeps order, numbers and ids while the clock of a writer jumps back a day and forward five years", async () => {
  await using dir = await tempDir();
  const offsets = ["+0", "-1d", "+5y", "-1d", "+0", "+5y", "+0"];
  await setClock(dir, "+0");
  const { session, receipts } = await sayUnder(dir, offsets);
  expect(receipts.map(({ seq }) => seq)).toEqual(offsets.map((_, index) => index + 1));
  expect(new Set(receipts.map(({ id }) => id)).size).toBe(offsets.length);

  await using store = await openStore(dir.join("home"));
  const { sessions } = await store.log.list();
  expect(sessions).toMatchObject([{ id: session, status: "ended", messages: offsets.length }]);
  const [listed] = sessions;
  if (listed === undefined) throw new Error("There is no session.");
  const entries = await collect(store.log.read(listed.id));
  expect(entries.map(({ seq, id }) => ({ seq, id })).slice(0, -1)).toEqual(receipts);
  expect(entries.flatMap((entry) => (entry.kind === "message" ? entry.parts : []))).toEqual(
    offsets.map((text) => ({ type: "text", text })),
  );
  expect(await store.log.verify(listed.id)).toMatchObject({ entries: offsets.length + 1, problem: null });
  // The clock did jump, and a session never ends before it began or before its last entry.
  const times = entries.map(({ at }) => at.getTime());
  const [first = 0, , third = 0] = times;
  expect(third - first).toBeGreaterThan(4 * 365 * 24 * hour);
  expect(times.at(-1)).toBe(Math.max(...times));
  expect(times.filter((time) => time < listed.startedAt.getTime())).toEqual([]);
  expect([listed.updatedAt, listed.endedAt?.getTime()]).toEqual([new Date(Math.max(...times)), times.at(-1)]);
});

it("goes on with a session of the future after the clock was set right", async () => {
  await using dir = await tempDir();
  await setClock(dir, "+5y");
  const { session } = await sayUnder(dir, ["+5y"]);
  await setClock(dir, "+0");
  const { receipts } = await sayUnder(dir, ["+0", "-1d"], "--session", session);
  // The end of the first part is entry 2.
  expect(receipts.map(({ seq }) => seq)).toEqual([3, 4]);
  await using store = await openStore(dir.join("home"));
  const { sessions } = await store.log.list();
  expect(sessions).toMatchObject([{ id: session, status: "ended", messages: 3, entries: 5 }]);
});

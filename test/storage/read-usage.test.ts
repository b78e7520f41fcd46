import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore, type Store } from "../../src/storage/open-store.ts";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { newSession, said, start } from "../support/entries.ts";
import { openDatabase } from "../support/postgres-database.ts";
import { patientDeadlines } from "../support/store-address.ts";
import { fill } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Records sessions of two projects and returns what the store says of its usage. */
async function measure(store: Store) {
  await fill(store);
  const other = await store.projects.recognise({ identities: ["path:/other"], name: "other" });
  for (const id of ["three", "gone"]) await store.log.open(newSession(id, other.id, { client: "codex" }));
  await store.log.append(parseSessionId("three"), [said("c1", "x".repeat(3000))]);
  await store.log.append(parseSessionId("gone"), [said("c2", "y".repeat(9))]);
  await store.log.delete(parseSessionId("gone"), start);
  return await store.usage();
}

const body = (text: string) => JSON.stringify({ role: "user", parts: [{ type: "text", text }] }).length;

describe("the usage of a store", () => {
  it("says who takes how much, largest first, and counts what entries share once", async () => {
    await using dir = await tempDir();
    await using store = await openStore(dir.path);
    expect(await measure(store)).toEqual([
      { project: "other", client: "codex", sessions: 1, entries: 1, bytes: body("x".repeat(3000)) },
      { project: "test", client: "carryon-append", sessions: 2, entries: 8, bytes: expect.any(Number) },
    ]);
  });

  it("is the same on both engines", async () => {
    await using dir = await tempDir();
    await using database = await openDatabase();
    await using local = await openStore(dir.path);
    await using shared = await openPostgres(database.url, new Uint8Array(32), undefined, patientDeadlines);
    expect(await measure(shared)).toEqual(await measure(local));
  });
});

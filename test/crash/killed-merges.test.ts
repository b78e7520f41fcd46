import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { makeDatabase } from "../support/postgres-database.ts";
import { openCarryon } from "../support/run-carryon.ts";

const size = 500;
const kills = 4;

const messages = Array.from({ length: size }, (_, index) => ({ role: "user", text: `message ${index}` }));

/** Kills merges at different moments, and returns how many entries the receiving session had after each kill. */
async function killMerges(env: Readonly<Record<string, string>>) {
  await using carryon = await openCarryon(env);
  const [into, from] = [await carryon.record("mine"), await carryon.record("theirs")];
  await carryon.ask(["append", "--session", from], messages);
  const count = async () =>
    JSON.parse(await carryon.ask(["show", into, "--from", "-1", "--json"])).session.entries;
  const before = await count();
  const counts = new Set<number>();
  const began = performance.now();
  await carryon.ask(["merge", into, from, "--dry-run"]);
  const span = performance.now() - began;
  for (let kill = 0; kill < kills; kill += 1) {
    const child = carryon.start(["merge", into, from]);
    const closed = once(child, "close");
    await sleep(150 + (span + 200) * (kill / kills));
    child.kill("SIGKILL");
    await closed;
    counts.add((await count()) - before);
  }
  await carryon.ask(["merge", into, from]);
  counts.add((await count()) - before);
  const { code } = await carryon.call(["verify"]);
  return { counts: [...counts].toSorted((one, other) => one - other), code };
}

/** What is missing: the messages, how the session ended each time, and what the merge says of itself. */
const whole = size + 1 + 2 + 3;

describe("a merge that is killed at any moment has stored all of it or nothing, and is done again", () => {
  it("on SQLite", async () => {
    const { counts, code } = await killMerges({});
    expect([counts.filter((each) => each !== 0), code]).toEqual([[whole], 0]);
  });

  it("on PostgreSQL", async () => {
    await using database = await makeDatabase(inject("postgresUrl"));
    const { counts, code } = await killMerges({ CARRYON_STORE: database.url });
    expect([counts.filter((each) => each !== 0), code]).toEqual([[whole], 0]);
  });
});

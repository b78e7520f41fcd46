import { once } from "node:events";
import { describe, expect, inject, it } from "vitest";
import { countEvents, countingEnv, dieAtShare } from "../support/kill-moments.ts";
import { makeDatabase } from "../support/postgres-database.ts";
import { openCarryon } from "../support/run-carryon.ts";

const size = 500;
const kills = 6;

const messages = Array.from({ length: size }, (_, index) => ({ role: "user", text: `message ${index}` }));

/** Kills merges at different moments, and returns how many entries the receiving session had after each kill. */
async function killMerges(env: Readonly<Record<string, string>>) {
  await using carryon = await openCarryon(env);
  const [into, from] = [await carryon.record("mine"), await carryon.record("theirs")];
  await carryon.ask(["append", "--session", from], messages);
  const count = async () =>
    JSON.parse(await carryon.ask(["show", into, "--from", "-1", "--json"])).session.entries;
  const before = await count();
  const merge = async (target: string, more: Readonly<Record<string, string>>) => {
    const child = carryon.start(["merge", target, from], { env: { ...countingEnv, ...more } });
    child.stdout.resume();
    child.stderr.resume();
    await once(child, "close");
    return child.signalCode;
  };
  const copy = (await carryon.ask(["fork", into])).trim();
  const events = await countEvents((more) => merge(copy, more));
  const counts = new Set<number>();
  for (let kill = 1; kill <= kills; kill += 1) {
    expect(await merge(into, dieAtShare(events, kill / (kills + 1)))).toBe("SIGKILL");
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
    expect([counts, code]).toEqual([[0, whole], 0]);
  });

  it("on PostgreSQL", async () => {
    await using database = await makeDatabase(inject("postgresUrl"));
    const { counts, code } = await killMerges({ CARRYON_STORE: database.url });
    expect([counts, code]).toEqual([[0, whole], 0]);
  });
});

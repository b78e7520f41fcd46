/** TORTURE_CHATS (1,000) says how many chats are killed on each engine, TORTURE_ENGINE (both) on which. */
import { describe, expect, inject, it } from "vitest";
import { type ChatKilling, killChats } from "../support/chat-killing.ts";
import { makeDatabase } from "../support/postgres-database.ts";
import { report } from "../support/report.ts";

const kills = Number(process.env.TORTURE_CHATS ?? 1000);

const onPostgres = async (): Promise<ChatKilling> => {
  await using database = await makeDatabase(inject("postgresUrl"));
  return await killChats(kills, database.url);
};

const engines = [
  { engine: "sqlite", name: "SQLite", kill: () => killChats(kills) },
  { engine: "postgres", name: "PostgreSQL", kill: onPostgres },
].filter(({ engine }) => (process.env.TORTURE_ENGINE ?? engine) === engine);

describe.each(engines)("on $name", ({ name, kill }) => {
  it("a chat that is killed has all that it told as saved, and goes on to the same end", async () => {
    const killing = await kill();
    report(`Killed chats on ${name}`, { ...killing, problems: killing.problems.length });
    expect(killing).toMatchObject({ kills, problems: [] });
    expect(killing.talking).toBeGreaterThanOrEqual(Math.floor((kills * 3) / 4));
  });
});

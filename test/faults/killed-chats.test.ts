import { describe, expect, inject, it } from "vitest";
import { killChats } from "../support/chat-killing.ts";
import { makeDatabase } from "../support/postgres-database.ts";

describe("a chat that is killed at any moment has all that it told as saved, and goes on to the same end", () => {
  it("on SQLite", async () => {
    const killing = await killChats(20, "", 1);
    expect(killing).toMatchObject({ kills: 20, problems: [] });
    expect(killing.talking).toBeGreaterThanOrEqual(15);
  });

  it("on PostgreSQL", async () => {
    await using database = await makeDatabase(inject("postgresUrl"));
    const killing = await killChats(10, database.url, 2);
    expect(killing).toMatchObject({ kills: 10, problems: [] });
    expect(killing.talking).toBeGreaterThanOrEqual(7);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { usualDeadlines } from "../../src/storage/postgres/deadlines.ts";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { collect, idsOf, newSession, said } from "../support/entries.ts";
import { makeDatabase } from "../support/postgres-database.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { disturb, type ServerFault, serverFaults } from "../support/server-faults.ts";
import { testKey } from "../support/store-address.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("writers get on, and PostgreSQL has what they were told, once and in order, when", () => {
  it.each(Object.keys(serverFaults) as ServerFault[])("%s", async (fault) => {
    const disturbance = await disturb(server, { faults: [fault], writers: 3 });
    expect(disturbance).toMatchObject({ faults: 1, exits: [0, 0, 0], problems: [] });
    // Whether somebody used the one connection that ended is a matter of luck.
    const isLucky = fault === "it ends a connection" && disturbance.setbacks === 0;
    const isOneMoment = fault === "it stands still for a moment";
    expect(disturbance.errors).toEqual(isLucky || isOneMoment ? [] : ["again store-unreachable"]);
  });
});

it("gives up a server that stands still, and goes on when it does", async () => {
  await using database = await makeDatabase(server.url);
  const deadlines = { ...usualDeadlines, openMs: 1000, queryMs: 1500 };
  await using store = await openPostgres(database.url, testKey, "carryon", deadlines);
  const { id } = await store.projects.recognise({ identities: ["path:/x"], name: "x" });
  const one = parseSessionId("one");
  await store.log.open(newSession("one", id));
  await store.log.append(one, [said("e-1", "first")]);
  await server.signalAll("SIGSTOP");
  const late = { code: "store-unreachable", message: expect.stringContaining("did not answer in time") };
  // The first waits for an answer, the second for a connection.
  await expect(store.log.append(one, [said("e-2", "second")])).rejects.toMatchObject(late);
  await expect(store.log.append(one, [said("e-2", "second")])).rejects.toMatchObject(late);
  await server.signalAll("SIGCONT");
  expect(await store.log.append(one, [said("e-2", "second")])).toMatchObject([{ seq: 2, id: "e-2" }]);
  expect(idsOf(await collect(store.log.read(one)))).toEqual(["e-1", "e-2"]);
  expect(await store.log.verify(one)).toMatchObject({ entries: 2, problem: null });
});

import { expect, inject, it } from "vitest";
import { openPostgres } from "../../../src/storage/postgres/open-postgres.ts";
import { bring, chainsOf } from "../../support/bring.ts";
import { makeSessions } from "../../support/many-sessions.ts";
import { makeName } from "../../support/postgres-database.ts";
import { patientDeadlines, testKey } from "../../support/store-address.ts";
import { openProxy } from "../../support/tcp-proxy.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

/** Begin, look, store the bodies, store the rest; and room for answers that come while a long batch is still sent. */
const most = 6;

it("a push waits for few answers of a server, however many entries a session has", async () => {
  const url = new URL(inject("postgresUrl"));
  await using proxy = await openProxy(Number(url.port));
  url.port = String(proxy.port);
  await using from = await openSqliteTestLog();
  const lengths = Array.from({ length: 30 }, (_, index) => [1, 5, 70, 130][index % 4] ?? 1);
  await makeSessions(from, lengths);
  await using to = await openPostgres(url.href, testKey, makeName(), patientDeadlines);
  const before = proxy.turns;
  const { entries } = await bring(from, to);
  expect(entries).toBe(lengths.reduce((sum, each) => sum + each, 0));
  expect(proxy.turns - before).toBeLessThan(most * lengths.length);
  expect(await chainsOf(to)).toEqual(await chainsOf(from));
});

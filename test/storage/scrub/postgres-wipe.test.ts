import pg from "pg";
import { expect, inject, it } from "vitest";
import { literalPattern } from "../../../src/redaction/text-pattern.ts";
import { parseStoreUrl } from "../../../src/storage/parse-store-url.ts";
import { openPostgres } from "../../../src/storage/postgres/open-postgres.ts";
import { inspectPostgres } from "../../../src/storage/postgres-site.ts";
import type { StoreReport } from "../../../src/storage/store-report.ts";
import { wipeDue } from "../../../src/storage/wipe-due.ts";
import { one } from "../../contract/test-log.ts";
import { later, newSession, said } from "../../support/entries.ts";
import { makeName } from "../../support/postgres-database.ts";
import { patientDeadlines } from "../../support/store-address.ts";
import { tempDir } from "../../support/temp-dir.ts";

const key = new Uint8Array(32).fill(7);
const pattern = literalPattern("hunter22");

/** Makes a user who may write a store of another, and returns the address with which it connects. */
async function makeGuest(schema: string): Promise<string> {
  const url = new URL(inject("postgresUrl"));
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const guest = `guest_${schema}`;
  await client.query(`CREATE ROLE ${guest} LOGIN`);
  await client.query(`GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO ${guest}`);
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${guest}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${guest}`);
  await client.end();
  url.username = guest;
  return url.href;
}

it("says so when this user may not vacuum the tables of a store on PostgreSQL, and their owner finishes", async () => {
  const schema = makeName();
  await using store = await openPostgres(inject("postgresUrl"), key, schema, patientDeadlines);
  const { id } = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", id));
  await store.log.append(one, [said("a", "tell them hunter22")]);
  await using guest = await openPostgres(await makeGuest(schema), key, schema, patientDeadlines);
  expect(await guest.scrubber.replace(pattern, later(1))).toMatchObject({ entries: 1, isWiped: false });
  expect(await guest.scrubber.find(pattern)).toMatchObject({ entries: 0, isUnfinished: true });
  expect((await inspect(schema)).problems).toEqual([wipeDue]);
  expect(await store.scrubber.replace(pattern, later(2))).toMatchObject({ entries: 0, isWiped: true });
  expect(await store.scrubber.find(pattern)).toMatchObject({ isUnfinished: false });
  expect((await inspect(schema)).problems).toEqual([]);
});

async function inspect(schema: string): Promise<StoreReport> {
  await using dir = await tempDir();
  return await inspectPostgres(parseStoreUrl(inject("postgresUrl")), dir.path, schema);
}

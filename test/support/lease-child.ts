/**
 * Takes the lease of the session `one` as a process of another machine, and appends as it is told on standard input.
 *
 * Arguments: a home folder or the URL of a PostgreSQL, the schema there, and how long the lease lasts after each append
 * in milliseconds; the first append has all the time it needs.
 * It answers "held", then to each id that it is told the sequence number of its entry or the code of the error.
 */
import { createInterface } from "node:readline";
import { AppError } from "../../src/lib/app-error.ts";
import { readOwnIdentity } from "../../src/lib/process-identity.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { patientDeadlines } from "./store-address.ts";

const [where = "", schema = "", forMs = ""] = process.argv.slice(2);
const at = new Date("2026-11-15T12:00:00.000Z");
const key = new Uint8Array(32);
const store = await (where.startsWith("postgres:")
  ? openPostgres(where, key, schema, patientDeadlines)
  : openStore(where));
const identity = { ...(await readOwnIdentity()), host: "machine-a", machine: "a" };
const lease = await store.leases.acquire(parseSessionId("one"), {
  holder: { process: identity, program: "test", since: at },
  forMs: 60_000,
});
process.stdout.write("held\n");

async function append(id: string): Promise<string> {
  const parts = [{ type: "text", text: id }] as const;
  try {
    const [receipt] = await store.log.append({ ...lease, forMs: Number(forMs) }, [
      { id: parseEntryId(id), at, kind: "message", role: "user", parts },
    ]);
    return String(receipt?.seq);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

for await (const id of createInterface({ input: process.stdin }))
  process.stdout.write(`${await append(id)}\n`);
await store[Symbol.asyncDispose]();

import type { EntryContent } from "../../sessions/entry.ts";
import type { ReadyEntry } from "../append-plan.ts";
import { decodeBody, decodeContent, toBytes } from "../entry-codec.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** Returns what stands now in place of an equal body that was scrubbed; undefined when none was. */
export async function readScrubbed(runner: SqlRunner, ready: ReadyEntry): Promise<EntryContent | undefined> {
  const rows = await runner.all(
    "SELECT json, zstd FROM body WHERE project_key = ? AND hash = ? AND scrubbed_hash IS NOT NULL",
    [ready.end.projectKey, toBytes(ready.bodyHash)],
  );
  const body = decodeBody(rows[0]?.[0], rows[0]?.[1]);
  return body === undefined ? undefined : decodeContent(ready.kind, body);
}

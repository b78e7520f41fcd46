import { makeEntryId, type SessionId } from "../../sessions/ids.ts";
import { type ScrubbedEntry, scrubbed } from "../../sessions/scrub-note.ts";
import { appendEntries } from "../append-batch.ts";
import { clearedRight } from "../append-right.ts";
import type { Guard } from "../guard.ts";
import { followEnd } from "../replica/follow-end.ts";
import { readStored } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** How many entries one note names. */
const mostNamed = 500;

/** Appends the note that these entries of a session were scrubbed, as any other entry is appended. */
export async function noteScrubbed(
  runner: SqlRunner,
  guard: Guard,
  session: SessionId,
  { at, entries }: { readonly at: Date; readonly entries: readonly ScrubbedEntry[] },
): Promise<void> {
  const stored = await readStored(runner, session);
  if (stored === undefined || entries.length === 0) return;
  const notes = Array.from({ length: Math.ceil(entries.length / mostNamed) }, (_, index) =>
    scrubbed(makeEntryId(at), at, entries.slice(index * mostNamed, (index + 1) * mostNamed)),
  );
  // It holds ids and hashes only, and would be worth nothing if one of them looked like a secret.
  await appendEntries(
    runner,
    { ...guard, redact: (content) => content },
    stored,
    notes,
    clearedRight(runner.dialect, undefined),
  );
  await followEnd(runner, stored, stored.session.entries + notes.length);
}

import type { EntryId } from "../../sessions/ids.ts";
import type { CopiedFrom, LastPrompt, TranscriptFacts } from "./transcript-state.ts";
import { type ChainRow, objectOf, type StateRow, textOf } from "./wire.ts";

const leadingEntries = 8;

const lastMoment = Date.UTC(10_000, 0) - 1;

/** Returns when a row was written, or undefined when it does not say so in a way that others can read. */
export function timeOf(fields: ChainRow["fields"]): string | undefined {
  const told = textOf(fields, "timestamp");
  const ms = told === undefined ? Number.NaN : Date.parse(told);
  return ms >= 0 && ms <= lastMoment ? new Date(ms).toISOString() : undefined;
}

/** Returns the facts after one more row of the conversation. */
export function noteRow(facts: TranscriptFacts, { fields }: ChainRow): TranscriptFacts {
  const at = timeOf(fields) ?? facts.updatedAt;
  return {
    ...facts,
    startedAt: facts.startedAt ?? at,
    updatedAt: at,
    cwd: facts.cwd ?? textOf(fields, "cwd") ?? null,
    branch: branchOf(fields) ?? facts.branch,
    version: textOf(fields, "version") ?? facts.version,
  };
}

/** Outside a repository, and where no branch is checked out, the client writes HEAD. */
function branchOf(fields: ChainRow["fields"]): string | undefined {
  const branch = textOf(fields, "gitBranch");
  return branch === "HEAD" ? undefined : branch;
}

/** Returns the facts after an entry was made of a row. */
export function noteEntry(
  facts: TranscriptFacts,
  session: string,
  row: ChainRow,
  entry: EntryId,
): TranscriptFacts {
  const { leading } = facts;
  const copied = findOrigin(session, row, entry);
  return {
    ...facts,
    leading: leading.length < leadingEntries ? [...leading, entry] : leading,
    forkedFrom: copied ?? facts.forkedFrom,
  };
}

/** A fork made by the SDK names the origin of each row; older clients left the origin's session id on copied rows. */
function findOrigin(session: string, { uuid, fields }: ChainRow, entry: EntryId): CopiedFrom | undefined {
  const named = objectOf(fields, "forkedFrom");
  const [from, message] = [textOf(named, "sessionId"), textOf(named, "messageUuid")];
  if (from !== undefined && message !== undefined) return { session: from, message, entry };
  const written = textOf(fields, "sessionId");
  return written === undefined || written === session
    ? undefined
    : { session: written, message: uuid, entry };
}

/** The client's way of saying that there is no such row. */
const nowhere = "00000000-0000-0000-0000-000000000000";

/** Reads where the client says that the conversation stands. */
export function readLastPrompt({ fields }: StateRow): LastPrompt {
  const leaf = textOf(fields, "leafUuid");
  return {
    text: textOf(fields, "lastPrompt") ?? null,
    leaf: leaf === undefined || leaf === nowhere ? null : leaf,
  };
}

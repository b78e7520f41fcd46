import { basename } from "node:path";
import type { TranscriptBatch } from "../../clients/claude-code/read-transcript.ts";
import { timeOf } from "../../clients/claude-code/session-facts.ts";
import { type Row, textOf } from "../../clients/claude-code/wire.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Privacy } from "../privacy.ts";
import { isPrivateAt, isPrivateByte } from "../private-sessions.ts";
import { isRecordedIn } from "../record-rules.ts";

/** Leaves out of the rows of a transcript what the user does not want to be recorded. */
export type HidePrivate = (batch: Pick<TranscriptBatch, "rows" | "offsets">) => readonly Row[];

/**
 * Returns what leaves out of the rows of a transcript, in their order, those of private times and folders, and those that
 * came in a private time, whatever time they say.
 *
 * A link of the conversation stays without anything that it says, so that what follows it finds what came before. A row
 * that does not say when it was written is of the time of the one before it.
 */
export function openHiding(
  { rules, spansOf }: Privacy,
  { session, path }: { readonly session: SessionId; readonly path: string },
): HidePrivate {
  const [spans, file] = [spansOf(session), basename(path)];
  if (rules.length === 0 && spans.length === 0) return ({ rows }) => rows;
  const isOff = rememberFolders((folder) => !isRecordedIn(rules, folder));
  // Of the first rows of a reading nobody can say when the one before was written.
  let isHidden = spans.length > 0;
  const isOfPrivateTime = (row: Row): boolean => {
    const fields = "fields" in row ? row.fields : {};
    const [at, cwd] = [timeOf(fields), textOf(fields, "cwd")];
    if (at !== undefined)
      isHidden = isPrivateAt({ spans }, Date.parse(at)) || (cwd !== undefined && isOff(cwd));
    return isHidden;
  };
  return ({ rows, offsets }) =>
    rows.flatMap((row, index) =>
      isOfPrivateTime(row) || isPrivateByte(spans, file, offsets[index] ?? 0) ? hide(row) : [row],
    );
}

function hide(row: Row): readonly Row[] {
  return row.family === "chain" ? [{ ...row, type: "progress", fields: {} }] : [];
}

/** Many rows have the same folder, and each answer looks at the disk. */
function rememberFolders(ask: (folder: string) => boolean): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  return (folder) => {
    const answer = known.get(folder) ?? ask(folder);
    known.set(folder, answer);
    return answer;
  };
}

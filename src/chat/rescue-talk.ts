import { createSecretKey } from "node:crypto";
import { AppError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { SessionRescued, writeRescueFile } from "../lib/rescue-file.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import { makeRedactor } from "../redaction/redactor.ts";
import type { Entry } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import { redactContent } from "../storage/guard.ts";
import type { ChatDesk } from "./chat-desk.ts";

/** Keeps entries that the store does not take any more; returns the error that says where they are. */
export type Rescue = (error: AppError, refused: readonly Entry[]) => Promise<AppError>;

/**
 * Returns what writes a session to one and the same file, as often as something more has to be kept there.
 *
 * `known` is what this process has in memory of it: a store that was overwritten may not be readable either.
 */
export function makeRescue(desk: ChatDesk, session: SessionId, known: () => readonly Entry[]): Rescue {
  let file: string | undefined;
  return async (error, refused) => {
    const text = await renderTalk(await listTalk(desk, session, [...known(), ...refused]), session);
    if (file === undefined)
      file = await writeRescueFile(desk.rescueFolders ?? [], `carryon-${session}.sexp`, text);
    else await writeFileAtomically(file, text, { isPrivate: true });
    if (file === undefined) return error;
    const word = renderShellWord(file);
    const hint = `Go on with it: \`carryon chat --session-file ${word}\`\nOr only import it: \`carryon import ${word}\``;
    return new SessionRescued(error, file, hint);
  };
}

/** Returns what the store still gives, as a file does that was deleted while it is open, and what it lacks of the rest. */
async function listTalk(
  { store }: ChatDesk,
  session: SessionId,
  others: readonly Entry[],
): Promise<readonly Entry[]> {
  const stored = await readStored(store.log, session);
  const known = new Set(stored.map(({ id }) => id));
  // The last one may have been stored before it was found that the file is gone.
  return [...stored, ...others.filter(({ id }) => !known.has(id))];
}

async function readStored(log: ChatDesk["store"]["log"], session: SessionId): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of log.read(session)) entries.push(entry);
  } catch (error) {
    // A session of which nothing was stored yet, or a file that cannot be read to its end.
    if (!(error instanceof AppError)) throw error;
  }
  return entries;
}

async function renderTalk(entries: readonly Entry[], id: SessionId): Promise<string> {
  const { renderReplSession } = await import("../formats/render-sexp-session.ts");
  const [first, last] = [entries[0], entries.at(-1)];
  const times = { startedAt: first?.at ?? new Date(0), updatedAt: last?.at ?? new Date(0) };
  return renderReplSession({ id, ...times }, hideEntrySecrets(entries), "all");
}

/** Takes the secrets out of entries that go to a file, as the store does. */
export function hideEntrySecrets(entries: readonly Entry[]): readonly Entry[] {
  const redactor = makeRedactor(createSecretKey(systemRandom(32)));
  return entries.map((entry) => redactContent(redactor, entry));
}

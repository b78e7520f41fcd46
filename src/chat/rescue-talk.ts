import { createSecretKey } from "node:crypto";
import { AppError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { SessionRescued, writeRescueFile } from "../lib/rescue-file.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { makeRedactor } from "../redaction/redactor.ts";
import type { Entry } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import { redactContent } from "../sessions/redact-content.ts";
import type { ChatDesk } from "./chat-desk.ts";

/** Keeps entries that the store does not take any more; returns the error that says where they are. */
export type Rescue = (error: AppError, refused: readonly Entry[]) => Promise<AppError>;

/** Returns what writes a session to one and the same file, as often as something more has to be kept there. */
export function makeRescue(desk: ChatDesk, session: SessionId): Rescue {
  let file: string | undefined;
  return async (error, refused) => {
    const text = await renderTalk(await listTalk(desk, session, refused), session);
    if (file === undefined)
      file = await writeRescueFile(desk.rescueFolders ?? [], `carryon-${session}.sexp`, text);
    else await writeFileAtomically(file, text, { isPrivate: true });
    if (file === undefined) return error;
    const word = renderShellWord(file);
    const hint = `Go on with it: \`carryon chat --session-file ${word}\`\nOr only import it: \`carryon import ${word}\``;
    return new SessionRescued(error, file, hint);
  };
}

/** A file that was deleted can be read as long as it is open. */
async function listTalk(
  { store }: ChatDesk,
  session: SessionId,
  refused: readonly Entry[],
): Promise<readonly Entry[]> {
  const stored = await readStored(store.log, session);
  const known = new Set(stored.map(({ id }) => id));
  // The last one may have been stored before it was found that the file is gone.
  return [...stored, ...refused.filter(({ id }) => !known.has(id))];
}

async function readStored(log: ChatDesk["store"]["log"], session: SessionId): Promise<readonly Entry[]> {
  try {
    return await Array.fromAsync(log.read(session));
  } catch (error) {
    // A session of which nothing was stored yet, or a file that cannot be read either.
    if (error instanceof AppError) return [];
    throw error;
  }
}

async function renderTalk(entries: readonly Entry[], id: SessionId): Promise<string> {
  const { renderReplSession } = await import("../formats/render-sexp-session.ts");
  const { systemRandom } = await import("../lib/uuid-v7.ts");
  const redactor = makeRedactor(createSecretKey(systemRandom(32)));
  const safe = entries.map((entry) => redactContent(redactor, entry));
  const [first, last] = [entries[0], entries.at(-1)];
  const times = { startedAt: first?.at ?? new Date(0), updatedAt: last?.at ?? new Date(0) };
  return renderReplSession({ id, ...times }, safe, "all");
}

import { stat } from "node:fs/promises";
import { type ExportFormat, exportSessions } from "../formats/export-sessions.ts";
import { formatOfFile, isNamedEncrypted } from "../formats/format-of-file.ts";
import { importSource } from "../formats/import-source.ts";
import { fileSource } from "../formats/source.ts";
import { conflictError, unlessGone } from "../lib/app-error.ts";
import { writeStreamAtomically } from "../lib/atomic-file.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { TakenSession } from "../sessions/take-session.ts";
import type { ChatDesk } from "./chat.ts";
import { findById } from "./chat-session.ts";
import { badSessionFile, requireFilePlace } from "./require-file-place.ts";

/** A portable copy of a session, for a shared folder or another machine. */
export interface SessionFile {
  readonly path: string;
  readonly format: ExportFormat;
}

/** What the store had of the session in a file: less, all of it and perhaps more, or something else. */
export interface FileTaken {
  readonly type: Exclude<TakenSession["type"], "deleted">;
  readonly session: SessionId;
  /** The id that it came with: another one where the store had something else under that. */
  readonly from: SessionId;
  /** How much the store has that the file has not: it is what is gone on with. */
  readonly more: number;
}

/** Makes sure that a file can hold a session and be read again, before anything is recorded. */
export async function checkSessionFile(home: string, path: string): Promise<SessionFile> {
  const format = formatOfFile(path);
  if (format === "md" || format === "html" || isNamedEncrypted(path)) {
    throw badSessionFile(
      `${path} cannot be a session file: it could not be read again.`,
      "Give it a name that ends in .jsonl, .json or .sexp.",
    );
  }
  await requireFilePlace(home, path);
  return { path, format };
}

/** Writes the copy, whole or not at all, for its owner alone, whoever could read the one before. */
export async function writeSessionFile(
  desk: ChatDesk,
  { path, format }: SessionFile,
  id: SessionId,
): Promise<void> {
  const session = await findById(desk, id);
  if (session === undefined) throw new SessionNotFound(id);
  const request = { format, sessions: [session], machine: desk.machine, now: desk.clock.now() };
  await writeStreamAtomically(path, exportSessions(desk.store, request), { isPrivate: true });
}

/** Where a session goes that a file has. */
export type FileTarget = Pick<ChatDesk, "store" | "project" | "cwd" | "machine" | "clock" | "place">;

/** Takes what a file has into the store; undefined where there is no file. Where the store has more, that stays. */
export async function readSessionFile(
  desk: FileTarget,
  { path }: Pick<SessionFile, "path">,
): Promise<FileTaken | undefined> {
  if ((await unlessGone(stat(path))) === undefined) return undefined;
  const { store, project, cwd, machine, clock } = desk;
  const { branch } = await desk.place();
  const talkTarget = async () => ({ log: store.log, project, cwd, branch, machine });
  const { sessions } = await importSource(
    fileSource(path),
    { replica: store.replica, talkTarget },
    { now: clock.now() },
  );
  const [taken, ...others] = sessions;
  if (taken === undefined || others.length > 0) {
    throw badSessionFile(
      `${path} holds ${sessions.length} sessions, and a session file holds one.`,
      "Import it with `carryon import`, and name a session with --session.",
    );
  }
  if (taken.type === "deleted") {
    throw conflictError(
      "session-conflict",
      `${path} holds session ${taken.session}, which was deleted here.`,
      { hint: "A deleted session does not come back. Choose another file." },
    );
  }
  const { type, session, from } = taken;
  return { type, session, from, more: type === "known" ? taken.more : 0 };
}

import { mkdir, realpath, rename, stat, symlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { badSessionFile, requireFilePlace } from "../chat/require-file-place.ts";
import type { FileTaken } from "../chat/session-file.ts";
import { BadImport } from "../formats/bad-import.ts";
import { excludeFromCommits, toPattern } from "../git/exclude-list.ts";
import { readGitFacts } from "../git/git-facts.ts";
import { isIgnored } from "../git/kept-out.ts";
import { isSystemError, unlessGone } from "../lib/app-error.ts";
import { makeTempPath, writeFileAtomically } from "../lib/atomic-file.ts";
import type { Clock } from "../lib/clock.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { Entry } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import type { WritableProject } from "../workspace/open-project.ts";

/** Where the state of a run is written for other programs and machines. */
export interface StatePlace {
  /** One file, for one session. */
  readonly sessionFile?: string | undefined;
  /** A folder with a file for each session, and `current.json`, which leads to the one that was written last. */
  readonly sessionDir?: string | undefined;
}

/** Returns the file of a session; without one that of the session that was written last. */
export function locateState({ sessionFile, sessionDir }: StatePlace, session?: string): string | undefined {
  if (sessionDir === undefined) return sessionFile;
  return join(
    sessionDir,
    session === undefined ? "current.json" : `session-${session.replace(/^session-/, "")}.json`,
  );
}

/** Returns what writes the state of a session to a file that only its owner may read; nothing where no file is wanted. */
export function stateWriter(
  log: ConversationLog,
  session: SessionId,
  place: StatePlace,
): () => Promise<void> {
  const path = locateState(place, session);
  if (path === undefined) return async () => undefined;
  return async () => {
    const text = await renderState(log, session);
    if (text === undefined) return;
    if (place.sessionDir !== undefined) {
      await mkdir(place.sessionDir, { recursive: true, mode: 0o700 });
      await keepOutOfCommits(await realpath(place.sessionDir));
    }
    await writeFileAtomically(path, text, { isPrivate: true });
    if (place.sessionDir !== undefined) await pointTo(path, join(place.sessionDir, "current.json"), text);
  };
}

/** Keeps the files of a folder out of commits: whole talks are in them. */
async function keepOutOfCommits(folder: string): Promise<void> {
  const git = await readGitFacts(folder);
  if (git === undefined || (await isIgnored(folder, "current.json"))) return;
  const place = relative(await realpath(git.root), folder);
  const [current, sessions] = ["current.json", "session-"].map((name) => toPattern(join(place, name)));
  await excludeFromCommits(git, [`${current}`, `${sessions}*.json`]);
}

/** Makes a link to a file beside it; where a file system has no links, a copy. */
async function pointTo(path: string, link: string, text: string): Promise<void> {
  const temp = await makeTempPath(link);
  try {
    await symlink(basename(path), temp);
    await rename(temp, link);
  } catch (error) {
    if (!isSystemError(error, "EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP")) throw error;
    await writeFileAtomically(link, text, { isPrivate: true });
  }
}

/** Returns the state of a session as a file has it; undefined where there is no such session. */
async function renderState(log: ConversationLog, session: SessionId): Promise<string | undefined> {
  const [found] = (await log.list({ id: session })).sessions;
  if (found === undefined) return undefined;
  return renderEntries(found, await Array.fromAsync(log.read(session)));
}

/** Returns the state of a session as a file has it, from its entries. */
export async function renderEntries(
  session: Pick<Session, "id" | "startedAt" | "updatedAt" | "cwd">,
  entries: readonly Entry[],
): Promise<string> {
  const { toSessionState } = await import("../formats/render-claude-master.ts");
  return `${JSON.stringify(toSessionState(session, entries), null, 2)}\n`;
}

/** Makes sure that a new session can be written to its place, and takes that of no other. */
export async function requireNewFile(home: string, { sessionFile: path }: StatePlace): Promise<void> {
  if (path === undefined) return;
  await requireFilePlace(home, path);
  if ((await unlessGone(stat(path))) === undefined) return;
  throw badSessionFile(
    `${path} is there already, and a run begins anew.`,
    "Go on with the session in it with `--resume --session-file`, or choose another file.",
  );
}

/** Where a file is taken in, and when. */
interface FilePlace extends StatePlace {
  readonly cwd: string;
  readonly machine: string;
  readonly clock: Clock;
  /** What the user says which session is meant; the one in the file unless given. */
  readonly session: string | undefined;
}

/**
 * Takes the session of a file into the store; undefined where there is none. What the store has more of it stays.
 *
 * A file that is not there can be begun only for a session that is named: a mistyped path must not lead to another run.
 */
export async function takeSessionFile(
  { home, store, project, branch }: WritableProject,
  { session, sessionFile, sessionDir, ...place }: FilePlace,
): Promise<FileTaken | undefined> {
  const named = locateState({ sessionFile, sessionDir }, session);
  if (named === undefined) return undefined;
  const isCurrent = basename(named) === "current.json";
  const path = isCurrent ? ((await unlessGone(realpath(named))) ?? named) : named;
  const isThere = (await unlessGone(stat(path))) !== undefined;
  if (sessionDir !== undefined && session !== undefined && !isThere) return undefined;
  await requireFilePlace(home, path);
  const { readSessionFile } = await import("../chat/session-file.ts");
  const target = { ...place, store, project: project.id, place: async () => ({ branch, commit: null }) };
  const taken = await readSessionFile(target, { path }).catch((error: unknown) => {
    throw error instanceof BadImport
      ? badSessionFile(
          `${path} is no session file, or it is damaged. ${error.message}`,
          "Name the file that a run has written, or the session with `--session`.",
        )
      : error;
  });
  if (taken !== undefined || session !== undefined) return taken;
  throw badSessionFile(
    `There is no session file ${path}.`,
    "Name the file that a run has written, or the session with `--session`.",
  );
}

/** Refuses to write a session over another one. */
export function requireSame(taken: FileTaken | undefined, session: SessionId): void {
  if (taken === undefined || taken.session === session) return;
  throw badSessionFile(
    `The session file holds session ${taken.session}, and another one was named.`,
    "Name one of them.",
  );
}

/** Tells whether the session of a file became another one here: the file is left to the session that it holds. */
export function hasParted(taken: FileTaken | undefined): boolean {
  return taken !== undefined && taken.session !== taken.from;
}

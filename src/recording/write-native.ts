import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TranscriptState } from "../clients/claude-code/transcript-state.ts";
import type { Client, NativeFile, NativeSession } from "../clients/client.ts";
import { writeStreamAtomically } from "../lib/atomic-file.ts";
import { writeFailed } from "../lib/file-error.ts";
import { withLock } from "../lib/file-lock.ts";
import type { Entry } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import { nativeSource } from "../sessions/ingestion.ts";
import { readShown } from "../sessions/observations.ts";
import type { Session } from "../sessions/session.ts";
import type { Store } from "../storage/open-store.ts";

/** As what a client is to know a session, and where it is resumed. */
export interface NativePlace {
  readonly client: Client;
  /** The id by which the client is to know the session. */
  readonly id: string;
  /** The folder in which the session is resumed, by its real path. */
  readonly cwd: string;
}

/** Returns a session as the client would have written it; nothing is written. */
export async function readNative(
  { log, ingestion }: Pick<Store, "log" | "ingestion">,
  session: Session,
  { client, id, cwd }: NativePlace,
): Promise<NativeSession> {
  const states = (await ingestion.states(session.id)).map(
    (state): Partial<TranscriptState> => JSON.parse(state),
  );
  const version = states.flatMap(({ facts }) => facts?.version ?? [])[0];
  const entries: readonly Entry[] = await Array.fromAsync(readShown(log, session.id));
  const branches = new Map<SessionId, string | null>([[session.id, session.branch]]);
  for (const origin of new Set(entries.map((entry) => entry.session)))
    if (!branches.has(origin))
      branches.set(origin, (await log.list({ id: origin })).sessions[0]?.branch ?? null);
  const { title } = session;
  return client.write(entries, { id, session: session.id, cwd, branches, title, version });
}

/** A session that a client is to be given. */
export interface NativeGift extends NativePlace {
  readonly session: SessionId;
  /** The client's folder. */
  readonly folder: string;
  readonly native: NativeSession;
}

/**
 * Writes the files of a session where the client will look for them. A file that is there is left as it is: the write of the
 * session's own fails then.
 *
 * The store knows the native id first: what is read under it later belongs to the session, even after a kill.
 */
export async function writeNative(
  { ingestion }: Pick<Store, "ingestion">,
  { client, id, session, folder, native }: NativeGift,
  home: string,
): Promise<void> {
  const install = async () => {
    await noteNative(ingestion, client, id, session);
    // The session's own file comes last: with it the client sees all of them.
    for (const { path, agent, rows } of native.files.toReversed()) {
      const target = join(folder, path);
      // The client deletes the file of a session and may keep those of its subagents.
      if (agent === null || !existsSync(target)) await writeRows(target, rows);
    }
  };
  await withoutSync(home, install);
}

/** Lets what is read under a native id belong to a session, and count as known as far as the session has it. */
export async function noteNative(
  ingestion: Store["ingestion"],
  { name }: Client,
  id: string,
  session: SessionId,
): Promise<void> {
  const source = nativeSource(name, id);
  if ((await ingestion.find(source)) !== undefined) return;
  await ingestion.store({
    ...{ source, session, after: 0, entries: [], position: "{}", state: "{}", leading: null },
  });
}

const patienceMs = 15_000;

/** Does something while no sync reads the files of clients. */
export function withoutSync<Value>(home: string, work: () => Promise<Value>): Promise<Value> {
  return withLock(join(home, "sync"), work, { wait: patienceMs });
}

async function writeRows(path: string, rows: NativeFile["rows"]): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeFailed(path, error);
  }
  await writeStreamAtomically(path, renderRows(rows), { isNew: true });
}

function* renderRows(rows: NativeFile["rows"]): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

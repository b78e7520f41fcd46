import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeSlug } from "../clients/claude-code/locate.ts";
import { readTranscript, type TranscriptBatch } from "../clients/claude-code/read-transcript.ts";
import { absorb } from "../clients/claude-code/to-entries.ts";
import {
  type Fidelity,
  type NativeFile,
  type NativeSession,
  toRows,
} from "../clients/claude-code/to-rows.ts";
import { startTranscript, type TranscriptState } from "../clients/claude-code/transcript-state.ts";
import { writeStreamAtomically } from "../lib/atomic-file.ts";
import { writeFailed } from "../lib/file-error.ts";
import { withLock } from "../lib/file-lock.ts";
import type { Entry } from "../sessions/entry.ts";
import type { EntryId } from "../sessions/ids.ts";
import { readShown } from "../sessions/observations.ts";
import type { Session } from "../sessions/session.ts";
import type { Store } from "../storage/open-store.ts";

/** Where Claude Code is to find a session that it does not have. */
export interface TranscriptTarget {
  /** The client's folder: see `locateClient`. */
  readonly client: string;
  /** The folder in which the session is resumed, by its real path. */
  readonly cwd: string;
  /** The id by which the client is to know the session. */
  readonly id: string;
}

/** Written for sessions of which nobody has noted the client's version. */
const usualVersion = "2.1.325";

/** Returns the session as the client would have written it; nothing is written. */
export async function readNative(
  { log, ingestion }: Pick<Store, "log" | "ingestion">,
  session: Session,
  { id, cwd }: TranscriptTarget,
): Promise<NativeSession> {
  const states = (await ingestion.states(session.id)).map(
    (state): Partial<TranscriptState> => JSON.parse(state),
  );
  const versions = states.flatMap(({ facts }) => facts?.version ?? []);
  const entries: readonly Entry[] = await Array.fromAsync(readShown(log, session.id));
  return toRows(entries, { session: id, cwd, branch: session.branch, version: versions[0] ?? usualVersion });
}

/**
 * Writes a transcript from the store, where the client will look for it, and notes that all of it was read: only what the
 * client adds is taken in later. A file that is there is left as it is, and the write fails.
 */
export async function writeTranscript(
  store: Pick<Store, "log" | "ingestion">,
  session: Session,
  target: TranscriptTarget & { readonly home: string },
): Promise<Fidelity> {
  const native = await readNative(store, session, target);
  // A sync that finds the file before the note would read all of it.
  await withLock(join(target.home, "sync"), () => install(store, session, target, native), {
    wait: patienceMs,
  });
  return native.fidelity;
}

const patienceMs = 15_000;

async function install(
  { ingestion }: Pick<Store, "ingestion">,
  session: Session,
  { client, cwd, id }: TranscriptTarget,
  { files, entryOf }: NativeSession,
): Promise<void> {
  const folder = join(client, "projects", makeSlug(cwd));
  // The session's own file comes last: with it the client sees all of them.
  for (const { agent, rows } of files.toReversed()) {
    const path =
      agent === null ? join(folder, `${id}.jsonl`) : join(folder, id, "subagents", `agent-${agent}.jsonl`);
    // The client deletes the file of a session and may keep those of its subagents.
    if (agent !== null && existsSync(path)) continue;
    await writeRows(path, rows);
    const { position, state } = await readOwn(path, id, agent);
    const source = { client: "claude-code", path } as const;
    await ingestion.store({
      ...{ source, session: session.id, after: (await ingestion.find(source))?.revision ?? 0, entries: [] },
      position: JSON.stringify(position),
      state: JSON.stringify(nameEntries(state, entryOf)),
      leading: agent === null ? (state.facts.leading[0] ?? null) : null,
    });
  }
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

/** Reads what was just written as a sync would, and returns where it would go on. */
async function readOwn(
  path: string,
  session: string,
  agent: string | null,
): Promise<Pick<TranscriptBatch, "position"> & { readonly state: TranscriptState }> {
  let state = startTranscript(session, agent);
  let position: TranscriptBatch["position"] | undefined;
  for await (const batch of readTranscript(path)) {
    ({ state } = absorb(state, batch.rows));
    ({ position } = batch);
  }
  if (position === undefined) throw writeFailed(path, new Error("what was written cannot be read back"));
  return { position, state };
}

/** Rows that the client adds follow the entries that the store has, whose rows may have other ids. */
function nameEntries(state: TranscriptState, entryOf: NativeSession["entryOf"]): TranscriptState {
  const nameOf = (entry: EntryId) => entryOf.get(entry) ?? entry;
  const { leaf } = state.facts;
  return {
    ...state,
    rows: state.rows.map(([row, entry, digests]) => {
      const known = entry === true ? (row as EntryId) : entry;
      return [row, known === null ? null : nameOf(known), digests];
    }),
    facts: { ...state.facts, leaf: leaf === null ? null : nameOf(leaf) },
  };
}

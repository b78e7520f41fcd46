import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type SyncChoice, syncClient } from "../../src/recording/sync-client.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { readShown } from "../../src/sessions/observations.ts";
import type { Session } from "../../src/sessions/session.ts";
import { openInbox } from "../../src/storage/open-inbox.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { writeSpoolFile } from "../../src/storage/write-spool-file.ts";
import { collect } from "./entries.ts";
import { tempDir } from "./temp-dir.ts";

/** When all recorded transcripts have just been written. */
export const rightAfter = new Date(Date.UTC(2026, 10, 15, 1));

/** A folder of Claude Code and a store beside it. */
export interface ClientFolder extends AsyncDisposable {
  readonly path: string;
  readonly home: string;
  /** Returns where the transcript of a session is. */
  locate(session: string, project?: string): string;
  /** Writes a transcript, or what else stands below the folder of a project. */
  write(session: string, text: string, project?: string): Promise<string>;
  /** Copies a recorded transcript to where the client would have written it. */
  copy(fixture: string, session: string, name?: string): Promise<string>;
  /** Puts what a hook saw where it would: into the inbox, or into the spool. */
  hook(seen: SeenByHook): Promise<void>;
  /** Takes everything in, at the moment at which the recorded transcripts end unless told. */
  sync(options?: Partial<SyncChoice>): ReturnType<typeof syncClient>;
  /** Returns everything in the store: sessions by id with their entries; each has passed `verify`. */
  read(): Promise<Readonly<Record<string, StoredSession>>>;
}

/** What a hook is told: an event of a session at a moment. */
export interface SeenByHook {
  readonly event: string;
  readonly session: string;
  readonly at: Date;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly to?: "inbox" | "spool";
}

interface StoredSession {
  readonly session: Session;
  readonly entries: readonly Entry[];
  /** The entries that somebody sees who reads the session. */
  readonly shown: readonly Entry[];
}

/** Makes a folder of a client without sessions, and an empty store. */
export async function openClientFolder(): Promise<ClientFolder> {
  const dir = await tempDir();
  const [path, home] = [dir.join(".claude"), dir.join("home")];
  const locate = (session: string, project = "-home-me") =>
    join(path, "projects", project, `${session}.jsonl`);
  return {
    ...{ path, home, locate },
    write: async (session, text, project) => {
      const file = locate(session, project);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    copy: async (fixture, session, name = `${session}.jsonl`) => {
      const file = join(path, "projects", "-home-me", name);
      await mkdir(dirname(file), { recursive: true });
      await copyFile(`test/fixtures/claude-code/${fixture}`, file);
      return file;
    },
    hook: (seen) => putSeen(home, seen),
    sync: (options = {}) => syncClient({ home, client: path, machine: "here", now: rightAfter, ...options }),
    read: () => readStore(home),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Puts what a hook saw into the inbox or the spool of a home. */
export async function putSeen(
  home: string,
  { event, session, at, payload = {}, to }: SeenByHook,
): Promise<void> {
  const text = JSON.stringify({ cwd: "/home/me", ...payload });
  const item = { receivedMs: at.getTime(), client: "claude-code", event, session, payload: text };
  await using inbox = await openInbox(home);
  if (to === "spool") writeSpoolFile(home, item);
  else await inbox.put([item]);
}

async function readStore(home: string): Promise<Readonly<Record<string, StoredSession>>> {
  await using store = await openStore(home);
  const { sessions } = await store.log.list({ limit: 500 });
  const found: Record<string, StoredSession> = {};
  for (const session of sessions) {
    const { problem } = await store.log.verify(session.id);
    if (problem !== null) throw new Error(`${session.id}: ${problem.reason}`);
    const entries = await collect(store.log.read(session.id));
    found[session.id] = { session, entries, shown: await collect(readShown(store.log, session.id)) };
  }
  return found;
}

/** What a sync says when nothing is unusual. */
export const nothingUnusual = {
  ...{
    leftOut: 0,
    forks: 0,
    known: 0,
    items: 0,
    deleted: [],
    rejected: [],
    revised: [],
    orphans: [],
    unknown: {},
    failed: [],
    drafted: [],
    noted: [],
    flushed: [],
    unwritten: [],
  },
};

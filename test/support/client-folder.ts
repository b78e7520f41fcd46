import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Entry } from "../../src/conversation/entry.ts";
import type { Session } from "../../src/conversation/session.ts";
import { syncClient } from "../../src/project/sync-client.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { collect } from "./entries.ts";
import { tempDir } from "./temp-dir.ts";

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
  sync(options?: { readonly since?: Date; readonly folder?: string }): ReturnType<typeof syncClient>;
  /** Returns everything in the store: sessions by id with their entries; each has passed `verify`. */
  read(): Promise<Readonly<Record<string, StoredSession>>>;
}

interface StoredSession {
  readonly session: Session;
  readonly entries: readonly Entry[];
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
    sync: (options = {}) => syncClient({ home, client: path, machine: "here", ...options }),
    read: () => readStore(home),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

async function readStore(home: string): Promise<Readonly<Record<string, StoredSession>>> {
  await using store = await openStore(home);
  const { sessions } = await store.log.list({ limit: 500 });
  const found: Record<string, StoredSession> = {};
  for (const session of sessions) {
    const { problem } = await store.log.verify(session.id);
    if (problem !== null) throw new Error(`${session.id}: ${problem.reason}`);
    found[session.id] = { session, entries: await collect(store.log.read(session.id)) };
  }
  return found;
}

/** What a sync says when nothing is unusual. */
export const nothingUnusual = {
  ...{ leftOut: 0, forks: 0, known: 0, rejected: [], revised: [], orphans: [], unknown: {}, failed: [] },
};

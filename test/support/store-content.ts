import type { Entry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import type { Session } from "../../src/sessions/session.ts";
import { restoreStore } from "../../src/storage/maintenance.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { collect, newSession, said, start } from "./entries.ts";
import { tempDir } from "./temp-dir.ts";

/** Everything that a store says, each session with its entries and whether its chain is right. */
export type Content = readonly { readonly session: Session; readonly entries: readonly Entry[] }[];

/** Reads the whole store of a home folder; throws when a chain is broken. */
export async function readContent(home: string): Promise<Content> {
  await using store = await openStore(home);
  const { sessions } = await store.log.list();
  return await Promise.all(
    sessions.map(async (session) => {
      const { problem } = await store.log.verify(session.id);
      if (problem !== null) throw new Error(`Session ${session.id}: ${problem.reason}`);
      return { session, entries: await collect(store.log.read(session.id)) };
    }),
  );
}

/** Reads a file that holds a whole store: a backup, or a store that was put aside. */
export async function readContentOfFile(file: string): Promise<Content> {
  await using dir = await tempDir();
  await restoreStore(dir.join("home"), file, start);
  return await readContent(dir.join("home"));
}

/** Appends a message to a session, which is made where there is none. */
export async function sayIn(home: string, session: string, id: string, text: string): Promise<void> {
  await using store = await openStore(home);
  const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession(session, project.id));
  await store.log.append(parseSessionId(session), [said(id, text)]);
}

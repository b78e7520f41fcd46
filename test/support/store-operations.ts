import { existsSync } from "node:fs";
import { join } from "node:path";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { backupStore, restoreStore } from "../../src/storage/maintenance.ts";
import { openStore, type Store } from "../../src/storage/open-store.ts";

/** Where an operation finds what it works on. */
export interface Scene {
  /** The home folder of the store. */
  readonly home: string;
  /** The backup, in a folder of its own. */
  readonly file: string;
}

/** Returns the scene in a folder. */
export function sceneIn(folder: string): Scene {
  return { home: join(folder, "home"), file: join(folder, "copies", "copy.db") };
}

type Acknowledge = (step: string) => Promise<void>;

/** Does something to a store, and says of each step that it is done for good. Can be repeated after it has failed. */
export type Operation = (scene: Scene, acknowledge: Acknowledge) => Promise<void>;

const at = new Date("2026-11-15T12:00:00.000Z");

/** Everything that changes the files of a store. */
export const operations = {
  append: ({ home }, acknowledge) =>
    withStore(home, async (store) => {
      const { id: project } = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
      const start = { client: "carryon-append", cwd: "/work", machine: "here", startedAt: at } as const;
      await store.log.open({ id: parseSessionId("new"), project, ...start });
      await acknowledge("opened");
      for (let number = 1; number <= 10; number += 1) await acknowledge(await append(store, number));
    }),

  checkpoint: ({ home }, acknowledge) =>
    withStore(home, async (store) => {
      await store.compact();
      await acknowledge("compacted");
    }),

  fork: ({ home }, acknowledge) =>
    withStore(home, async ({ log }) => {
      const place = { cwd: "/work", machine: "here", startedAt: at };
      await log.fork({ id: parseSessionId("fork"), from: parseSessionId("one"), ...place });
      await acknowledge("forked");
    }),

  delete: ({ home }, acknowledge) =>
    withStore(home, async (store) => {
      const { sessions } = await store.log.list();
      const large = sessions.find(({ id }) => id === "large");
      if (large !== undefined) await store.log.delete(large.id, at);
      await acknowledge("deleted");
      await store.compact();
      await acknowledge("compacted");
    }),

  scrub: ({ home }, acknowledge) =>
    withStore(home, async ({ scrubber }) => {
      const { isWiped } = await scrubber.replace(literalPattern("fourth"), at);
      await acknowledge(isWiped ? "scrubbed" : "to be wiped");
    }),

  migrate: ({ home }, acknowledge) => withStore(home, () => acknowledge("migrated")),

  backup: async ({ home, file }, acknowledge) => {
    await backupStore(home, file, { overwrite: existsSync(file) });
    await acknowledge("backed up");
  },

  restore: async ({ home, file }, acknowledge) => {
    await restoreStore(home, file, new Date());
    await acknowledge("restored");
  },
} satisfies Readonly<Record<string, Operation>>;

async function withStore(home: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(home);
  await work(store).finally(() => store[Symbol.asyncDispose]());
}

async function append({ log }: Store, number: number): Promise<string> {
  const parts = [{ type: "text", text: `text ${number}` }] as const;
  const entry = { id: parseEntryId(`w-${number}`), at, kind: "message", role: "user", parts } as const;
  const [receipt] = await log.append(parseSessionId("new"), [entry]);
  return `${receipt?.seq} ${receipt?.id}`;
}

import { existsSync, globSync } from "node:fs";
import { cp, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../src/lib/app-error.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { backupStore } from "../../src/storage/maintenance.ts";
import { schemaVersion } from "../../src/storage/migrate.ts";
import { locateStore, openStore, type Store } from "../../src/storage/open-store.ts";
import { newSession, said } from "./entries.ts";
import { filesWith } from "./files-with.ts";
import { readContent, readContentOfFile, sayIn } from "./store-content.ts";
import { fillStore, writeFirstVersion } from "./store-files.ts";
import type { operations, Scene } from "./store-operations.ts";
import { tempDir } from "./temp-dir.ts";

/** An operation on a store that is made for it, and what can be seen of its result. */
export interface Trial {
  readonly name: string;
  readonly operation: keyof typeof operations;
  /** Makes the scene in a folder that is empty but for the one for copies. */
  readonly prepare: (scene: Scene) => Promise<void>;
  /** Returns what a user sees: what it was before the operation, or what it is after one of its steps. */
  readonly look: (scene: Scene) => Promise<unknown>;
  /** Returns what else is wrong once the operation is through. */
  readonly findFaults?: (scene: Scene) => Promise<readonly string[]>;
}

const seeStore: Trial["look"] = ({ home }) => readContent(home);

const deletedText = "soon to be deleted ";
const damage = "no database at all";

/** Where faults are let loose: every operation, on a store that was left with a filled WAL where that makes a difference. */
export const trials: readonly Trial[] = [
  { name: "append to a store that has to be made", operation: "append", prepare: nothing, look: seeStore },
  {
    name: "append until SQLite empties its WAL",
    operation: "append",
    prepare: (scene) => leaveWal(scene, fillWal),
    look: seeStore,
  },
  {
    name: "checkpoint",
    operation: "checkpoint",
    prepare: (scene) => leaveWal(scene, nothing),
    look: seeStore,
  },
  { name: "fork", operation: "fork", prepare: (scene) => leaveWal(scene, nothing), look: seeStore },
  {
    name: "delete and compact",
    operation: "delete",
    prepare: (scene) => leaveWal(scene, addLarge),
    look: seeStore,
    findFaults: ({ home }) => filesWith(home, [deletedText]),
  },
  {
    name: "scrub",
    operation: "scrub",
    prepare: (scene) => leaveWal(scene, nothing),
    look: seeMessages,
    findFaults: ({ home }) => filesWith(home, ["fourth"]),
  },
  { name: "migrate an empty store", operation: "migrate", prepare: makeEmpty, look: readSchema },
  ...(schemaVersion === 1 ? [] : [migrateFirstVersion()]),
  {
    name: "back up to a new file",
    operation: "backup",
    prepare: (scene) => leaveWal(scene, nothing),
    look: seeStoreAndCopy,
  },
  {
    name: "back up over an older copy",
    operation: "backup",
    prepare: (scene) => leaveWal(scene, (store, home) => backUpAndGoOn(store, home, scene)),
    look: seeStoreAndCopy,
  },
  {
    name: "restore",
    operation: "restore",
    prepare: (scene) => leaveWal(scene, (store, home) => backUpAndGoOn(store, home, scene)),
    look: seeStore,
    findFaults: missOldStore,
  },
  {
    name: "restore over a damaged store",
    operation: "restore",
    prepare: makeDamaged,
    look: (scene) => seeStore(scene).catch(nothingIfCorrupt),
    findFaults: missDamagedStore,
  },
];

async function nothing(): Promise<void> {
  // The operation needs no more.
}

/** Fills a store and leaves it as a killed writer does: with everything in its WAL. */
async function leaveWal({ home }: Scene, fill: (store: Store, home: string) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  // While it is open, nobody moves the WAL into the database.
  await using store = await openStore(dir.join("home"));
  await fillStore(dir.join("home"));
  await fill(store, dir.join("home"));
  await cp(dir.join("home"), home, { recursive: true, filter: (path) => !path.endsWith("-shm") });
}

/** Fills the WAL almost up to the 1,000 pages at which SQLite empties it. */
async function fillWal({ log, projects }: Store, home: string): Promise<void> {
  const { id } = await projects.recognise({ identities: ["path:/test"], name: "test" });
  await log.open(newSession("new", id));
  const size = async () => (await stat(`${locateStore(home)}-wal`)).size;
  for (let number = 1; (await size()) < 980 * 8216; number += 1) {
    await log.append(parseSessionId("new"), [said(`l-${number}`, `text ${number}`)]);
  }
}

/** Adds a session that is so large that it leaves a hole worth a compaction. */
async function addLarge({ log, projects }: Store): Promise<void> {
  const { id } = await projects.recognise({ identities: ["path:/test"], name: "test" });
  await log.open(newSession("large", id));
  const texts = Array.from({ length: 40 }, (_, index) => `${index} ${deletedText.repeat(150)}`);
  await log.append(
    parseSessionId("large"),
    texts.map((text, index) => said(`l-${index}`, text)),
  );
}

/** Returns what was said; the notes of a scrub have ids of their own each time. */
async function seeMessages({ home }: Scene): Promise<unknown> {
  const content = await readContent(home);
  return content.map(({ session, entries }) => [
    session.id,
    entries.filter(({ kind }) => kind === "message"),
  ]);
}

async function makeEmpty({ home }: Scene): Promise<void> {
  await mkdir(home, { mode: 0o700 });
  await writeFile(locateStore(home), "", { mode: 0o600 });
}

/** Reads the version and the names of the tables without migrating them. */
async function readSchema({ home }: Scene): Promise<unknown> {
  const db = new DatabaseSync(locateStore(home));
  try {
    const names = db.prepare("SELECT name FROM sqlite_schema ORDER BY name").all();
    return { ...db.prepare("PRAGMA user_version").get(), names: names.map(({ name }) => name) };
  } finally {
    db.close();
  }
}

function migrateFirstVersion(): Trial {
  return {
    name: "migrate a store of the first version",
    operation: "migrate",
    prepare: ({ home }) => writeFirstVersion(home),
    look: readSchema,
    findFaults: missContent,
  };
}

/** Looks for what was written before the migration. */
async function missContent({ home }: Scene): Promise<readonly string[]> {
  await using dir = await tempDir();
  await fillStore(dir.join("home"));
  const [found, expected] = [await readContent(home), await readContent(dir.join("home"))];
  return isDeepStrictEqual(found, expected) ? [] : ["What was written is not what is there."];
}

async function seeStoreAndCopy(scene: Scene): Promise<unknown> {
  const copy = existsSync(scene.file) ? await readContentOfFile(scene.file) : null;
  return { store: await seeStore(scene), copy };
}

async function backUpAndGoOn(_store: Store, home: string, { file }: Scene): Promise<void> {
  await backupStore(home, file, { overwrite: false });
  await sayIn(home, "one", "a7", "not in the copy");
}

/** Looks for the store as it was before a restore in the files that were kept. */
async function missOldStore({ home }: Scene): Promise<readonly string[]> {
  const kept = await Promise.all(globSync(join(home, "store.before-restore-*.db")).map(readContentOfFile));
  const entries = kept.flatMap((content) => content.flatMap((session) => session.entries));
  return entries.some((entry) => entry.id === "a7") ? [] : ["The store as it was is not kept."];
}

async function makeDamaged({ home, file }: Scene): Promise<void> {
  await fillStore(home);
  await backupStore(home, file, { overwrite: false });
  await writeFile(locateStore(home), damage);
}

/** A store that cannot be opened shows as much as one that is not there. */
function nothingIfCorrupt(error: unknown): unknown {
  if (error instanceof AppError && error.code === "store-corrupt") return [];
  throw error;
}

/** Looks for a damaged store where it was moved to. */
async function missDamagedStore({ home }: Scene): Promise<readonly string[]> {
  const aside = await Promise.all(
    globSync(join(home, "store.db.aside-*")).map((path) => readFile(path, "utf8")),
  );
  return aside.includes(damage) ? [] : ["The damaged store is not kept."];
}

/** Makes the folder for copies, and the scene of a trial. */
export async function prepareScene(trial: Trial, scene: Scene): Promise<void> {
  await mkdir(dirname(scene.file), { recursive: true });
  await trial.prepare(scene);
}

import { existsSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../lib/app-error.ts";
import { schemaVersion } from "../migrate.ts";
import { locateStore } from "../open-store.ts";
import { StoreIsNewer } from "../store-errors.ts";
import { countSessions } from "./backup-store.ts";
import { findDamage } from "./find-damage.ts";
import { openForReading, readPragma } from "./open-connection.ts";
import { readSize, refuseForeign } from "./prepare-folder.ts";
import { toStoreError } from "./sqlite-errors.ts";

export interface Problem {
  readonly what: string;
  readonly hint: string;
}

/** What `doctor` says of a store. */
export interface StoreReport {
  readonly path: string;
  readonly exists: boolean;
  readonly bytes: number;
  readonly walBytes: number;
  /** What is left on the disk. */
  readonly freeBytes: number;
  readonly schema: number | null;
  readonly sqlite: string;
  readonly sessions: number | null;
  readonly problems: readonly Problem[];
}

const lowOnSpace = 100 * 1024 * 1024;

/** Looks at everything that can be wrong with the store of a home folder; changes nothing and never throws for what it finds. */
export async function inspectStore(home: string): Promise<StoreReport> {
  const path = locateStore(home);
  const exists = existsSync(path);
  const content = exists ? await inspectContent(path) : { schema: null, sessions: null, problems: [] };
  const freeBytes = existsSync(home) ? await readFreeBytes(home) : Number.POSITIVE_INFINITY;
  return {
    path,
    exists,
    bytes: await readSize(path),
    walBytes: await readSize(`${path}-wal`),
    freeBytes,
    schema: content.schema,
    sqlite: process.versions.sqlite ?? "",
    sessions: content.sessions,
    problems: [
      ...(exists ? [...(await inspectAccess(home)), ...(await inspectAccess(path))] : []),
      ...content.problems,
      ...(freeBytes < lowOnSpace ? [{ what: "The disk is nearly full.", hint: "Free some space." }] : []),
    ],
  };
}

async function inspectAccess(path: string): Promise<readonly Problem[]> {
  try {
    await refuseForeign(path);
  } catch (error) {
    if (error instanceof AppError) return [{ what: error.message, hint: error.hint ?? "" }];
    throw error;
  }
  const isOpenToOthers = process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0;
  if (!isOpenToOthers) return [];
  return [{ what: `Other users can read ${path}.`, hint: `Run \`chmod go= ${path}\`.` }];
}

type Content = Pick<StoreReport, "schema" | "sessions" | "problems">;

async function inspectContent(path: string): Promise<Content> {
  let db: DatabaseSync | undefined;
  try {
    db = await openForReading(path);
    const schema = Number(readPragma(db, "user_version"));
    if (schema > schemaVersion) throw new StoreIsNewer(path, schema, schemaVersion);
    if (schema === 0) return { schema, sessions: 0, problems: [] };
    return { schema, sessions: countSessions(db), problems: describeDamage(findDamage(db)) };
  } catch (error) {
    const known = toStoreError(error, path);
    if (!(known instanceof AppError)) throw error;
    return { schema: null, sessions: null, problems: [{ what: known.message, hint: known.hint ?? "" }] };
  } finally {
    db?.close();
  }
}

function describeDamage(damage: readonly string[]): readonly Problem[] {
  const hint = "Make a copy with `carryon backup` first; `carryon verify` says which sessions are whole.";
  return damage.map((line) => ({ what: `The database is damaged: ${line}.`, hint }));
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

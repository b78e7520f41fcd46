import { statfs } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../lib/app-error.ts";
import { exists, locateKey, readSize, toFolderError } from "../home-folder.ts";
import { inspectHome } from "../inspect-home.ts";
import { schemaVersion } from "../migrate.ts";
import { locateStore } from "../open-store.ts";
import { keyIsMissing, storeIsNewer } from "../store-errors.ts";
import { brokenIndex, type Problem, type StoreReport, toProblem } from "../store-report.ts";
import { askWipeDue, wipeDue } from "../wipe-due.ts";
import { countSessions } from "./backup-store.ts";
import { findDamage, isOfIndex } from "./find-damage.ts";
import { openForReading, readPragma } from "./open-connection.ts";
import { toStoreError } from "./sqlite-errors.ts";

const lowOnSpace = 100 * 1024 * 1024;

/** Looks at everything that can be wrong with the store of a home folder; changes nothing and never throws for what it finds. */
export async function inspectStore(home: string): Promise<StoreReport> {
  const path = locateStore(home);
  const empty: StoreReport = {
    ...{ path, exists: false, bytes: 0, walBytes: 0, freeBytes: Number.POSITIVE_INFINITY },
    ...{ schema: null, sqlite: process.versions.sqlite ?? "", postgres: null, sessions: null, problems: [] },
  };
  try {
    return (await exists(home)) ? await inspectFiles(home, empty) : empty;
  } catch (error) {
    const known = toFolderError(error, home);
    if (known instanceof AppError) return { ...empty, problems: [toProblem(known)] };
    throw error;
  }
}

async function inspectFiles(home: string, empty: StoreReport): Promise<StoreReport> {
  const { path } = empty;
  const key = locateKey(home);
  const isThere = await exists(path);
  const walBytes = await readSize(`${path}-wal`);
  const freeBytes = await readFreeBytes(home);
  const found = {
    ...empty,
    // A WAL without its database is what is left of a store.
    ...{ exists: isThere || walBytes > 0, bytes: await readSize(path), walBytes, freeBytes },
  };
  const full = freeBytes < lowOnSpace ? [{ what: "The disk is nearly full.", hint: "Free some space." }] : [];
  if (!found.exists) return { ...found, problems: full };
  const content = await inspectContent(path);
  return {
    ...found,
    ...content,
    problems: [
      ...(await inspectHome(home, isThere ? [path] : [])),
      ...((content.sessions ?? 0) > 0 && !(await exists(key)) ? [toProblem(keyIsMissing(key))] : []),
      ...content.problems,
      ...full,
    ],
  };
}

type Content = Pick<StoreReport, "schema" | "sessions" | "problems">;

async function inspectContent(path: string): Promise<Content> {
  let db: DatabaseSync | undefined;
  try {
    db = await openForReading(path);
    const schema = Number(readPragma(db, "user_version"));
    if (schema > schemaVersion) throw storeIsNewer(path, schema, schemaVersion);
    if (schema === 0) return { schema, sessions: 0, problems: [] };
    const damage = [...findDamage(db), ...(await findCut(path, db))];
    const isDue = schema === schemaVersion && db.prepare(askWipeDue).get() !== undefined;
    const problems = [...describeDamage(damage), ...(isDue ? [wipeDue] : [])];
    return { schema, sessions: countSessions(db), problems };
  } catch (error) {
    const known = toStoreError(error, path);
    if (!(known instanceof AppError)) throw error;
    return { schema: null, sessions: null, problems: [toProblem(known)] };
  } finally {
    db?.close();
  }
}

/** SQLite reads what is missing at the end of the last page as zeros; with a WAL it may be on its way. */
async function findCut(path: string, db: DatabaseSync): Promise<readonly string[]> {
  if ((await readSize(`${path}-wal`)) > 0) return [];
  return (await readSize(path)) % Number(readPragma(db, "page_size")) === 0 ? [] : ["its end is cut off"];
}

function describeDamage(damage: readonly string[]): readonly Problem[] {
  const hint = "Make a copy with `carryon backup` first; `carryon verify` says which sessions are whole.";
  const lost = damage.filter((line) => !isOfIndex(line));
  return [
    ...lost.map((line) => ({ what: `The database is damaged: ${line}.`, hint })),
    ...(lost.length === damage.length ? [] : [brokenIndex]),
  ];
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

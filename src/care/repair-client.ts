import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Client, FileHealth, NativePath } from "../clients/client.ts";
import { changedMeanwhile } from "../install/file-change.ts";
import { AppError, busyError, usageError } from "../lib/app-error.ts";
import { sweepStrays, writeStreamAtomically } from "../lib/atomic-file.ts";
import { writeFailed } from "../lib/file-error.ts";
import { readRawLines } from "../lib/line-splitter.ts";
import { keepAside } from "../lib/set-aside.ts";
import { listNativeIds } from "../lifecycle/plan-native.ts";
import { examineFile, findDamage } from "../recording/examine-file.ts";
import { noteNative, readNative, withoutSync } from "../recording/write-native.ts";
import type { SessionId } from "../sessions/ids.ts";
import { findGiven } from "../sessions/ingestion.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { findHere, isNoStore, readHere, writeHere } from "../workspace/open-here.ts";
import type { OpenProject } from "../workspace/open-project.ts";
import type { Caller } from "../workspace/workspace.ts";
import { type ListedFile, listFiles } from "./client-files.ts";

export interface RepairRequest {
  readonly client: Client;
  /** The session, as a person names it; all that are damaged unless told. */
  readonly session?: string | undefined;
  /** Puts what was mended in the place of the file, which is kept beside it. */
  readonly install?: boolean | undefined;
}

/** A file that was mended. */
export interface RepairedFile extends NativePath, Pick<FileHealth, "faults"> {
  /** Rows that could be read, lines that were left out, and rows that came from the store. */
  readonly kept: number;
  readonly leftOut: number;
  readonly restored: number;
  /** Where the mended file is. */
  readonly mended: string;
  /** Under what name the file is kept that was there before; null where it was not replaced. */
  readonly original: string | null;
}

/** Mends copies of damaged files of a client, with what the store has of their sessions; changes none that is whole. What fails for one stops none of the others. */
export async function repairClient(
  caller: Caller,
  { client, session: name, install = false }: RepairRequest,
): Promise<{ readonly files: readonly RepairedFile[]; readonly failed: readonly AppError[] }> {
  const repair = async (here?: OpenProject) => {
    const ids = name === undefined ? undefined : await findIds(caller, here, client, name);
    const repaired: RepairedFile[] = [];
    const failed: AppError[] = [];
    const files = await listFiles(caller, [client.name]);
    const meant = files.filter(({ file }) => ids?.includes(file.session) ?? true);
    if (name !== undefined && meant.length === 0)
      throw usageError("no-transcript", `${client.title} has no file of session ${name}.`, {
        hint: `If \`carryon sessions --all\` lists it, \`carryon resume ${name}\` writes one. A file of a subagent is mended with its session.`,
      });
    const note = (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      failed.push(error);
      return [];
    };
    const isNamed = ids !== undefined;
    for (const each of meant)
      repaired.push(...(await repairFile(caller, here, { ...each, install, isNamed }).catch(note)));
    return { files: repaired, failed };
  };
  try {
    return await readHere(caller, repair);
  } catch (error) {
    if (isNoStore(error)) return repair();
    throw error;
  }
}

/** A session that is not recorded is known by the client's own id. */
async function findIds(caller: Caller, here: OpenProject | undefined, client: Client, name: string) {
  if (here === undefined) return [name];
  try {
    return await listNativeIds(here.store.ingestion, client, await findHere(caller, here, name));
  } catch (error) {
    if (error instanceof AppError && error.code === "session-not-found") return [name];
    throw error;
  }
}

/** Mends a file; returns nothing for one that is whole. One that is not named is compared with the store only where it is damaged. */
async function repairFile(
  caller: Caller,
  here: OpenProject | undefined,
  { client, file, holder, install, isNamed }: ListedFile & Readonly<Record<"install" | "isNamed", boolean>>,
): Promise<readonly RepairedFile[]> {
  const { path, session: id, agent } = file;
  if (!isNamed && findDamage((await examineFile(client, file)).health).length === 0) return [];
  const { session, rows } = await readRows(here, client, file);
  const { health, mark } = await examineFile(client, file, rows);
  const { faults, counts } = health;
  if (faults.length === 0 && counts.restored === 0) return [];
  // Beside the file, since it may hold secrets: Carryon's own folder has none.
  const copy = `${path}.mended`;
  const write = (mended: string) => writeStreamAtomically(mended, readMended(path, health));
  const replace = async () => {
    if (holder !== undefined) throw inUse(client, path, holder);
    if ((await examineFile(client, file)).mark !== mark) throw changedMeanwhile(path);
    // Sync reads the file again, and takes nothing that the session has.
    if (session !== undefined)
      await writeHere(caller, ({ store }) => noteNative(store.ingestion, client, id, session));
    const kept = removeLeftovers(path).then(() => keepAside(path, caller.clock.now()));
    const aside = await kept.catch((error: unknown) => {
      throw writeFailed(path, error);
    });
    await write(path).catch((error: unknown) => removeLeftovers(path).then(() => Promise.reject(error)));
    await rm(copy, { force: true });
    return aside;
  };
  const home = locateHome(caller.env, caller.userHome);
  if (install) await mkdir(home, { recursive: true, mode: 0o700 });
  const original = install ? await withoutSync(home, replace) : await write(copy).then(() => null);
  const { rows: kept, leftOut, restored } = counts;
  return [
    { session: id, agent, path, faults, kept, leftOut, restored, mended: install ? path : copy, original },
  ];
}

/** Removes what an installation leaves that failed or was killed; a name that is kept for a replaced file has another inode. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  await sweepStrays(folder);
  const { ino } = await lstat(path);
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (name.startsWith(`${basename(path)}.broken-`) && (await lstat(other)).ino === ino) await rm(other);
  }
}

/** Returns the session of a file, and the rows that the store would write into it. */
async function readRows(here: OpenProject | undefined, client: Client, { session: id, agent }: NativePath) {
  if (here === undefined) return {};
  const known = await findGiven(here.store.ingestion, client.name, id);
  const [session] = (await here.store.log.list({ id: known as SessionId })).sessions;
  if (session === undefined) return {};
  const { files } = await readNative(here.store, session, { client, id, cwd: session.cwd });
  return { session: session.id, rows: files.find((each) => each.agent === agent)?.rows ?? [] };
}

function inUse({ title }: Client, path: string, pid: number): AppError {
  return busyError(
    "session-in-client",
    `${title} is in this session, process ${pid}; ${path} was left as it is.`,
    {
      hint: "Close it there, and run the command again.",
    },
  );
}

function* readMended(path: string, { replaced, added }: FileHealth): Generator<string | Uint8Array> {
  const end = (line: string) => `${line}\n`;
  yield* (added.get(0) ?? []).map(end);
  for (const { number, bytes = "" } of readRawLines(path, Number.MAX_SAFE_INTEGER)) {
    const lines = replaced.get(number);
    if (lines === undefined) yield* [bytes, "\n"];
    yield* [...(lines ?? []), ...(added.get(number) ?? [])].map(end);
  }
}

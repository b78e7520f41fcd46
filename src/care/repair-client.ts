import { closeSync, fstatSync, openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Client, FileHealth } from "../clients/client.ts";
import { clientNamed, usualClient } from "../clients/registry.ts";
import { changedMeanwhile } from "../install/file-change.ts";
import { busyError, usageError } from "../lib/app-error.ts";
import { writeStreamAtomically } from "../lib/atomic-file.ts";
import { readRawLines } from "../lib/line-splitter.ts";
import { keepAside } from "../lib/set-aside.ts";
import { findProcess, listFolders, listNativeIds } from "../lifecycle/plan-native.ts";
import { type ExaminedFile, examineFile, type FoundFile, findDamage } from "../recording/examine-file.ts";
import { noteNative, readNative, withoutSync } from "../recording/write-native.ts";
import { SessionNotFound } from "../sessions/errors.ts";
import type { SessionId } from "../sessions/ids.ts";
import { findGiven } from "../sessions/ingestion.ts";
import type { Session } from "../sessions/session.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { findHere, isNoStore, readHere, writeHere } from "../workspace/open-here.ts";
import type { OpenProject } from "../workspace/open-project.ts";
import type { Caller } from "../workspace/workspace.ts";

export interface RepairRequest {
  /** The name of the client whose files are mended. */
  readonly client: string;
  /** The session, as a person names it; all that are damaged unless told. */
  readonly session?: string | undefined;
  /** Puts what was mended in the place of the file, which is kept beside it. */
  readonly install?: boolean | undefined;
}

/** A file that was mended. */
export interface RepairedFile extends Pick<ExaminedFile, "session" | "agent" | "path"> {
  readonly faults: FileHealth["faults"];
  /** Rows that could be read, lines that were left out, and rows that came from the store. */
  readonly kept: number;
  readonly leftOut: number;
  readonly restored: number;
  /** Where the mended file is. */
  readonly mended: string;
  /** Under what name the file is kept that was there before; null where it was not replaced. */
  readonly original: string | null;
}

/** Mends copies of damaged files of a client, with what the store has of their sessions. */
export async function repairClient(caller: Caller, request: RepairRequest): Promise<readonly RepairedFile[]> {
  const repair = async (here?: OpenProject) => {
    const client = clientNamed(request.client) ?? usualClient;
    const folders = await listFolders(caller, client);
    const repaired: RepairedFile[] = [];
    for (const file of await findMeant(caller, here, { client, folders, name: request.session })) {
      const session = await findSession(here, client, file);
      repaired.push(
        ...(await repairFile(caller, here, { client, folders, file, session, install: request.install })),
      );
    }
    return repaired;
  };
  try {
    return await readHere(caller, repair);
  } catch (error) {
    if (isNoStore(error)) return repair();
    throw error;
  }
}

interface Meant {
  readonly client: Client;
  readonly folders: readonly string[];
}

/** Returns the files of the session that a person named, else those that are damaged. */
async function findMeant(
  caller: Caller,
  here: OpenProject | undefined,
  { client, folders, name }: Meant & { readonly name: string | undefined },
): Promise<readonly FoundFile[]> {
  const ids = name === undefined ? [undefined] : await findIds(caller, here, client, name);
  const files: FoundFile[] = [];
  for (const id of ids)
    for (const folder of folders)
      files.push(...(await client.find(folder, id)).map((file) => ({ ...file, folder })));
  if (name !== undefined && files.length === 0)
    throw usageError("no-transcript", `${client.title} has no file of session ${name}.`, {
      hint: `If the session is recorded, \`carryon resume ${name}\` writes one.`,
    });
  if (name !== undefined) return files;
  const damaged: FoundFile[] = [];
  for (const file of files)
    if (findDamage((await examineFile(client, file)).health).length > 0) damaged.push(file);
  return damaged;
}

/** A session that is not recorded is known by the client's own id. */
async function findIds(caller: Caller, here: OpenProject | undefined, client: Client, name: string) {
  if (here === undefined) return [name];
  try {
    return await listNativeIds(here.store.ingestion, client, await findHere(caller, here, name));
  } catch (error) {
    if (error instanceof SessionNotFound) return [name];
    throw error;
  }
}

async function findSession(
  here: OpenProject | undefined,
  { name }: Client,
  { session }: FoundFile,
): Promise<Session | undefined> {
  if (here === undefined) return undefined;
  const id = await findGiven(here.store.ingestion, name, session);
  return (await here.store.log.list({ id: id as SessionId })).sessions[0];
}

interface Repair extends Meant, Pick<RepairRequest, "install"> {
  readonly file: FoundFile;
  readonly session: Session | undefined;
}

/** Mends a file; returns nothing for one that is whole. */
async function repairFile(
  caller: Caller,
  here: OpenProject | undefined,
  { client, folders, file, session, install = false }: Repair,
): Promise<readonly RepairedFile[]> {
  const { path, folder, session: id, agent } = file;
  const place = { client, id, cwd: session?.cwd ?? "" };
  const native = here && session && (await readNative(here.store, session, place));
  const rows = native?.files.find((each) => each.agent === agent)?.rows ?? [];
  const { health, mark } = await examineFile(client, file, rows);
  const { faults, counts, replaced } = health;
  if (faults.length === 0 && counts.restored === 0) return [];
  const home = locateHome(caller.env, caller.userHome);
  const mended = install ? path : join(home, "repaired", client.name, relative(folder, path));
  for (const made of [home, dirname(mended)]) await mkdir(made, { recursive: true, mode: 0o700 });
  const put = () => writeStreamAtomically(mended, readMended(path, health));
  const replace = async () => {
    await refuseInUse(client, folders, file);
    if ((await examineFile(client, file)).mark !== mark) throw changedMeanwhile(path);
    // Sync reads the file again, and takes nothing that the session has.
    if (session !== undefined)
      await writeHere(caller, ({ store }) => noteNative(store.ingestion, client, id, session.id));
    const aside = await keepAside(path, caller.clock.now());
    await put();
    return aside;
  };
  const original = install ? await withoutSync(home, replace) : await put().then(() => null);
  const leftOut = [...replaced.values()].filter((lines) => lines.length === 0).length;
  return [
    {
      session: id,
      agent,
      path,
      faults,
      kept: counts.rows,
      leftOut,
      restored: counts.restored,
      mended,
      original,
    },
  ];
}

async function refuseInUse(client: Client, folders: readonly string[], { session, path }: FoundFile) {
  const holder = await findProcess(client, folders, [session]);
  if (holder === undefined) return;
  throw busyError(
    "session-in-client",
    `${client.title} is in this session, process ${holder.pid}; ${path} was left as it is.`,
    {
      hint: "Close it there, and run the command again.",
    },
  );
}

function* readMended(path: string, { replaced, added }: FileHealth): Generator<string | Uint8Array> {
  const file = openSync(path, "r");
  const end = (line: string) => `${line}\n`;
  try {
    yield* (added.get(0) ?? []).map(end);
    for (const { number, bytes = "" } of readRawLines(file, fstatSync(file).size, Number.MAX_SAFE_INTEGER)) {
      const lines = replaced.get(number);
      if (lines === undefined) yield bytes;
      if (lines === undefined) yield "\n";
      yield* [...(lines ?? []), ...(added.get(number) ?? [])].map(end);
    }
  } finally {
    closeSync(file);
  }
}

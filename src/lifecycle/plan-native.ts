import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Client, FileHealth, LaunchFolder } from "../clients/client.ts";
import { usageError } from "../lib/app-error.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { readClientFolders } from "../recording/client-folders.ts";
import { type ExaminedFile, examineFile, type FoundFile } from "../recording/examine-file.ts";
import { type NativeGift, readNative } from "../recording/write-native.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Ingestion } from "../sessions/ingestion.ts";
import type { Session } from "../sessions/session.ts";
import type { Store } from "../storage/open-store.ts";
import { locateHome } from "../workspace/locate-home.ts";
import type { Caller } from "../workspace/workspace.ts";
import type { ResumeCommand } from "./resume-command.ts";

/** Who asks, as far as it counts where a session is resumed. */
export type ResumeAuthor = Pick<Caller, "env" | "userHome" | "machine" | "clock" | "random">;

/** How a client is started in a session. */
export interface NativePlan {
  /** What people call the program that is started. */
  readonly title: string;
  readonly command: ResumeCommand;
  /** What the client is given first: none of its files has all of the session. */
  readonly gift?: NativeGift & { readonly isNew: boolean };
  /** What the client will find; undefined where the store itself is gone on with. */
  readonly preflight?: Preflight;
  readonly cautions: readonly string[];
  readonly others: readonly string[];
}

/** What a client will find of a session when it is started. */
interface Preflight {
  readonly session: SessionId;
  /** The name of the client. */
  readonly client: string;
  /** The messages that the model is to be given, and how many of them the client will load. */
  readonly messages: number;
  readonly loaded: number;
  /** The files that the client has of the session, as far as they were looked at; it is started in the one in use. */
  readonly files: readonly (Pick<ExaminedFile, "path"> &
    Pick<FileHealth, "faults" | "deletedAt"> & { readonly isUsed: boolean })[];
}

/** Returns the ids under which a client knows a session, its own first, then those that Carryon gave it. */
export async function listNativeIds(
  ingestion: Pick<Ingestion, "natives">,
  { name }: Client,
  { id, client, clientSessionId }: Session,
): Promise<readonly string[]> {
  const own = client === name && clientSessionId !== null ? [clientSessionId] : [];
  const given = [...(await ingestion.natives(name))].filter(([, session]) => session === id);
  return [...new Set([...own, ...given.map(([native]) => native)])];
}

/** Returns the folders of a client, that of the caller first. */
export function listFolders(
  caller: Pick<Caller, "env" | "userHome">,
  client: Client,
): Promise<readonly string[]> {
  const home = locateHome(caller.env, caller.userHome);
  return readClientFolders(home, client.locate(caller), client.name);
}

/**
 * Plans how a client is started in a session: in a file of its own that has all that the model is to be given, else in one
 * that is written from the store. That has the id by which the client knew the session where no file has it, else a new one.
 */
export async function planNative(
  caller: ResumeAuthor,
  store: Pick<Store, "log" | "ingestion">,
  { session, client, cwd }: { readonly session: Session; readonly client: Client; readonly cwd: string },
): Promise<NativePlan> {
  const folders = await listFolders(caller, client);
  const ids = await listNativeIds(store.ingestion, client, session);
  const files = await findFiles(client, folders, ids);
  const taken = new Set(files.map((file) => file.session));
  const free = ids.find((id) => client.ids.pattern.test(id) && !taken.has(id));
  const id = free ?? client.ids.make(caller.clock.now(), caller.random);
  const place = { client, id, cwd: await realpath(cwd) };
  const native = await readNative(store, session, place);
  if ((native.files[0]?.rows ?? []).length === 0) throw nothingSaid(session);
  const beside = dirname(native.files[0]?.path ?? "");
  const expected = (folder: string, path: string) => join(folder, beside, basename(path));
  const isElsewhere = (file: FoundFile) => file.path !== expected(file.folder, file.path);
  const near = files.toSorted((one, other) => Number(isElsewhere(one)) - Number(isElsewhere(other)));
  const { examined, whole } = await findWhole(client, near, native.context);
  const folder = whole?.folder ?? folders[0] ?? client.locate(caller);
  const launch = client.launch(whole?.session ?? id, await describeFolder(caller, client, folder));
  const isLoaded = (entry: string) => whole === undefined || whole.health.loads.has(entry);
  return {
    title: client.title,
    command: { cwd, ...launch },
    ...(whole === undefined && {
      gift: { ...place, session: session.id, folder, native, isNew: taken.size > 0 },
    }),
    preflight: {
      ...{ session: session.id, client: client.name },
      messages: native.context.length,
      loaded: native.context.filter(isLoaded).length,
      files: examined.map((file) => {
        const { faults, deletedAt } = file.health;
        return { path: file.path, isUsed: file === whole, faults, deletedAt };
      }),
    },
    cautions:
      whole === undefined ? [] : warnOfPath(client, whole.path, expected(whole.folder, whole.path), cwd),
    others: await warnOfOthers(caller, client, { session, folders, ids }),
  };
}

/** Returns the files of the session itself, without those of its subagents. */
async function findFiles(
  client: Client,
  folders: readonly string[],
  ids: readonly string[],
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const id of ids)
    for (const folder of folders)
      for (const file of await client.find(folder, id))
        if (file.agent === null) found.push({ ...file, folder });
  return found;
}

/** Looks for a file that has all of these entries, under their own ids or as copies. */
async function findWhole(
  client: Client,
  files: readonly FoundFile[],
  entries: NativeGift["native"]["context"],
): Promise<{ readonly examined: readonly ExaminedFile[]; readonly whole: ExaminedFile | undefined }> {
  const examined: ExaminedFile[] = [];
  for (const file of files) {
    const each = await examineFile(client, file);
    examined.push(each);
    if (entries.every((entry) => each.health.holds.has(entry))) return { examined, whole: each };
  }
  return { examined, whole: undefined };
}

async function describeFolder(caller: ResumeAuthor, client: Client, path: string): Promise<LaunchFolder> {
  const usual = client.locate({ userHome: caller.userHome, env: {} });
  const [wanted, current, other] = await Promise.all([path, client.locate(caller), usual].map(realpathOf));
  return { path, isNamed: wanted === current, isUsual: wanted === other };
}

export function realpathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

function warnOfPath({ title }: Client, path: string, expected: string, cwd: string): readonly string[] {
  if (path === expected) return [];
  // Newer versions look everywhere; which one is installed is not ours to ask.
  return [
    `Older versions of ${title} do not find the session from ${cwd}. If yours says so, copy ${renderShellWord(path)} to ${renderShellWord(expected)}`,
  ];
}

function nothingSaid({ id }: Session) {
  return usageError("no-transcript", `Nothing was said in session ${id} that a client could go on from.`, {
    hint: `Begin a new session that is told where the work stands: \`carryon resume ${id} --brief\``,
  });
}

/** Returns who else is in a session that is to be resumed, as far as it is known, in sentences. */
async function warnOfOthers(
  { machine }: ResumeAuthor,
  client: Client,
  {
    session,
    folders,
    ids,
  }: { readonly session: Session; readonly folders: readonly string[]; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  const holder = await findProcess(client, folders, ids);
  const where =
    holder === undefined
      ? session.client === client.name && session.status === "open" && session.machine !== machine
        ? `was open on ${session.machine} when it was last recorded`
        : undefined
      : `${holder.liveness === "alive" ? "is" : "may be"} open in ${client.title}, process ${holder.pid}`;
  if (where === undefined) return [];
  return [
    `Session ${session.id} ${where}. Two clients in one session do not see what the other does: close it there first, or go on in a fork with \`carryon fork ${session.id} --resume\``,
  ];
}

/** Returns a process of a client that is in a session, or may be. */
export async function findProcess(client: Client, folders: readonly string[], ids: readonly string[]) {
  const processes = (await client.processes(folders)) ?? [];
  return processes.find(({ session, liveness }) => ids.includes(session) && liveness !== "gone");
}

import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type AppError, isSystemError, unlessGone } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { parseIfJson } from "../../lib/json.ts";
import { readJsonl } from "../../lib/jsonl.ts";
import type { JsonObject } from "../../sessions/entry.ts";
import { isName, type SessionId } from "../../sessions/ids.ts";
import type { NativePath } from "../client.ts";
import type { FileFacts } from "./read-transcript.ts";
import { isJsonObject, textOf } from "./wire.ts";

/** A transcript, as far as its folder tells. */
export interface FoundFile extends FileFacts {
  readonly path: string;
  readonly mtime: Date;
  readonly birthtime: Date;
}

/** The transcript of a subagent. */
interface SubagentFile extends FoundFile {
  readonly agent: string;
  /** What the client says of it: its type, what it was to do, which tool call started it. */
  readonly meta: JsonObject | null;
}

/** The transcript of a session, with those of its subagents. */
export interface TranscriptFile extends FoundFile {
  readonly session: SessionId;
  readonly subagents: readonly SubagentFile[];
}

/** Returns the folder of the repository whose work tree the client made for a session; undefined for any other folder. */
export function ownerOfWorktree(cwd: string): string | undefined {
  return /^(.+?)[\\/]\.claude[\\/]worktrees[\\/][^\\/]/.exec(cwd)?.[1];
}

const maxSlug = 200;

/**
 * Returns the name of the folder in which the client keeps the sessions of a working directory.
 *
 * Different directories may share one; which it was, the rows of a transcript say.
 */
export function makeSlug(cwd: string): string {
  const slug = cwd.replace(/[^A-Za-z0-9]/g, "-");
  if (slug.length <= maxSlug) return slug;
  let hash = 0;
  for (let index = 0; index < cwd.length; index += 1)
    hash = (Math.imul(hash, 31) + cwd.charCodeAt(index)) | 0;
  return `${slug.slice(0, maxSlug)}-${Math.abs(hash).toString(36)}`;
}

/**
 * Lists the transcripts of all sessions, or of those that began in a folder or below it, by path.
 *
 * Others whose folder has a name of the same beginning may be among them. What is gone before it was looked at is left
 * out; a client may clean up meanwhile. What cannot be read does not keep the others out if it is reported.
 */
export async function listTranscripts(
  client: string,
  below?: string,
  report: ReportUnreadable = fail,
): Promise<readonly TranscriptFile[]> {
  const projects = join(client, "projects");
  const prefix = below === undefined ? "" : makeSlug(below);
  const slugs = (await list(projects)).map(({ name }) => name).filter((name) => name.startsWith(prefix));
  const found: TranscriptFile[] = [];
  for (const folder of slugs.toSorted(byText).map((slug) => join(projects, slug)))
    found.push(...((await unlessUnreadable(folder, listFolder(folder, report), report)) ?? []));
  return found;
}

/** Is told of what cannot be read, which is left out then. */
export type ReportUnreadable = (failure: AppError, path: string) => void;

function fail(failure: AppError): never {
  throw failure;
}

async function unlessUnreadable<Value>(
  path: string,
  asked: Promise<Value>,
  report: ReportUnreadable,
): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    report(readFailed(path, error), path);
    return undefined;
  }
}

/** Returns the transcript of a session at the path that the client told; undefined when it is not there. */
export async function locateTranscript(
  session: string,
  path: string,
  report: ReportUnreadable = fail,
): Promise<TranscriptFile | undefined> {
  if (basename(path) !== `${session}.jsonl` || !isName(session)) return undefined;
  return unlessUnreadable(path, lookAtSession(dirname(path), basename(path)), report);
}

/** Returns the client's folder that a transcript is in; undefined for a path that no client would have chosen. */
export function folderOf(transcript: string): string | undefined {
  const projects = dirname(dirname(transcript));
  return basename(projects) === "projects" ? dirname(projects) : undefined;
}

/** Returns the transcripts of a session, in the folder of one working directory or of several, or those of all sessions. */
export async function findTranscripts(client: string, session?: string): Promise<readonly NativePath[]> {
  const ignored = () => undefined;
  const projects = join(client, "projects");
  const files =
    session === undefined
      ? await listTranscripts(client, undefined, ignored)
      : await Promise.all(
          (await list(projects)).map(({ name }) =>
            locateTranscript(session, join(projects, name, `${session}.jsonl`), ignored),
          ),
        );
  const found = files.flatMap((file) => file ?? []).toSorted((one, other) => byText(one.path, other.path));
  return [
    ...found.map(({ session: id, path }) => ({ session: id, agent: null, path })),
    ...found.flatMap(({ session: id, subagents }) =>
      subagents.map(({ agent, path }) => ({ session: id, agent, path })),
    ),
  ];
}

async function listFolder(folder: string, report: ReportUnreadable): Promise<readonly TranscriptFile[]> {
  const entries = await list(folder);
  const names = entries.map((each) => each.name).filter((name) => name.endsWith(".jsonl"));
  const folders = new Set(entries.filter((each) => each.isDirectory()).map((each) => each.name));
  const loose = await findLoose(
    names.filter(isSubagent).map((name) => join(folder, name)),
    report,
  );
  const sessions = names.filter((name) => !isSubagent(name)).toSorted(byText);
  const found: TranscriptFile[] = [];
  // Some at once, because each waits for the disk; not all, because each takes a descriptor.
  for (let from = 0; from < sessions.length; from += atOnce) {
    const some = sessions.slice(from, from + atOnce).map((name) => {
      const session = basename(name, ".jsonl");
      const facts = { hasFolder: folders.has(session), loose: loose.get(session) ?? [] };
      return unlessUnreadable(join(folder, name), lookAtSession(folder, name, facts), report);
    });
    found.push(...(await Promise.all(some)).flatMap((file) => file ?? []));
  }
  return found;
}

/** How many sessions are looked at at once. */
const atOnce = 16;

async function lookAtSession(
  folder: string,
  name: string,
  { hasFolder = true, loose = [] }: { readonly hasFolder?: boolean; readonly loose?: readonly string[] } = {},
): Promise<TranscriptFile | undefined> {
  const session = basename(name, ".jsonl");
  const file = isName(session) ? await look(join(folder, name)) : undefined;
  if (file === undefined) return undefined;
  const own = hasFolder ? await findSubagents(join(folder, session, "subagents")) : [];
  const subagents = await readSubagents([...own, ...loose]);
  return { ...file, session: session as SessionId, subagents };
}

function isSubagent(name: string): boolean {
  return /^agent-.+\.jsonl$/.test(name);
}

/** Older clients kept all subagents beside the sessions; which session started one stands in its first row. */
async function findLoose(
  paths: readonly string[],
  report: ReportUnreadable,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const path of paths) {
    const session = await unlessUnreadable(path, readSession(path), report);
    if (session !== undefined) found.set(session, [...(found.get(session) ?? []), path]);
  }
  return found;
}

async function readSession(path: string): Promise<string | undefined> {
  try {
    for await (const line of readJsonl(path)) {
      const session = line.type === "line" && isJsonObject(line.value) && textOf(line.value, "sessionId");
      if (typeof session === "string") return session;
    }
  } catch (error) {
    if (!isSystemError(causeOf(error), "ENOENT")) throw error;
  }
  return undefined;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

async function findSubagents(folder: string): Promise<readonly string[]> {
  const found = await list(folder, { recursive: true });
  return found.filter(({ name }) => isSubagent(name)).map(({ parentPath, name }) => join(parentPath, name));
}

async function readSubagents(paths: readonly string[]): Promise<readonly SubagentFile[]> {
  const found: SubagentFile[] = [];
  for (const path of paths.toSorted(byText)) {
    const file = await look(path);
    const agent = basename(path, ".jsonl").slice("agent-".length);
    if (file !== undefined) found.push({ ...file, agent, meta: await readMeta(path) });
  }
  return found;
}

async function readMeta(transcript: string): Promise<JsonObject | null> {
  const text = await unlessGone(readFile(transcript.replace(/\.jsonl$/, ".meta.json"), "utf8"));
  // It is written beside the transcript and may be half there.
  const value = parseIfJson(text ?? "null");
  return isJsonObject(value) ? value : null;
}

async function list(folder: string, options: { readonly recursive?: boolean } = {}): Promise<Dirent[]> {
  return (await unlessGone(readdir(folder, { ...options, withFileTypes: true }))) ?? [];
}

async function look(path: string): Promise<FoundFile | undefined> {
  const stats = await unlessGone(stat(path, { bigint: true }));
  if (stats?.isFile() !== true) return undefined;
  return {
    path,
    size: Number(stats.size),
    mtime: stats.mtime,
    birthtime: stats.birthtime,
    inode: String(stats.ino),
    mtimeNs: String(stats.mtimeNs),
  };
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { parseIfJson } from "../lib/json.ts";

/** A time in which a session is not recorded. */
export interface PrivateSpan {
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
  /** How long the session's transcripts were when it began and ended, by name: a row that comes later may say an earlier time. */
  readonly from?: FileSizes;
  readonly to?: FileSizes;
}

/** Sizes of files in bytes. */
export type FileSizes = Readonly<Record<string, number>>;

/** What the user said of recording a session. */
export interface PrivateSession {
  readonly version: 1;
  readonly spans: readonly PrivateSpan[];
  /** Whether its client was told since the last change. */
  readonly isTold: boolean;
}

const folder = "private";

/** A file that cannot be understood was meant to keep something private. */
const sinceEver: PrivateSession = { version: 1, spans: [{ fromMs: 0, toMs: null }], isTold: true };

/** Reads what the user said of recording a session; undefined for nothing. Hooks ask at each event. */
export function readPrivateSession(home: string, session: string): PrivateSession | undefined {
  const path = locatePrivate(home, session);
  if (path === undefined) return undefined;
  try {
    const value = parseIfJson(readFileSync(path, "utf8")) as Partial<PrivateSession> | null | undefined;
    return Array.isArray(value?.spans) ? { ...sinceEver, ...value } : sinceEver;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    return sinceEver;
  }
}

/** Tells whether the user ever said something of recording a session. */
export function hasPrivateSessions(home: string): boolean {
  return existsSync(join(home, folder));
}

/** Returns where it is kept; undefined for what is no id of a client's session. */
export function locatePrivate(home: string, session: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(session)
    ? join(home, folder, `${session}.json`)
    : undefined;
}

/** Tells whether a session is not recorded at a moment. */
export function isPrivateAt({ spans }: Pick<PrivateSession, "spans">, atMs: number): boolean {
  return spans.some(({ fromMs, toMs }) => atMs >= fromMs && (toMs === null || atMs < toMs));
}

/** Tells whether a byte of a transcript was written while its session was not recorded. A file that was not there began later. */
export function isPrivateByte(spans: readonly PrivateSpan[], file: string, offset: number): boolean {
  return spans.some(
    ({ toMs, from, to = {} }) =>
      from !== undefined && offset >= (from[file] ?? 0) && (toMs === null || offset < (to[file] ?? 0)),
  );
}

/** Notes that the client of a session was told. Where that cannot be noted, it is told again. */
export function noteTold(home: string, session: string, known: PrivateSession): void {
  const path = locatePrivate(home, session);
  if (path === undefined) return;
  writeFileSync(`${path}.${process.pid}.tmp`, renderPrivate({ ...known, isTold: true }), { mode: 0o600 });
  renameSync(`${path}.${process.pid}.tmp`, path);
}

export function renderPrivate({ version, spans, isTold }: PrivateSession): string {
  return `${JSON.stringify({ version, spans, isTold })}\n`;
}

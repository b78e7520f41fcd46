import type { RawLine } from "../lib/line-splitter.ts";
import type { Liveness } from "../lib/process-identity.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import type { Entry, JsonObject, NewEntry } from "../sessions/entry.ts";
import type { EntryId, SessionId } from "../sessions/ids.ts";

/** What a session consists of, as a client may represent it. */
type Content =
  | "prompt"
  | "answer"
  | "call"
  | "result"
  | "thinking"
  | "image"
  | "file"
  | "summary"
  | "title"
  | "subagent"
  | "checkpoint"
  | "round";

/** Whose session is meant: the id that the client has for it, and the subagent whose part it is. */
interface NativePart {
  readonly session: string;
  readonly agent: string | null;
}

/** As what, and where, a session is resumed. */
export interface NativeTarget {
  /** The id by which the client is to know it. */
  readonly id: string;
  /** Its id in the store. */
  readonly session: SessionId;
  readonly cwd: string;
  /** The branch of each session that its entries come from. */
  readonly branches: ReadonlyMap<SessionId, string | null>;
  /** What it is called; empty for nothing. */
  readonly title?: string;
  /** The version of the client that wrote it, if it is known. */
  readonly version?: string | undefined;
}

/** The rows of one file of a session; `agent` is the subagent whose file it is, null for the session's own. */
export interface NativeFile {
  /** Where it belongs in the client's folder. */
  readonly path: string;
  readonly agent: string | null;
  readonly rows: readonly JsonObject[];
}

/** What became of the content of a session: how many of a kind were kept, changed or left out, and why. */
export interface Fidelity {
  readonly kept: Readonly<Record<string, number>>;
  readonly changed: Readonly<Record<string, number>>;
  readonly leftOut: Readonly<Record<string, number>>;
}

/** A session as the client would have written it. */
export interface NativeSession {
  /** The session's own file first. */
  readonly files: readonly NativeFile[];
  /** The entries that the model is given when the client resumes the session. */
  readonly context: readonly EntryId[];
  readonly fidelity: Fidelity;
}

/** What a client's rows say. */
export interface NativeContent {
  readonly entries: readonly NewEntry[];
  /** The entries that rows were written from under another id. */
  readonly originals: ReadonlyMap<EntryId, EntryId>;
}

/** What may be wrong with a file of a session, in words. */
export const faults = {
  "nul-bytes": "NUL bytes",
  "line-separator": "unescaped U+2028 or U+2029",
  "raw-newline": "a row broken by a newline",
  "half-row": "half a row",
  "unreadable-line": "an unreadable line",
  "open-call": "a call without a result",
  "lost-parent": "a row whose parent is lost",
  "duplicate-row": "a row that stands twice",
} as const;
export type Fault = keyof typeof faults;

/** A file of a session in the folder of a client; `agent` is the subagent whose file it is. */
export interface NativePath extends NativePart {
  readonly path: string;
}

/** What the folder and the store say of a file that is examined. */
export interface FileFacts extends NativePart {
  /** When the client last wrote to it. */
  readonly mtime: Date;
  /** The text of the client's settings; undefined where it has none. */
  readonly settings: string | undefined;
  /** The rows that the store would write into this file. */
  readonly rows: readonly JsonObject[];
}

/** How a file is, and how it is mended. */
export interface FileHealth {
  /** Each with how often it was found, and the first line where. */
  readonly faults: readonly { readonly fault: Fault; readonly count: number; readonly line: number }[];
  /** The lines that stand in the place of some in a mended file; none for one that is left out. */
  readonly replaced: ReadonlyMap<number, readonly string[]>;
  /** The lines that a mended file has behind a line; behind 0 stands its beginning. */
  readonly added: ReadonlyMap<number, readonly string[]>;
  /** The entries whose rows the client can read in the file as it is, and those that it loads when it resumes the session. */
  readonly holds: ReadonlySet<string>;
  readonly loads: ReadonlySet<string>;
  /** How many rows can be read, how many lines are left out, and how many rows the store adds. */
  readonly counts: { readonly rows: number; readonly leftOut: number; readonly restored: number };
  /** When the client's own cleanup deletes the file; undefined where it keeps all files. */
  readonly deletedAt?: Date | undefined;
}

/** A process of a client that is in a session, as the client says. */
export interface ListedProcess {
  readonly session: string;
  readonly pid: number;
  readonly liveness: Liveness;
}

/** How a client is started: its program, and what its environment must say; null for a variable that must not be set. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | null>>;
}

/** The folder of a client that a session is in; `isUsual` where the client uses it without being told. */
export interface LaunchFolder {
  readonly path: string;
  readonly isUsual: boolean;
  /** Whether the environment names this folder already. */
  readonly isNamed: boolean;
}

/** A coding agent whose sessions can be read and written. */
export interface Client {
  /** What the store calls it. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Where its settings are in its folder. */
  readonly settings: string;
  /** What it can represent: as it was, in another form, or not at all. */
  readonly represents: Readonly<Record<Content, "kept" | "changed" | "left out">>;
  /** The ids that it takes for its sessions. */
  readonly ids: {
    readonly pattern: RegExp;
    readonly make: (now: Date, random: RandomSource) => string;
  };

  /** Returns the folder in which it keeps its sessions. */
  locate(caller: {
    readonly userHome: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  }): string;

  /** Returns the files of a session in a folder of the client, its own first, or of all sessions where none is named. */
  find(folder: string, session?: string): Promise<readonly NativePath[]>;

  /** Turns the rows of a file into entries. Pure; rows that it does not know are passed over. */
  read(rows: readonly unknown[], part: NativePart): NativeContent;

  /** Examines the lines of a file. Pure; reads them once, in their order. */
  check(lines: Iterable<RawLine>, facts: FileFacts): FileHealth;

  /** Turns the entries of a session into the files of the client. Pure. */
  write(entries: Iterable<Entry>, target: NativeTarget): NativeSession;

  /** Adds hooks that run a command to the text of its settings, or removes them where the command is null. */
  hooks(settings: string, command: string | null): string;

  /** Returns how it is started in a session. */
  launch(id: string, folder: LaunchFolder): Launch;

  /** Returns its processes by its own lists in these folders; undefined where it keeps no list. */
  processes(folders: readonly string[]): Promise<readonly ListedProcess[] | undefined>;
}

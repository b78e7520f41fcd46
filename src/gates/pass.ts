import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseIfJson } from "../lib/json.ts";
import { quickHash } from "../lib/quick-hash.ts";
import { asFarAsDiskAllows } from "./held/held-rules.ts";
import { type JsonObject, ownValue } from "./json-object.ts";

/** Where uses of tools wait to be counted, beside the metrics of their session; and while they are. */
const [waiting, taken] = [".uses", ".uses-taken"];

/**
 * Notes that a tool was used in a line beside the metrics at this path. A hook that only counts has no time to lock and
 * to replace a file; whoever changes the metrics next counts it. What cannot be noted stops nobody.
 */
export function noteUse(metrics: string, tool: string): void {
  asFarAsDiskAllows(() => {
    mkdirSync(dirname(metrics), { recursive: true, mode: 0o700 });
    append(metrics + waiting, `${JSON.stringify(tool.slice(0, 200))}\n`);
  });
}

/** Appends to a file of ours. A link in its place is not followed. */
function append(path: string, line: string): void {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    writeSync(descriptor, line);
  } finally {
    closeSync(descriptor);
  }
}

/** Which uses are meant: those that were taken, or those that wait as well. */
export type Uses = "all" | "taken";

/** Returns counts of tools with the uses that are not in them yet. */
export function withUses(metrics: string, tools: JsonObject, uses: Uses): JsonObject {
  const endings = uses === "all" ? [taken, waiting] : [taken];
  return endings.flatMap((ending) => readLines(metrics + ending)).reduce(plusOne, tools);
}

/** Takes the uses, to count them: those that are noted from now on wait for the next time. */
export function takeUses(metrics: string): void {
  // Of one who was killed while they were counted, they are counted first.
  if (readLines(metrics + taken).length > 0) return;
  asFarAsDiskAllows(() => renameSync(metrics + waiting, metrics + taken));
}

/** Forgets the uses that were taken, once they are in the metrics. */
export function dropUses(metrics: string): void {
  rmSync(metrics + taken, { force: true });
}

/** Returns counts with one more of a name. */
export function plusOne(counts: JsonObject, name: string): JsonObject {
  const count = ownValue(counts, name);
  return { ...counts, [name]: (typeof count === "number" ? count : 0) + 1 };
}

function readLines(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n").map(parseIfJson);
    return lines.filter((line) => typeof line === "string");
  } catch (error) {
    // None wait, most of the time.
    if (error instanceof Error && "syscall" in error) return [];
    throw error;
  }
}

/** Changes with what is written in a pass and with what gates come to mean. */
export const passVersion = 2;

/** Whose pass it is: a session in a folder, with a folder of its client. */
interface PassHolder {
  /** The home folder of Carryon. */
  readonly home: string;
  readonly session: string;
  readonly cwd: string;
  readonly clientFolder: string;
}

/**
 * What a session may do without its gates being asked, as long as all that they go by stays as it is. Most calls are
 * allowed like the one before, and to find that out anew takes longer than all the rest of a hook.
 */
export interface Pass extends Omit<PassHolder, "home"> {
  readonly version: number;
  /** The folder with all links followed. */
  readonly folder: string;
  /** The time between which it counts, in milliseconds: nothing expires in it. */
  readonly from: number;
  readonly until: number;
  readonly sources: readonly PassSource[];
  /** The tools that gates guard, and whether calls of them make no difference to any gate. All others make none. */
  readonly guarded: Readonly<Record<string, boolean>>;
  /** Whether no command of a shell makes a difference to any gate. */
  readonly shell: boolean;
  /** Whether the session may stop, and nothing has to be noted of that. */
  readonly stop: boolean;
  /** Where it is noted that a guarded tool was used. */
  readonly metrics: string;
}

/** An event, as far as a pass goes by it. */
export interface PassEvent {
  readonly hook_event_name: string;
  readonly tool_name?: unknown;
}

/** Returns the folder of passes. */
export function locatePasses(home: string): string {
  return join(home, "cache", "gates", "passes");
}

/** Returns where the pass of a session in a folder is. */
export function locatePass({ home, session, cwd }: PassHolder): string {
  return join(locatePasses(home), quickHash(JSON.stringify([session, cwd])));
}

/** Answers an event for a session that has a pass; tells whether there is nothing to ask gates for. */
export function usePass(holder: PassHolder, event: PassEvent, now: Date): boolean {
  const pass = readPass(holder, now);
  if (pass === undefined) return false;
  const { hook_event_name: name, tool_name: tool } = event;
  if (name === "Stop") return pass.stop;
  if (!(name === "PreToolUse" || name.startsWith("PostToolUse")) || typeof tool !== "string") return false;
  if (tool === "Skill") return false;
  if (tool === "Bash") return pass.shell;
  if (!Object.hasOwn(pass.guarded, tool)) return true;
  if (pass.guarded[tool] !== true) return false;
  if (name !== "PreToolUse") noteUse(pass.metrics, tool);
  return true;
}

/** Reads the pass of a session if it counts now. */
export function readPass(holder: PassHolder, now: Date): Pass | undefined {
  try {
    const descriptor = openSync(locatePass(holder), "r");
    try {
      const pass = parseIfJson(readFileSync(descriptor, "utf8")) as Pass | null | undefined;
      if (!isOf(pass, holder, now)) return undefined;
      const written = fstatSync(descriptor, { bigint: true });
      return pass.sources.every((source) => isAsItWas(source, written)) ? pass : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // There is none yet, or something that it goes by cannot be looked at: the gates are asked.
    return undefined;
  }
}

function isOf(pass: Pass | null | undefined, holder: PassHolder, now: Date): pass is Pass {
  if (pass?.version !== passVersion) return false;
  const { session, cwd, clientFolder } = holder;
  const isTheirs = pass.session === session && pass.cwd === cwd && pass.clientFolder === clientFolder;
  const time = now.getTime();
  return isTheirs && pass.from <= time && time < pass.until && realpathSync(cwd) === pass.folder;
}

/**
 * Something on the disk that decides what gates say: a file, which is another one whenever it changed; a file behind a
 * link, if it is one; or a folder, which stays the same whatever happens in it.
 */
export interface PassSource {
  readonly kind: "file" | "linked" | "folder";
  readonly path: string;
  /** How it was; null where nothing was there. */
  readonly was: string | null;
}

/** Looks at how something on the disk is now. */
export function lookAt(kind: PassSource["kind"], path: string): PassSource {
  const look = kind === "linked" ? statSync : lstatSync;
  const stats = look(path, { bigint: true, throwIfNoEntry: false });
  return { kind, path, was: stats === undefined ? null : describe(kind, stats) };
}

/** Tells whether something is as it was when a pass was written, and could not have changed since and look the same. */
function isAsItWas({ kind, path, was }: PassSource, pass: Pick<BigIntStats, "dev" | "mtimeNs">): boolean {
  if (lookAt(kind, path).was !== was) return false;
  if (was === null || kind === "folder") return true;
  const [dev = "", , , , changedAt = ""] = was.split(":");
  return isWrittenAfter(pass, { dev: BigInt(dev), ctimeNs: BigInt(changedAt) });
}

function describe(kind: PassSource["kind"], stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs, mode, uid, birthtimeNs } = stats;
  const parts = kind === "folder" ? [dev, ino, mode, uid, birthtimeNs] : [dev, ino, size, mtimeNs, ctimeNs];
  return parts.join(":");
}

/** Nanoseconds by which the clocks of two disks may differ. */
const apart = 2_000_000_000n;

/**
 * Tells whether what was derived from a file was written after the file changed last, by the clocks of their disks. Times
 * of files are coarse: a file that changed in the same moment could change again and look the same; an older one cannot.
 */
function isWrittenAfter(
  derived: Pick<BigIntStats, "dev" | "mtimeNs">,
  source: Pick<BigIntStats, "dev" | "ctimeNs">,
): boolean {
  return derived.mtimeNs > source.ctimeNs + (source.dev === derived.dev ? 0n : apart);
}

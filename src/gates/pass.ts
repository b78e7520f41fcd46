import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { parseIfJson } from "../lib/json.ts";
import { quickHash } from "../lib/quick-hash.ts";
import { noteUse } from "./state/tool-uses.ts";

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
export function isWrittenAfter(
  derived: Pick<BigIntStats, "dev" | "mtimeNs">,
  source: Pick<BigIntStats, "dev" | "ctimeNs">,
): boolean {
  return derived.mtimeNs > source.ctimeNs + (source.dev === derived.dev ? 0n : apart);
}

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseIfJson } from "../../lib/json.ts";
import { quickHash } from "../../lib/quick-hash.ts";
import type { GateConfig } from "../gate.ts";

/** Changes with what is written and with what gates come to mean. */
const version = 1;

/** Whose rules they are: those of a session in a work tree. */
export interface HeldPlace {
  /** The home folder of Carryon. */
  readonly home: string;
  /** The id of the session as its client says it. */
  readonly session: string;
  /** The top of the work tree. */
  readonly root: string;
}

/**
 * The rules that a session is held to in a work tree. They are kept outside of it, because a session can write all that is
 * in it: what its commands make of the files of the gates must not decide what they were allowed to do.
 */
export interface HeldRules {
  /** The branch that was checked out last: a session that leaves it for no other is still held to its gates. */
  readonly branch: string;
  readonly trusted: boolean;
  /** The state of the list of trusted projects when it was asked; null where there was none. */
  readonly trustList: string | null;
  /** The git folder then: another repository in its place is not trusted for it. */
  readonly repository: string | null;
  /** The state of the files that they were read from; empty where these are to be read anew. */
  readonly key: string;
  readonly config: GateConfig;
}

/** Returns the folder of what is kept of a session beside its work trees. */
export function locateHeld({ home, session }: Omit<HeldPlace, "root">): string {
  return join(home, "gates", quickHash(session));
}

/** Returns where the rules of a session in a work tree are. */
export function locateHeldRules(place: HeldPlace): string {
  return join(locateHeld(place), heldFile(place.root));
}

/** Returns where it is noted that a person has paused the gates of a session until it ends. */
export function locatePause(place: Omit<HeldPlace, "root">): string {
  return join(locateHeld(place), "paused");
}

/** Tells whether a person has paused the gates of a session. */
export function isPaused(place: Omit<HeldPlace, "root">): boolean {
  return existsSync(locatePause(place));
}

/** Lets the gates count again in a session; tells whether they were paused. */
export function endPause(place: Omit<HeldPlace, "root">): boolean {
  const wasPaused = isPaused(place);
  if (wasPaused) asFarAsDiskAllows(() => rmSync(locatePause(place), { force: true }));
  return wasPaused;
}

/** Returns the name of the file in which the rules for a work tree are, whosesoever they are. */
export function heldFile(root: string): string {
  return `${quickHash(root)}.json`;
}

/** Reads the rules that a session is held to; undefined where it has met none yet, or they cannot be read. */
export function readHeldRules(place: HeldPlace): HeldRules | undefined {
  const held = readHeldFile(locateHeldRules(place));
  return held?.session === place.session && held.root === place.root ? held : undefined;
}

/** Reads a file of rules, whosesoever they are. */
export function readHeldFile(path: string): (HeldRules & Omit<HeldPlace, "home">) | undefined {
  try {
    const value = parseIfJson(readFileSync(path, "utf8")) as
      | { readonly version?: unknown }
      | null
      | undefined;
    return value?.version === version ? (value as unknown as HeldRules & HeldPlace) : undefined;
  } catch {
    // Nothing is kept yet, or it is out of reach: what the files say counts.
    return undefined;
  }
}

/** Keeps the rules that a session is held to. Where that cannot be written, what the files say counts. */
export function writeHeldRules(place: HeldPlace, rules: HeldRules): void {
  const path = locateHeldRules(place);
  const temp = `${path}.${process.pid}.tmp`;
  const { session, root } = place;
  asFarAsDiskAllows(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temp, JSON.stringify({ version, session, root, ...rules }), { mode: 0o600 });
    renameSync(temp, path);
  });
}

/** Forgets the rules that a session was held to in a work tree. */
export function dropHeldRules(place: HeldPlace): void {
  asFarAsDiskAllows(() => rmSync(locateHeldRules(place), { force: true }));
}

/** Changes something on the disk. A folder that is none, or a full disk: no session must end of it. */
export function asFarAsDiskAllows(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
  }
}

/** Returns where the mark is kept of a work tree in which a command of a session may have left something that writes. */
export function locateBehind({ ledger, root }: { readonly ledger: string; readonly root: string }): string {
  return join(ledger, `behind-${quickHash(root)}.json`);
}

import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFailed } from "../lib/file-error.ts";
import type { Gate } from "./gate.ts";
import type { GateDesk } from "./gate-desk.ts";
import { listGateFiles, locateProjectFiles } from "./gate-places.ts";
import {
  asFarAsDiskAllows,
  endPause,
  type HeldRules,
  heldFile,
  isPaused,
  locateHeld,
  locatePause,
  readHeldFile,
  readHeldRules,
  writeHeldRules,
} from "./held/held-rules.ts";
import { locateUserFile } from "./may-have-gates.ts";
import type { FileProblem } from "./state/problem.ts";

/** The gates of a place as a session meets them. */
export interface HeldDesk {
  readonly desk: GateDesk;
  /** What a session is held to although the place says something else. */
  readonly remarks: readonly FileProblem[];
}

/** Returns the gates of a place by the rules that a session is held to there. */
export function holdDesk(desk: GateDesk, session: string): HeldDesk {
  const { home, root } = desk;
  if (isPaused({ home, session })) return { desk: { ...desk, inert: describePause(session) }, remarks: [] };
  const held = desk.place === undefined ? undefined : readHeldRules({ home, session, root });
  if (held === undefined) return { desk, remarks: [] };
  const isOther = isChanged(held, desk);
  const hasLeft = desk.branch === null;
  const config = isOther ? held.config : desk.read.config;
  return {
    desk: {
      ...desk,
      branch: desk.branch ?? held.branch,
      read: { ...desk.read, config },
      ...((hasLeft || isOther) && { inert: undefined }),
    },
    remarks: [
      ...(isOther ? [describeChange(desk, session)] : []),
      ...(hasLeft ? [describeLeft(desk, held)] : []),
    ],
  };
}

function describePause(session: string): string {
  return `The gates are paused for session ${session} until it ends; \`carryon gate unpause\` ends that.`;
}

/** Tells whether the files say something else than a session is held to: that they were touched alone is no change. */
function isChanged({ key, config }: HeldRules, { read }: GateDesk): boolean {
  if (key === "" || key === read.sources?.key) return false;
  return JSON.stringify(config) !== JSON.stringify(read.config);
}

/**
 * Returns the gates of a place with those that any session is held to there in place of what the files say of them now: for
 * somebody of whom nobody can tell which session is meant.
 */
export function holdForAll(desk: GateDesk): GateDesk {
  const held = listHeldRules(desk).flatMap(({ config }) => config.gates);
  // Of two, the one counts that only a person may allow.
  const byName = new Map<string, Gate>(desk.read.config.gates.map((gate) => [gate.name, gate]));
  for (const gate of held.toSorted((one, other) => rank(one) - rank(other))) byName.set(gate.name, gate);
  const config = { ...desk.read.config, gates: [...byName.values()] };
  return { ...desk, read: { ...desk.read, config } };
}

function rank({ type }: Gate): number {
  return type === "blocking" ? 0 : 1;
}

function describeChange({ clientFolder, root, trusted }: GateDesk, session: string): FileProblem {
  const files = listGateFiles({ user: locateUserFile(clientFolder), root, trusted });
  return {
    path: findNewest(files) ?? locateProjectFiles(root).project,
    problem: `or another file of the gates has changed, and session ${session} goes on with what counted when it began`,
    hint: "It counts once all gates are satisfied, at the next beginning, or when a person runs `carryon gate reload`.",
  };
}

/** Returns the file that was changed last, which is likely the one that was meant; undefined where none is there. */
function findNewest(files: readonly string[]): string | undefined {
  const found = files
    .filter((path) => existsSync(path))
    .map((path) => ({ path, at: statSync(path).ctimeMs }));
  return found.toSorted((one, other) => other.at - one.at)[0]?.path;
}

function describeLeft({ commonFolder = "" }: GateDesk, { branch }: HeldRules): FileProblem {
  return {
    path: join(commonFolder, "HEAD"),
    problem: `is detached, and the session is held to the gates of ${branch}, which it has left`,
    hint: "Check a branch out to be asked for its own.",
  };
}

/** How long something is kept of a session that nobody has ended, in milliseconds. */
const longest = 30 * 86_400_000;

/** Lets a session be held to what the files say from now on, in all work trees. */
export function releaseSession(place: { readonly home: string; readonly session: string }): void {
  asFarAsDiskAllows(() => rmSync(locateHeld(place), { recursive: true, force: true }));
}

/** Lets all sessions of a work tree be held to what the files say from now on; returns how many there are. */
export function releaseTree({ home, root }: { readonly home: string; readonly root: string }): number {
  const here = listHeldRules({ home, root });
  // The branch stays: whoever has left it is still held to its gates.
  for (const each of here) writeHeldRules({ home, ...each }, { ...each, key: "" });
  return here.length;
}

/** Pauses the gates of a session until it ends. */
export function pauseSession(place: { readonly home: string; readonly session: string }): void {
  const path = locatePause(place);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, "", { mode: 0o600 });
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** Ends the pauses of all sessions of a work tree; returns how many there were. */
export function endPauses({ home, root }: { readonly home: string; readonly root: string }): number {
  return listHeldRules({ home, root }).filter(({ session }) => endPause({ home, session })).length;
}

/** Removes what is left of sessions that were never ended. */
export function sweepHeld(home: string, now: Date): void {
  for (const folder of listHeld(home)) {
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now.getTime() - changedAt > longest)
      asFarAsDiskAllows(() => rmSync(folder, { recursive: true, force: true }));
  }
}

/** Returns the rules that sessions are held to in a work tree. */
function listHeldRules({ home, root }: { readonly home: string; readonly root: string }) {
  return listHeld(home)
    .flatMap((folder) => readHeldFile(join(folder, heldFile(root))) ?? [])
    .filter((each) => each.root === root);
}

function listHeld(home: string): readonly string[] {
  const folder = join(home, "gates");
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // No session has met gates yet.
    return [];
  }
}

/** Returns the work trees in which a session is held to rules, but for one that is known. */
export function listHeldRoots(
  place: { readonly home: string; readonly session: string },
  known?: string,
): readonly string[] {
  const folder = locateHeld(place);
  try {
    const own = known === undefined ? undefined : heldFile(realpathSync(known));
    const names = readdirSync(folder).filter((name) => /^[0-9a-f]{16}\.json$/.test(name) && name !== own);
    return names.flatMap((name) => readHeldFile(join(folder, name))?.root ?? []);
  } catch {
    // It has met no gates yet.
    return [];
  }
}

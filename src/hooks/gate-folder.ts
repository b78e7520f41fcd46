import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { listHeldRoots } from "../gates/hold-desk.ts";
import { isHeldIn, mayMeetGates } from "../gates/may-have-gates.ts";
import { isToldElsewhere } from "../git/read-head.ts";
import { foldersUp } from "../lib/folders-up.ts";
import { findPathWords } from "./find-path-words.ts";
import type { HookSurroundings } from "./surroundings.ts";
import type { WireEvent } from "./wire.ts";

/** A folder whose gates an event meets: all of them, or what they say of files that a command writes there from elsewhere. */
export interface GateFolder {
  readonly folder: string;
  readonly watches: "all" | "writes";
}

type Surroundings = Pick<HookSurroundings, "home" | "env" | "userHome"> & { readonly clientFolder: string };

/**
 * Returns the folders whose gates an event meets. The file that a tool writes decides, else where the client works. From a
 * folder without gates, those of the project count that the session was begun in. What a command writes, the gates of every
 * repository are asked about that it may write to: nobody gets round them by going elsewhere.
 */
export function chooseGateFolders(
  wire: WireEvent,
  cwd: string,
  surroundings: Surroundings,
): readonly GateFolder[] {
  const { home, env, clientFolder } = surroundings;
  const { CLAUDE_PROJECT_DIR: begun = "" } = env;
  const holder = { home, session: wire.session_id };
  const meetsGates = (folder: string) =>
    (mayMeetGates(folder, clientFolder) && (findTop(folder) !== undefined || isToldElsewhere(env))) ||
    isHeldIn(folder, holder);
  const usual = [...findElsewhere(wire, cwd), cwd, ...(isAbsolute(begun) ? [begun] : [])];
  const first = usual.find(meetsGates);
  const others = isForSeveral(wire) ? [...usual, ...findOthers(wire, cwd, surroundings, first)] : [];
  const tops = new Set(first === undefined ? [] : [findTop(first)]);
  const beside = others.filter((folder) => {
    const top = findTop(folder);
    if (top === undefined || tops.has(top) || !meetsGates(folder)) return false;
    tops.add(top);
    return true;
  });
  return [
    ...(first === undefined ? [] : [{ folder: first, watches: "all" } as const]),
    ...beside.map((folder) => ({ folder, watches: "writes" }) as const),
  ];
}

/** Tells whether an event may have to do with several repositories. */
function isForSeveral({ hook_event_name: event, tool_name: tool }: WireEvent): boolean {
  return event === "Stop" || tool === "Bash";
}

/** Returns the folders that a command names, and those that the session has worked in beside one. */
function findOthers(
  { session_id: session, tool_input: input }: WireEvent,
  cwd: string,
  { home, userHome }: Surroundings,
  first: string | undefined,
): readonly string[] {
  const { command } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const text = typeof command === "string" ? command : "";
  const named = findPathWords(text, { cwd, userHome }).map((path) => nearest(path, cwd));
  const known = first === undefined ? undefined : findTop(first);
  return [...named, ...findInnerTrees(text, cwd), ...listHeldRoots({ home, session }, known)];
}

/** Returns the folder of the file that a tool is for, if it is in another repository than the client. */
function findElsewhere({ tool_input: input }: WireEvent, cwd: string): readonly string[] {
  const { file_path: file, notebook_path: notebook } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const path = file ?? notebook;
  if (typeof path !== "string" || !isAbsolute(path)) return [];
  const folder = nearest(dirname(path), cwd);
  const top = findTop(folder);
  return top === undefined || top === findTop(cwd) ? [] : [folder];
}

/** Returns a folder, or the nearest one around a path: a command may make, change or remove the file that it names. */
function nearest(path: string, otherwise: string): string {
  return foldersUp(path).find(isFolder) ?? otherwise;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    // A file on the way, a link in a circle, or nobody may look there.
    if (error instanceof Error && "syscall" in error) return false;
    throw error;
  }
}

/** Returns the top of the work tree that a folder is in, as far as names tell. */
function findTop(folder: string): string | undefined {
  return foldersUp(folder).find((each) => existsSync(join(each, ".git")));
}

/** What stands between the words of a command, as far as paths go. */
const between = /[\s"'`;|&<>()${},=:]+/;

/** Of a longer text, more words or more folders than this, the rest is not looked at: nobody writes that by hand. */
const [longest, mostWords, deepest] = [20_000, 50, 12];

/**
 * Returns the tops of the work trees below a folder into which a command names a way: one below another as far as names tell.
 * Costs one look at the disk for each folder that is named.
 */
function findInnerTrees(command: string, cwd: string): readonly string[] {
  const words = new Set(command.slice(0, longest).split(between).filter(isInner));
  const looked = new Map<string, boolean>();
  const isTop = (folder: string): boolean => {
    const known = looked.get(folder) ?? existsSync(join(folder, ".git"));
    looked.set(folder, known);
    return known;
  };
  const tops = [...words].slice(0, mostWords).flatMap((word) => {
    const names = word.split("/").filter((name) => name !== "" && name !== ".");
    const folders = names.slice(0, deepest).map((_, index) => resolve(cwd, ...names.slice(0, index + 1)));
    return folders.findLast(isTop) ?? [];
  });
  return [...new Set(tops)];
}

/** Tells whether a word may name something below where a command runs; others are found by how they begin. */
function isInner(word: string): boolean {
  return /^[^/~-]/.test(word) && !/^\.{1,2}$|^\.\.\//.test(word) && !word.includes("\0");
}

import type { SyntaxNode } from "unbash";
import { type KnownText, tame, wild } from "./argument.ts";

/** The definitions of a function that may hold at a place. */
interface ShellFunction {
  readonly bodies: readonly SyntaxNode[];
  /** Whether one of them holds for certain. */
  readonly isCertain: boolean;
}

/** How much may still be looked at: what would take longer is not followed. */
interface Effort {
  left: number;
}

/** What a shell knows at one place of a command line. */
export interface Shell {
  readonly variables: Map<string, KnownText>;
  readonly functions: Map<string, ShellFunction>;
  readonly aliases: Map<string, string>;
  /** What the commands read, where the line itself says it. */
  readonly stdin: KnownText;
  /** How many commands, scripts and functions are being followed. */
  readonly depth: number;
  readonly effort: Effort;
  /** Whether a part of the line is not waited for. */
  readonly background: { isUsed: boolean };
  /** The programs that the line runs so far, each with its words, as far as they are known. */
  readonly programs: string[];
}

/** Commands inside commands are followed this deep. */
const deepest = 40;
const mostEffort = 1_000_000;

export function newShell(): Shell {
  return {
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    stdin: wild,
    depth: 0,
    effort: { left: mostEffort },
    background: { isUsed: false },
    programs: [],
  };
}

/** What a line runs beyond this is not listed: nobody writes that by hand. */
const mostPrograms = 1000;

/** Notes that a program runs. */
export function noteProgram({ programs }: Shell, name: string, args: readonly KnownText[]): void {
  if (programs.length < mostPrograms) programs.push([name, ...args.map(({ text }) => text)].join(" "));
}

/** What looking at anything costs, and what following something costs, in characters read. */
const costs = { look: 20, follow: 200 };

/** Takes the cost of looking at a text of a length off the effort, and tells whether there was enough of it. */
export function spend(shell: Shell, length: number): boolean {
  shell.effort.left -= length + costs.look;
  return shell.effort.left > 0;
}

/** Tells whether one more command, script or function may be followed. */
export const isTooDeep = (shell: Shell): boolean => shell.depth >= deepest || !spend(shell, costs.follow);

/** Returns a shell with variables and functions of its own that begin as those of another. */
export function fork(shell: Shell, changes: Partial<Shell> = {}): Shell {
  spend(shell, shell.variables.size + shell.functions.size + shell.aliases.size);
  return {
    ...shell,
    variables: new Map(shell.variables),
    functions: new Map(shell.functions),
    aliases: new Map(shell.aliases),
    ...changes,
  };
}

/** Returns a shell that a program starts: it may or may not have been given the variables. */
export function childShell(shell: Shell): Shell {
  const variables = new Map([...shell.variables.keys()].map((name) => [name, wild] as const));
  // A function may have been exported.
  const functions = new Map(
    [...shell.functions].map(([name, each]) => [name, { ...each, isCertain: false }] as const),
  );
  return fork(shell, { variables, functions, aliases: new Map(), depth: shell.depth + 1 });
}

/** Takes over what a part has changed that may or may not have run. */
export function takeOver(shell: Shell, part: Shell): void {
  for (const [name, value] of part.variables)
    if (!isSame(shell.variables.get(name), value)) shell.variables.set(name, wild);
  for (const [name, { bodies }] of part.functions) {
    if (shell.functions.get(name)?.bodies !== bodies) mayDefine(shell, name, bodies);
  }
  for (const [name, text] of part.aliases) shell.aliases.set(name, text);
}

/** Adds definitions of a function that may hold beside those that held before. */
export function mayDefine(shell: Shell, name: string, bodies: readonly SyntaxNode[]): void {
  const known = shell.functions.get(name)?.bodies ?? [];
  shell.functions.set(name, { bodies: [...known, ...bodies], isCertain: false });
}

const isSame = (first: KnownText | undefined, second: KnownText): boolean =>
  first !== undefined && first.text === second.text && first.rest === second.rest;

/** Forgets the value of a variable. */
export function forget(shell: Shell, name: string): void {
  shell.variables.set(name.replace(/\[.*$/s, ""), wild);
}

/** Forgets the values of all variables. */
export function forgetAll(shell: Shell): void {
  for (const name of shell.variables.keys()) shell.variables.set(name, wild);
}

const paths = new Set(["HOME", "PWD", "OLDPWD", "TMPDIR"]);
const names = new Set("USER LOGNAME HOSTNAME RANDOM SECONDS UID EUID LINENO BASHPID PPID".split(" "));

/** Returns what is known of a variable's value. */
export function variableOf(shell: Shell, name: string): KnownText {
  const value = shell.variables.get(name);
  if (value !== undefined) return value;
  if (paths.has(name)) return { text: "/", rest: "tame" };
  return names.has(name) || /^[?$#!]$/.test(name) ? tame : wild;
}

import type { Hear } from "../lib/line-listener.ts";
import { repositoryVariables } from "../lib/repository-variables.ts";

/** How git is run where a question is not enough: with bytes to read, another index, or the user's hooks. */
export interface GitRun {
  readonly cwd: string;
  /** The variables of whoever asked; nothing else is passed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it reads, a character for each byte; git is started before that is known, and reads nothing if it never is. */
  readonly input?: string | Promise<string>;
  /** Finds the settings, each as `name=value`, under which this git writes objects durably; is asked before it writes. */
  readonly findWriteSettings?: () => Promise<readonly string[]>;
  /** Whether the user's own hooks run, as for what the user does by hand. */
  readonly withHooks?: boolean;
  /** Whether git writes down in the index what it has found of files that only seemed changed: never in the user's. */
  readonly refreshesIndex?: boolean;
  /** Whether ssh, gpg and others may ask on the terminal; they fail at once where they may not. */
  readonly mayAsk?: boolean;
  /** Is told each line of what it and its hooks say on standard error, as it comes, and a question before its end. */
  readonly hear?: Hear | undefined;
  /** How long it may take; ten minutes unless told. */
  readonly patienceMs?: number;
  /** Ends it and its hooks; it is then waited for, and the reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Is told of its process, and waited for, before it does anything; without us it then never begins. */
  readonly onStart?: (git: StartedGit) => Promise<void>;
}

/** The process of a git that has just been started. */
export interface StartedGit {
  readonly pid: number;
  /** Whether it is the first of a group of its own. */
  readonly isGroup: boolean;
}

/** What git did. */
export interface GitResult {
  readonly code: number;
  /** A character for each byte: paths have no encoding. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Git would not do what a save needs. What it said is for people. */
export class GitRefused extends Error {
  readonly said: string;

  constructor(said: string) {
    super("Git refused.");
    this.said = said.trim();
  }
}

/** How long git may take: somebody waits for the tool that is asked about. */
const patienceMs = 10_000;

/** Returns how git is run in a work tree: whatever the variables say of other repositories does not count. */
export function gitIn(root: string, env: GitRun["env"]): GitRun {
  const rest = Object.entries(env).filter(([name]) => !repositoryVariables.includes(name));
  return { cwd: root, env: Object.fromEntries(rest), patienceMs };
}

/** Flags under which git does not ask a server for what a partial clone has not fetched. */
export const offline: readonly string[] = ["-c", "protocol.allow=never"];

/** Returns the last line of what git said against it. */
export function lastLine(said: string): string {
  return said.trim().split("\n").at(-1) ?? "";
}

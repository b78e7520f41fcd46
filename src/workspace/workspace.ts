import type { Clock } from "../lib/clock.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { Project } from "../sessions/project.ts";
import type { OpenProject } from "./open-project.ts";

/** The process that asks: its folder, its user, its environment and its clock. Only surfaces look at the process itself. */
export interface Caller {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The id of this process. */
  readonly pid: number;
  /** The name of this machine. */
  readonly machine: string;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Hears, on one line, of something that is wrong and stops nothing. */
  readonly warn: (warning: string) => void;
}

/** Returns the session of an agent that the environment names; undefined where it names none. */
export function sessionOf({ env }: Pick<Caller, "env">): string | undefined {
  return env.CARRYON_SESSION || env.CLAUDE_CODE_SESSION_ID || undefined;
}

/** Returns what a process says of itself, and nothing else. Asking for the folder throws where it is gone. */
export function callerOf(process: Caller): Caller {
  const { cwd, env, userHome, pid, machine, clock, random, warn } = process;
  return { cwd, env, userHome, pid, machine, clock, random, warn };
}

/** Where an operation works, and for whom: the open store of a user, a project in it, and the process that asks. */
export interface Workspace extends OpenProject, Caller {
  readonly log: ConversationLog;
  readonly project: Project;
}

/** A workspace that was opened for reading: the store may never have seen the project. */
export type ReadOnlyWorkspace = Omit<Workspace, "project"> & Pick<OpenProject, "project">;

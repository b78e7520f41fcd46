import { type Checks, noChecks } from "../outcomes/checks.ts";
import type { Json } from "../sessions/entry.ts";
import type { EntryId } from "../sessions/ids.ts";
import type { ClientName } from "../sessions/session.ts";

type Verdict = "done" | "open";

/** Where a fact of a digest comes from. */
export interface Source {
  readonly entry: EntryId;
  /** The entry's place in its session. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** How the user said something. */
type Manner = "prompt" | "queued" | "rejecting" | "answering" | "command" | "interrupted";

/** Something the user said. */
export interface Words extends Source {
  readonly text: string;
  readonly how: Manner;
}

/** A text of the assistant, or a sentence of one. */
export interface Said extends Source {
  readonly text: string;
}

/** A sentence that gives a cause, a constraint or a dead end; the score says how much it seems to matter. */
export interface Finding extends Said {
  readonly score: number;
  /** Set while nothing has borne it out. */
  readonly isGuess?: true;
}

export interface Commit extends Source {
  /** Empty while no output has shown it. */
  readonly sha: string;
  readonly branch: string;
  readonly subject: string;
  /** Set for a merge or a fast-forward, which leaves edited files uncommitted. */
  readonly isMerge?: true;
}

/** The last push. */
export interface Push extends Source {
  /** Why it was refused; undefined where it went through. */
  readonly refused?: string;
}

/** A file of the project, and how often a tool used it. */
export interface UsedFile extends Source {
  readonly path: string;
  readonly times: number;
}

export type TaskState = "open" | "current" | "done";

export interface Task extends Source {
  readonly id: string;
  readonly text: string;
  readonly state: TaskState;
}

/** Tells whether a task is on the list that the client keeps, and not in an issue tracker, where it outlives the session. */
export function isTodo({ id }: Pick<Task, "id">): boolean {
  return /^(?:todos|tasks) /.test(id);
}

/** A tool call, reduced to the fields that later entries need. */
export interface Call extends Source {
  readonly call: string;
  readonly tool: string;
  /** The command, file, question or task that it is about. */
  readonly about: string;
  /** What a tool for lists of tasks was given, and the type of a subagent. */
  readonly input?: Json;
}

/** The work tree as `git status` last showed it. */
export interface SeenStatus extends Source {
  readonly isClean: boolean;
  readonly changed: readonly string[];
}

/** The work tree at this moment. */
export interface TreeNow {
  /** The files that are not committed. */
  readonly changed: readonly string[];
  /** Whether a remote has what is checked out, as far as was heard of it last. */
  readonly isPushed?: boolean;
  /** Whether the last commit only keeps unfinished work. */
  readonly isCheckpoint?: boolean;
}

/** The result of a subagent. */
interface AgentResult extends Source {
  readonly task: string;
  readonly text: string;
}

/**
 * One session as facts, made from its entries without a model. Plain JSON of limited size, so that it can be kept and
 * brought up to date with new entries alone.
 */
export interface Digest {
  /** The last entry that it covers. */
  readonly seq: number;
  readonly startedAt: number | null;
  readonly updatedAt: number | null;
  /** The folder of the session: paths below it are shown relative to it. */
  readonly cwd: string;
  readonly client: ClientName;
  /** The user's words, oldest first. The first request is always kept. */
  readonly words: readonly Words[];
  /** The last texts of the assistant, oldest first; of older ones the long ones. */
  readonly answers: readonly Said[];
  readonly findings: readonly Finding[];
  readonly commits: readonly Commit[];
  readonly push: Push | null;
  readonly pullRequests: readonly string[];
  readonly status: SeenStatus | null;
  readonly edited: readonly UsedFile[];
  readonly read: readonly UsedFile[];
  readonly checks: Checks;
  readonly tasks: readonly Task[];
  readonly plan: Said | null;
  readonly agents: readonly AgentResult[];
  /** Calls without a result yet, oldest first. */
  readonly calls: readonly Call[];
  /** The newest call, and whether its result came. */
  readonly lastCall: (Call & { readonly isDone: boolean }) | null;
  /** Calls that the user refused without giving a reason. */
  readonly refused: readonly Said[];
  readonly tokens: { readonly input: number; readonly output: number };
  /** Lines that a person marked as wrong, in the form of `lineKey`. */
  readonly wrong: readonly string[];
  /** What a person said last of whether the work is done, and when. */
  readonly verdict: { readonly status: Verdict; readonly at: number } | null;
}

/** Returns the digest of a session before its first entry. */
export function startDigest(cwd: string, client: ClientName = "claude-code"): Digest {
  return {
    seq: 0,
    startedAt: null,
    updatedAt: null,
    cwd,
    client,
    words: [],
    answers: [],
    findings: [],
    commits: [],
    push: null,
    pullRequests: [],
    status: null,
    edited: [],
    read: [],
    checks: noChecks,
    tasks: [],
    plan: null,
    agents: [],
    calls: [],
    lastCall: null,
    refused: [],
    tokens: { input: 0, output: 0 },
    wrong: [],
    verdict: null,
  };
}

/** An answer as long as this says more than that a step is done. */
export const longAnswer = 350;

/** A digest of an older version is made anew. */
export const digestVersion = 7;

/** Returns where a person said that the work stands, unless something was asked or changed since. */
export function standingVerdict({ verdict, words, edited, commits }: Digest): Verdict | undefined {
  const isOvertaken = [...words, ...edited, ...commits].some(({ at }) => at > (verdict?.at ?? 0));
  return isOvertaken ? undefined : verdict?.status;
}

/** Returns the form in which a line is compared with those marked as wrong: letters and digits alone. */
export function lineKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 200);
}

import type { Head } from "../git/read-head.ts";
import type { Environment } from "./ancestors.ts";
import type { Gate, GateConfig } from "./gate.ts";
import type { GateAuthor } from "./gate-desk.ts";
import type { FactSources } from "./gather-facts.ts";
import type { CallSite } from "./hooks/to-tool-call.ts";
import type { Facts } from "./judge.ts";
import type { Remedies } from "./remedies.ts";
import type { GateChange, SessionKey } from "./state/gate-state.ts";
import type { FileProblem } from "./state/problem.ts";

/** What hooks must remember of a session from one event to the next. */
export interface SessionNotes {
  /** The gates that refused last, and when that was. */
  readonly refused?: { readonly gates: readonly string[]; readonly at: number };
  /** The gates that the last stop was held at. */
  readonly heldAt?: readonly string[];
  /** The command that the user typed in this turn, if it satisfies a gate. */
  readonly typed?: string;
  /** The figures that the session was warned of, by gate. */
  readonly warned?: Readonly<Record<string, number>>;
  /** The process of the client that runs it. */
  readonly client?: number;
  /** The id of the session as its client says it. */
  readonly id?: string;
}

/** Decides what a session takes over on a branch from the one whose work it continues. */
export type DecideTakeover = (facts: Facts, from: SessionKey) => readonly GateChange[];

/** What is counted of a session. */
export interface Used {
  readonly skill?: string;
  /** The gates that were satisfied or refused by it. */
  readonly satisfied?: readonly string[];
  readonly refused?: readonly string[];
}

/** The gates of a branch as a session meets them. */
export interface GateSite extends CallSite, Remedies {
  readonly branch: string;
  /** The id of the session as its client says it. */
  readonly session: string;
  /** The top of the work tree, where that is another one than the client is in. */
  readonly elsewhere?: string;
  /** Whether the files of the gates have changed since the session began, and do not count yet. */
  readonly isOutdated?: boolean;
  readonly now: Date;
  /** Returns what a verdict on some gates needs to know; undefined where that cannot be read, which stops nobody. */
  facts(gates: readonly Gate[]): Promise<Facts | undefined>;
  /** Changes the state of some gates; what is to change is decided on what is there then. */
  change(gates: readonly Gate[], decide: (facts: Facts) => readonly GateChange[]): Promise<void>;
  /** Does the same, but leaves a state that cannot be read as it is: nobody was held against it. */
  changeKnown(gates: readonly Gate[], decide: (facts: Facts) => readonly GateChange[]): Promise<void>;
  notes(): Promise<SessionNotes>;
  /** Returns the files that the gates of the session go by; undefined where they are not in their usual places. */
  files(): { readonly state: string; readonly metrics: string; readonly behind: string } | undefined;
  /** Changes the notes, and counts what was used meanwhile; tells whether that could be written down. */
  note(change: (notes: SessionNotes) => SessionNotes, used?: Used): Promise<boolean>;
  /** Counts that a skill was used, and what that did to gates. */
  count(used: Used): Promise<void>;
  /** Counts that a tool was used, at the next change of what is counted. */
  countTool(tool: string): void;
  /** Makes the session known to others, and to commands that are run in it. */
  register(): Promise<void>;
  unregister(): Promise<void>;
  /**
   * Changes the state for the session whose work this one continues under a new id, if it ended on this branch at most so
   * many seconds ago: of this branch, and of all others on which that session satisfied something.
   */
  continueWork(windowSeconds: number, decide: DecideTakeover): Promise<void>;
  /** Remembers how the work tree is before a command runs. */
  markTree(call: string): Promise<void>;
  /**
   * Returns the files that a command wrote since then; none where that cannot be said. Of one that runs on and has written
   * nothing yet, what it writes later is found by `findBehind`.
   */
  findWrites(call: string, more: { readonly runsOn: boolean }): Promise<readonly string[]>;
  /** Tells whether a command that had written nothing when it ended may have left something that does. */
  isBehindWatched(): boolean;
  /** Returns the files that were written since such a command began. */
  findBehind(): Promise<readonly string[]>;
  /** Gives up looking for them. */
  forgetBehind(): void;
}

/** What a client is told at a hook. */
export type HookAnswer =
  | { readonly type: "nothing" }
  | { readonly type: "deny"; readonly reason: string }
  | { readonly type: "hold"; readonly reason: string }
  | {
      readonly type: "tell";
      readonly text: string;
      /** One line for the user, who does not see the text. */
      readonly notice?: string | undefined;
    };

export const nothing: HookAnswer = { type: "nothing" };

/** A session of a client, in the folder that it works in. */
export interface ClientSession
  extends Omit<GateAuthor, "trusted">,
    Pick<GateSurroundings, "process" | "session" | "tell"> {
  readonly cwd: string;
  /** Whether only what a command writes here from elsewhere is asked about; all that gates guard unless given. */
  readonly watches?: "all" | "writes";
  /** Asks the store whether the user trusts the project of the folder. */
  readonly askTrust: () => Promise<boolean>;
  /** Returns the variables that the client was started with; undefined, or not there, where nobody can tell. */
  readonly startedWith?: () => Promise<Environment | undefined>;
}

/** Where a session works, and what is checked out there. */
export type SessionHead = Pick<Head, "root" | "commonFolder" | "branch">;

/** Where a session meets gates. */
export interface GateSurroundings extends Omit<FactSources, "findOthers"> {
  readonly config: GateConfig;
  /** The folder that all work trees of the repository share. */
  readonly commonFolder: string;
  /** The user's folder of the client: `~/.claude`. */
  readonly clientFolder: string;
  /** A folder for what is kept of this session outside of all that its commands work on. */
  readonly ledger: string;
  /** The program by which commands of the client start Carryon, beside its name. */
  readonly launcher: string;
  /** This process, and the client that it works for. */
  readonly process: { readonly pid: number; readonly client: number };
  /** Is told what is wrong with the files of the gates; nothing of it stops the work. */
  readonly tell: (problem: FileProblem) => void;
}

import type { GateState, SessionKey } from "../state/gate-state.ts";

/** What a verdict is given; gathered once by the caller. */
export interface Facts {
  readonly state: GateState;
  readonly session: SessionKey;
  /** The id of the session as its client says it. */
  readonly fullId: string;
  readonly branch: string;
  readonly now: Date;
  /** The figures of dynamic gates by their names. One that could not be measured is absent and stops nobody. */
  readonly figures: ReadonlyMap<string, number>;
  /** The other sessions that live on this project and branch. */
  readonly others: readonly string[];
}

/** A tool call as the gates see it. */
export interface ToolCall {
  readonly tool: string;
  /** What a shell is told to run, and what is known of it. */
  readonly shell?: ShellCall;
  /** Whether the call writes a plan, which is how some gates are satisfied. */
  readonly writesPlan?: boolean;
}

export interface ShellCall {
  readonly command: string;
  readonly verdict: "reads" | "writes" | "unknown";
  /** The patterns of gates that are found in it. */
  readonly found: ReadonlySet<string>;
  /** Whether it runs nothing but `carryon`. */
  readonly isCarryon: boolean;
  /** Whether it does nothing but leave the branch for another one: that is how a guard of the branch is satisfied. */
  readonly leavesBranch?: boolean;
  /** Whether something of it may run on when the call has ended. */
  readonly runsOn?: boolean;
}

import type { Entry, Usage } from "./entry.ts";
import type { EntryId, SessionId, Strand } from "./ids.ts";
import type { Session } from "./session.ts";

/** What became of a tool call: it worked, it failed, or no result was recorded. */
export type CallOutcome = "done" | "failed" | "open";

/** A tool call, on a line. */
export interface DiffCall {
  readonly name: string;
  /** What it was given, in a few words. */
  readonly input: string;
  readonly outcome: CallOutcome;
  /** The first words of what a failed call answered; empty for the others. */
  readonly said: string;
}

/** One thing that a side did: an entry, its tool calls with their results. */
export interface DiffItem {
  /** Its number in the session. */
  readonly seq: number;
  readonly entry: EntryId;
  /** Where it was recorded. */
  readonly session: SessionId;
  readonly strand: Strand;
  readonly at: Date;
  readonly kind: Entry["kind"];
  /** Who or what: `user`, `assistant`, `tool`, `summary`, `round 3`, or the name of an event. */
  readonly name: string;
  readonly text: string;
  /** How many characters of the text were left out. */
  readonly omitted: number;
  readonly calls: readonly DiffCall[];
}

/** A file that the tools of a side read or wrote. */
export interface TouchedFile {
  /** Below the folder of the session where it is there, else as it was given. */
  readonly path: string;
  readonly read: boolean;
  readonly written: boolean;
}

/** A decision that was made in a session. */
export interface MadeDecision {
  /** Its number, where it is known: 12 is D12. */
  readonly seq: number | null;
  readonly summary: string;
  readonly decision: string;
  /** Whether a tool of the session wrote it down, or somebody did while the session was at it. */
  readonly by: "tool" | "time";
}

export interface CountedTool {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
}

export interface RunCommand {
  readonly command: string;
  readonly outcome: CallOutcome;
}

/** What a side did on its own, summed up. */
export interface OwnPart {
  readonly entries: number;
  readonly messages: { readonly user: number; readonly assistant: number; readonly tool: number };
  readonly calls: number;
  readonly failedCalls: number;
  /** The most called first. */
  readonly tools: readonly CountedTool[];
  readonly files: readonly TouchedFile[];
  readonly commands: readonly RunCommand[];
  readonly decisions: readonly MadeDecision[];
  /** What it spent itself: what a merge has brought along was spent elsewhere. */
  readonly usage: Required<Usage>;
  readonly models: readonly string[];
  /** Failures of the service, and of hooks. */
  readonly errors: number;
  readonly summaries: number;
  readonly checkpoints: number;
  readonly rounds: number;
  readonly blockers: readonly string[];
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** From its first entry to its last. */
  readonly wallMs: number;
  /** The same without the pauses: a gap counts for five minutes at most. */
  readonly activeMs: number;
}

/** What two sides have in common at their beginning. */
export interface SharedStretch {
  /**
   * By what it is known: the same stored entries (a fork, a path of the same session), or other entries that say the
   * same.
   */
  readonly by: "entries" | "content" | "nothing";
  readonly entries: number;
  /** The last entry of it on each side, by number; 0 where nothing is shared. */
  readonly left: number;
  readonly right: number;
  readonly until: Date | null;
}

/** A stretch of both own parts, by places in their lists; `to` does not belong to it. */
export interface DiffStretch {
  /** Whether both say the same there. */
  readonly same: boolean;
  readonly left: { readonly from: number; readonly to: number };
  readonly right: { readonly from: number; readonly to: number };
}

export interface DiffSide {
  readonly session: Session;
  /** The strand that was compared; null for all of them. */
  readonly strand: Strand | null;
  /** The entry with which the path ends that was compared, by number; null for the whole session. */
  readonly end: number | null;
  readonly items: readonly DiffItem[];
  readonly own: OwnPart;
}

/** What two sessions have in common, and what each did. */
export interface SessionDiff {
  readonly left: DiffSide;
  readonly right: DiffSide;
  readonly shared: SharedStretch;
  /** Entries of one side that a merge has brought to the other: they are in neither own part. */
  readonly merged: number;
  /** How the own parts lie beside each other, in order; together they cover all items. */
  readonly stretches: readonly DiffStretch[];
  /** What each decided, also what a merge has brought to the other since. */
  readonly decided: { readonly left: readonly MadeDecision[]; readonly right: readonly MadeDecision[] };
  /** Files that both changed, by their paths, also where a merge has brought what one did to the other. */
  readonly bothChanged: readonly string[];
}

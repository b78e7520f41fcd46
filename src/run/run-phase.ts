import type { ToolCallPart } from "../sessions/entry.ts";
import type { Print } from "./progress.ts";
import type { Ruling } from "./ruling.ts";

/** A call of the worker that has no result yet. */
export interface OpenCall {
  readonly part: ToolCallPart;
  /** Whether it was begun: it may have taken effect. */
  readonly isStarted: boolean;
  /** Whether only the process that has ended knew its input: the log has markers in the place of secrets. */
  readonly isRedacted: boolean;
}

/** The instructor is to decide what happens next. */
export interface Deciding {
  readonly type: "deciding";
  /** Whether the last word on its strand is somebody else's, so that it can answer. */
  readonly isAsked: boolean;
  /** How many of its replies in a row were of no use, and what was wrong with the last one. */
  readonly unclear: number;
  readonly objection?: { readonly call: string | undefined; readonly reason: string };
}

/** The worker is at a step. */
export interface Working {
  readonly type: "working";
  /** The call of the instructor that the report will answer. */
  readonly call: string;
  readonly ruling: Ruling;
  /** What the instructor thought when it decided. */
  readonly thinking: string;
  readonly isTold: boolean;
  readonly replies: number;
  readonly calls: readonly OpenCall[];
  readonly prints: readonly Print[];
  /** What it had said of a reply that was cut off, and that the next one goes on with. */
  readonly begun: string;
  /** What the worker ended its step with. */
  readonly report: string | undefined;
}

/** What a run is at. */
export type Phase = Deciding | Working | { readonly type: "done"; readonly summary: string };

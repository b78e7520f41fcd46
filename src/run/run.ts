import type { Clock } from "../lib/clock.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import type { Model, ModelMessage } from "../model/model.ts";
import type { Entry, JsonObject, ToolCallPart } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { SessionTarget } from "../sessions/session-writer.ts";
import type { Toolbox, ToolOutcome } from "../tools/tool.ts";
import type { StopReason } from "./next-step.ts";
import type { Ruling } from "./ruling.ts";

/** Who says something. */
export type Speaker = "instructor" | "worker";

/** What happens during a run, in order. What is told as saved is on disk. */
export type RunEvent =
  | { readonly type: "asked"; readonly who: Speaker; readonly round: number }
  | { readonly type: "text" | "thinking"; readonly who: Speaker; readonly text: string }
  | {
      readonly type: "retry";
      readonly who: Speaker;
      readonly reason: string;
      readonly waitMs: number;
      readonly attempt: number;
      readonly attempts: number;
    }
  | { readonly type: "ruling-saved"; readonly round: number; readonly ruling: Ruling }
  /** A reply of the instructor was of no use, and is objected to. */
  | { readonly type: "objected"; readonly reason: string }
  | { readonly type: "tool-started"; readonly call: ToolCallPart; readonly description: string }
  | { readonly type: "tool-saved"; readonly call: ToolCallPart; readonly outcome: ToolOutcome }
  /** Calls that a kill had cut off have been answered with that: they may have taken effect. */
  | { readonly type: "repaired"; readonly calls: readonly ToolCallPart[] }
  /** Calls that were not made before a stop, with secrets that the log does not have, have been given back to the worker. */
  | { readonly type: "not-made"; readonly calls: readonly ToolCallPart[] }
  /** A copy of the session could not be written elsewhere, and why. The run goes on: the log has all of it. */
  | { readonly type: "not-copied"; readonly reason: string }
  | {
      readonly type: "round-saved";
      readonly round: number;
      readonly report: string;
      readonly files: JsonObject;
      /** From the beginning of the run on, whatever was granted since. */
      readonly tokens: number;
      readonly ms: number;
      /** Rounds that are left; null without a limit. */
      readonly remaining: number | null;
      /** The dollars that the run has cost so far, from its beginning on; missing where the prices are not known. */
      readonly cost?: number;
    };

/** How a run ended. It can be resumed, unless it is done, and then too with further instructions. */
export interface RunOutcome {
  readonly session: SessionId;
  readonly reason: StopReason;
  readonly rounds: number;
  /** What the instructor says to the user at the end of the task. */
  readonly summary: string | undefined;
  /** The dollars that the run has cost so far; missing where the prices are not known. */
  readonly cost?: number;
  /** Why the last copy of the session could not be written, where one was wanted and that failed. */
  readonly uncopied?: string;
}

/** A call that may change something, before it is made. */
export interface ProposedCall {
  readonly call: ToolCallPart;
  /** In one line, which may leave something out. */
  readonly description: string;
  /** Returns all that it would do, such as the lines of a diff; undefined where the description says it. Never throws. */
  readonly preview: () => Promise<string | undefined>;
}

/** All that a run works with. */
export interface RunDesk {
  readonly target: SessionTarget;
  readonly instructor: Model;
  readonly worker: Model;
  readonly toolbox: Toolbox;
  /** Turns the talk of a strand into what a model is sent. */
  readonly toMessages: (entries: readonly Entry[], model: string) => readonly ModelMessage[];
  /** Keeps the files as they are after a round, and returns what the log is to say of them. Never throws but for an abort. */
  readonly keepFiles: (round: number, at: Date) => Promise<JsonObject>;
  /** Asks whether a call that writes or runs something may be made. */
  readonly approve: (asked: ProposedCall) => Promise<boolean>;
  /** Writes a copy of the session elsewhere: every few rounds, and at the end. */
  readonly copy: () => Promise<void>;
  readonly tell: (event: RunEvent) => void;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/**
 * Writes a copy of the session where one is wanted, and returns why that failed.
 *
 * A shared folder that is gone is no reason to stop: the log has everything, and the next copy may succeed.
 */
export async function copyRun({ copy }: Pick<RunDesk, "copy">): Promise<string | undefined> {
  try {
    await copy();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

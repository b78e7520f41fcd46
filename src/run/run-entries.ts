import { type EntryContent, type JsonObject, type NewEntry, runEvents } from "../sessions/entry.ts";
import type { EntryId, SessionId, Strand } from "../sessions/ids.ts";
import { runNotes } from "./prompts.ts";
import { type RunConfig, type RunLimits, renderConfig, renderLimits } from "./run-config.ts";
import type { Working } from "./run-phase.ts";
import { instructorStrand, workerStrand } from "./run-state.ts";

/** An entry that has yet to get its id and time. */
export type Draft = EntryContent & { readonly strand: Strand };

/** Gives entries their ids and times. */
export function toEntries(
  drafts: readonly Draft[],
  stamp: () => { id: EntryId; at: Date },
): readonly NewEntry[] {
  return drafts.map((draft) => ({ ...draft, ...stamp() }));
}

const event = (strand: Strand, name: string, data: JsonObject): Draft => ({
  ...{ kind: "event", strand, event: name, data },
});

export const userText = (strand: Strand, text: string): Draft => ({
  ...{ kind: "message", strand, role: "user", parts: [{ type: "text", text }] },
});

const result = (strand: Strand, call: string, output: string, failed: boolean): Draft => ({
  ...{ kind: "message", strand, role: "tool" },
  parts: [{ type: "tool-result", call, output, ...(failed ? { failed: true } : {}) }],
});

/** What the user wants. */
export interface RunOrder {
  readonly task: string;
  /** What is said to the instructor besides. */
  readonly further?: readonly string[];
  /** The run that this one does over. */
  readonly replays?: SessionId;
}

/** The beginning of a run: what it goes by, and its task. */
export function started(
  config: RunConfig,
  systemPrompt: string,
  { task, further = [], replays }: RunOrder,
): readonly Draft[] {
  const origin = replays === undefined ? {} : { replays: { session: replays } };
  return [
    event(instructorStrand, runEvents.started, { config: renderConfig(config), systemPrompt, ...origin }),
    ...[task, ...further].map((text) => userText(instructorStrand, text)),
  ];
}

/** What a resume changes: the models and the folder as they are now, limits that are granted, what the user adds. */
export interface Resumption {
  readonly config: RunConfig;
  /** The instructor's prompt, where it names another folder now. */
  readonly systemPrompt?: string | undefined;
  /** The limits that are granted anew; the others count on. */
  readonly grant: Partial<RunLimits> | undefined;
  readonly more: string | undefined;
  /** The ruling that the instructor gets back with what the user adds: the worker has not begun with it. */
  readonly withdrawn?: string | undefined;
}

export function resumed(resumption: Resumption): readonly Draft[] {
  const { config, systemPrompt, grant, more, withdrawn } = resumption;
  // What the run was first given as its limit stays: it is granted again when it is used up.
  const { maxRounds, maxTokens, maxSeconds, maxCost, ...rest } = renderConfig(config);
  const granted = grant === undefined ? {} : { grant: renderLimits(grant) };
  const prompt = systemPrompt === undefined ? {} : { systemPrompt };
  return [
    event(instructorStrand, runEvents.resumed, { config: rest, ...prompt, ...granted }),
    ...(withdrawn === undefined ? [] : [result(instructorStrand, withdrawn, runNotes.withdrawn, true)]),
    ...(more === undefined ? [] : [userText(instructorStrand, more)]),
  ];
}

/** What is said to an instructor whose last reply was of no use, or who has nothing to answer. */
export function prompted(call: string | undefined, text: string): readonly Draft[] {
  return [call === undefined ? userText(instructorStrand, text) : result(instructorStrand, call, text, true)];
}

/** The answer to a ruling that ends the run, so that the talk can go on from there. */
export function closed(call: string): Draft {
  return result(instructorStrand, call, runNotes.ended, false);
}

export function callStarted(call: string): Draft {
  return event(workerStrand, runEvents.callStarted, { call });
}

export function callEnded(call: string, { output, failed }: { output: string; failed: boolean }): Draft {
  return result(workerStrand, call, output, failed);
}

/** That the process which drives the run stops here, and why. */
export function stopped(status: "ended" | "interrupted", reason: string): Draft {
  return event(instructorStrand, status, { reason });
}

/** What is known of a round at its end, beside what was said. */
export interface RoundFacts {
  readonly workerModel: string;
  /** The files after it, or why they are not kept. */
  readonly files: JsonObject;
  /** The dollars that the run has cost so far, where that is known. */
  readonly cost: number | undefined;
}

/** The end of a round: the report is the answer to the instructor's call. Both are stored, or none. */
export function roundEnded(
  number: number,
  { call, ruling, thinking }: Working,
  report: string,
  { workerModel, files, cost }: RoundFacts,
): readonly Draft[] {
  const { instruction, shouldContinue, needsCorrection } = ruling;
  const data = {
    ...{ instruction, thinking, workerModel, shouldContinue, needsCorrection, files },
    ...(cost === undefined ? {} : { cost }),
  };
  return [
    result(instructorStrand, call, report, false),
    { kind: "round", strand: instructorStrand, number, data },
  ];
}

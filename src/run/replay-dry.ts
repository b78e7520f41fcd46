import { type Clock, systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import type { Model, ReplyPart } from "../model/model.ts";
import {
  type Entry,
  type Message,
  type NewEntry,
  runEvents,
  type ToolResultPart,
} from "../sessions/entry.ts";
import { findRun } from "../sessions/find-session.ts";
import type { EntryId, SessionId, Strand } from "../sessions/ids.ts";
import { workTools } from "../tools/open-toolbox.ts";
import type { Tool, Toolbox, ToolOutcome } from "../tools/tool.ts";
import { openProject, type Surroundings } from "../workspace/open-project.ts";
import { noSuchRound } from "./fork-at-round.ts";
import { nextStep } from "./next-step.ts";
import { instructorPrompt } from "./prompts.ts";
import { CutOff, type Deed, Differs, Recording, toContent } from "./replay/recording.ts";
import type { RunDesk } from "./run.ts";
import { stopped } from "./run-entries.ts";
import { instructorStrand, workerStrand } from "./run-state.ts";
import { takeStep } from "./take-step.ts";

/** Where the program of today does something else than what was recorded. */
export interface ReplayDifference {
  /** The entry by its number in the session. */
  readonly seq: number;
  readonly entry: EntryId;
  /** The round in which it is. */
  readonly round: number;
  /** What was recorded, and what is done instead. */
  readonly recorded: string;
  readonly now: string;
}

/** What came of a replay without models and tools. */
export interface DryReplay {
  /** The last round that was gone through to its end. */
  readonly rounds: number;
  readonly steps: number;
  /** How many entries were made just as they were recorded. */
  readonly entries: number;
  /** How many were taken as they are: they come from a session file, which does not tell all that would be compared. */
  readonly unchecked: number;
  /** Whether a run that begins today gets the same prompt for its instructor. */
  readonly prompt: "same" | "changed";
  readonly difference: ReplayDifference | null;
}

interface DryReplayOptions {
  /** The first round that is gone through; what comes before it is taken as it is. */
  readonly fromRound?: number;
  /** The tools that a worker of today has. */
  readonly tools: readonly Tool[];
}

const forever = new AbortController().signal;

/**
 * Goes through a run again, as far as it was recorded: the models say what they said, the tools return what they returned,
 * and what the program makes of it is held against the record, up to the first difference.
 *
 * Nothing is written and nobody is asked. The same record gives the same answer; undefined where it has no such round.
 */
export async function replayRecord(
  entries: readonly Entry[],
  { fromRound = 1, tools }: DryReplayOptions,
): Promise<DryReplay | undefined> {
  const recording = new Recording(entries);
  if (fromRound > 1 && !recording.takeUntil(fromRound - 1)) return undefined;
  let [steps, difference]: [number, ReplayDifference | null] = [0, null];
  while (difference === null) {
    recording.takeGiven();
    if (recording.ahead === undefined) break;
    difference = await replayStep(recording, tools);
    steps += 1;
  }
  const { state } = recording.record;
  const isSame = state.systemPrompt === instructorPrompt(state.config.workDir);
  return {
    ...{ rounds: state.rounds, steps, entries: recording.compared, unchecked: recording.unchecked },
    ...{ prompt: isSame ? "same" : "changed", difference },
  };
}

async function replayStep(recording: Recording, tools: readonly Tool[]): Promise<ReplayDifference | null> {
  const { record } = recording;
  const round = record.state.rounds + 1;
  const before = recording.compared;
  try {
    const step = nextStep(record.state, { now: findTime(recording) });
    if (step.type === "stop") await record.append([stopped("ended", step.reason)]);
    else await takeStep(replayDesk(recording, tools), record, step, forever);
    return null;
  } catch (error) {
    if (error instanceof CutOff) return null;
    if (!(error instanceof Differs)) throw error;
    if (isTimeUp(error.recorded) && recording.compared > before) return null;
    const { seq, id: entry } = error.recorded;
    return { seq, entry, round, ...describeDifference(error.recorded, error.now) };
  }
}

/** The end of the time comes in the middle of a step: what has no result then is not begun. */
function isTimeUp(recorded: Entry): boolean {
  return recorded.kind === "event" && recorded.event === "ended" && recorded.data.reason === "time";
}

/** Between two steps hardly any time passes, but for the end, which a limit of time may have brought about. */
function findTime({ ahead, record }: Recording): Date {
  const isEnd = ahead?.kind === "event" && ahead.event === "ended";
  return (isEnd ? ahead.at : record.state.spent.last) ?? new Date(0);
}

/** Returns a desk at which the models say what they said, the tools return what they returned, and nothing else happens. */
function replayDesk(recording: Recording, tools: readonly Tool[]): RunDesk {
  const { config } = recording.record.state;
  return {
    target: recording.target,
    instructor: recordedModel(recording, instructorStrand, config.instructorModel),
    worker: recordedModel(recording, workerStrand, config.workerModel),
    toolbox: recordedTools(recording, tools),
    toMessages: () => [],
    keepFiles: async (round) => recording.filesAfter(round),
    approve: async () => recording.ahead?.kind === "event" && recording.ahead.event === runEvents.callStarted,
    copy: async () => undefined,
    tell: () => undefined,
    ...{ clock: recording.clock, random: systemRandom },
  };
}

function recordedModel(recording: Recording, strand: Strand, configured: string): Model {
  const { ahead } = recording;
  const name = (isReply(ahead, strand) ? ahead.model : undefined) ?? configured;
  return {
    name,
    contextTokens: Number.POSITIVE_INFINITY,
    async *stream() {
      const next = recording.expect();
      if (!isReply(next, strand)) throw new Differs(next, `the ${strand} is asked`);
      const { usage = {} } = next;
      const parts = next.parts as readonly ReplyPart[];
      const end = parts.some(({ type }) => type === "tool-call") ? "calls" : "done";
      yield { type: "reply", reply: { parts, end, model: name, usage } };
    },
  };
}

function isReply(entry: Entry | undefined, strand: Strand): entry is Message {
  return entry?.kind === "message" && entry.strand === strand && entry.role === "assistant";
}

/** The tools are those of today, so that it shows which of them there are; none of them does anything. */
function recordedTools(recording: Recording, tools: readonly Tool[]): Toolbox {
  return {
    tools,
    find: (name) => tools.find((tool) => tool.name === name),
    preview: async () => undefined,
    run: async (name) => toOutcome(name, recording.ahead),
  };
}

/** Where a result is missing, that is found when this one is held against what is there. */
function toOutcome(name: string, entry: Entry | undefined): ToolOutcome {
  const [part] = entry?.kind === "message" ? entry.parts : [];
  if (part?.type !== "tool-result") return { output: `nothing is recorded of ${name}`, failed: true };
  const { output, failed }: ToolResultPart = part;
  return { output: typeof output === "string" ? output : JSON.stringify(output), failed: failed === true };
}

/** How much is shown of each, and how much of it before the place where they part. */
const [longest, before] = [300, 40];

/** Says of two things that differ what each is, from shortly before the place where they part. */
function describeDifference(recorded: Entry, now: Deed): { readonly recorded: string; readonly now: string } {
  const [left, right] = [render(recorded), typeof now === "string" ? now : render(now)];
  const from = Math.max(0, countSame(left, right) - before);
  return { recorded: cut(left, from), now: cut(right, from) };
}

function render(entry: Entry | NewEntry): string {
  return JSON.stringify(toContent(entry));
}

function countSame(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

function cut(text: string, from: number): string {
  // What is short enough is shown from its beginning.
  const start = text.length <= longest ? 0 : from;
  const shown = text.slice(start, start + longest).toWellFormed();
  return `${start === 0 ? "" : "…"}${shown}${text.length > start + longest ? "…" : ""}`;
}

export interface DryReplayRequest extends Surroundings {
  /** An id, the beginning of one, a title, or `latest`; the latest run of the project unless given. */
  readonly session?: string;
  /** The first round that is gone through; all of them unless given. */
  readonly fromRound?: number | undefined;
  readonly clock?: Clock;
}

/** What came of it, and of which run. */
export interface DryReplayed extends DryReplay {
  readonly session: SessionId;
}

/**
 * Goes through a run again without a model and without effects, and tells where the program of today does something else
 * than what was recorded. The same run gives the same answer.
 */
export async function replayDry(request: DryReplayRequest): Promise<DryReplayed> {
  const { session: text, fromRound = 1, clock = systemClock } = request;
  const here = await openProject(request, "read");
  try {
    const { log } = here.store;
    const session = await findRun(log, text, { project: here.project?.id, now: clock.now() });
    const entries = await Array.fromAsync(log.read(session.id));
    const replay = await replayRecord(entries, { fromRound, tools: workTools });
    if (replay === undefined) throw noSuchRound(session.id, fromRound - 1);
    return { session: session.id, ...replay };
  } finally {
    await here[Symbol.asyncDispose]();
  }
}

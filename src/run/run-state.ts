import {
  type Entry,
  type Json,
  type JsonObject,
  type MessageContent,
  messageText,
  type NewEntry,
  type RoundContent,
  type ToolCallPart,
  type ToolResultPart,
} from "../conversation/entry.ts";
import { parseStrand } from "../conversation/ids.ts";
import { isMergedId } from "../conversation/merge/merged-id.ts";
import { runEvents } from "../conversation/run-events.ts";
import { fieldOf } from "../conversation/tool-runs.ts";
import { addRound, noProgress, type Print, type Progress, printCall, printReport } from "./progress.ts";
import { runNotes } from "./prompts.ts";
import { parseReply, type Ruling } from "./ruling.ts";
import { listLimits, noLimits, parseConfig, type RunConfig, type RunLimits } from "./run-config.ts";
import {
  addUsageOf,
  beginStretch,
  countCost,
  forgetSpent,
  nothingSpent,
  type Spent,
  spendUsage,
} from "./spent.ts";

export const instructorStrand = parseStrand("instructor");
export const workerStrand = parseStrand("worker");

/** A call of the worker that has no result yet. */
export interface OpenCall {
  readonly part: ToolCallPart;
  /** Whether it was begun: it may have taken effect. */
  readonly isStarted: boolean;
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
  /** What the worker ended its step with. */
  readonly report: string | undefined;
}

type Phase = Deciding | Working | { readonly type: "done"; readonly summary: string };

/** Where a run stands, from its entries alone. */
export interface RunState {
  readonly task: string;
  readonly config: RunConfig;
  readonly systemPrompt: string;
  /** The number of the last finished round. */
  readonly rounds: number;
  readonly lastRound: JsonObject | undefined;
  readonly phase: Phase;
  /** What was granted last, and what was used of it. */
  readonly limits: RunLimits;
  readonly spent: Spent;
  /** What was used from the beginning on, by the name of the model. */
  readonly used: Spent["usage"];
  readonly progress: Progress;
  /** What the worker did in the round that is being finished. */
  readonly prints: readonly Print[];
}

/** A run of which nothing is known yet. */
export const emptyRun: RunState = {
  task: "",
  config: {
    instructorModel: "",
    workerModel: "",
    useThinking: true,
    workDir: "",
    limits: noLimits,
    prices: {},
  },
  systemPrompt: "",
  rounds: 0,
  lastRound: undefined,
  phase: { type: "deciding", isAsked: false, unclear: 0 },
  limits: noLimits,
  spent: nothingSpent,
  used: {},
  progress: noProgress,
  prints: [],
};

/** Returns the dollars that a run has cost so far; undefined where the price of a model is not known. */
export function costSoFar({ used, config }: Pick<RunState, "used" | "config">): number | undefined {
  return Object.keys(config.prices).length === 0 ? undefined : countCost({ usage: used }, config.prices);
}

/** Returns where a run stands, from all of its entries in order. */
export async function readRun(entries: AsyncIterable<Entry>): Promise<RunState> {
  let state = emptyRun;
  for await (const entry of entries) state = followRun(state, entry);
  return state;
}

/**
 * Returns where a run stands after one more entry. Pure; entries of other kinds and strands change nothing but the time.
 *
 * What a merge has brought is what another run did, at its own time: it changes nothing here.
 */
export function followRun(before: RunState, entry: Entry | NewEntry): RunState {
  if (isMergedId(entry.id)) return before;
  const state = follow(before, entry);
  return { ...state, spent: { ...state.spent, last: entry.at } };
}

function follow(state: RunState, entry: Entry | NewEntry): RunState {
  switch (entry.kind) {
    case "event":
      return followEvent(state, entry.event, entry.data, entry.at);
    case "message":
      if (entry.strand === instructorStrand) return followInstructor(spend(state, entry), entry);
      return entry.strand === workerStrand ? followWorker(spend(state, entry), entry) : state;
    case "round":
      return followRound(state, entry);
    case "summary":
    case "checkpoint":
    case "other":
      return state;
  }
}

function followEvent(state: RunState, event: string, data: JsonObject, at: Date): RunState {
  switch (event) {
    case runEvents.started: {
      const config = parseConfig(data.config, state.config);
      const systemPrompt = textOf(data.systemPrompt);
      return grant(begin({ ...state, config, systemPrompt }, at), data.grant, config.limits);
    }
    case runEvents.resumed: {
      const config = parseConfig(data.config, state.config);
      const systemPrompt = textOf(data.systemPrompt) || state.systemPrompt;
      const resumed = begin({ ...state, config, systemPrompt }, at);
      return data.grant === undefined ? resumed : grant(resumed, data.grant, state.limits);
    }
    case runEvents.callStarted:
      return startCall(state, textOf(data.call));
    default:
      return state;
  }
}

/** A person has looked at it: what went in circles, or was not understood, is tried again. */
function begin(state: RunState, at: Date): RunState {
  const progress = { ...state.progress, idle: 0, repeated: 0 };
  return { ...state, phase: beginPhase(state.phase), progress, spent: beginStretch(state.spent, at) };
}

/** A call that was cut off again and again is no worker that goes in circles. */
function beginPhase(phase: Phase): Phase {
  if (phase.type === "done") return phase;
  return phase.type === "deciding" ? { ...phase, unclear: 0 } : { ...phase, prints: [] };
}

function grant(state: RunState, granted: Json | undefined, before: RunLimits): RunState {
  const { limits } = parseConfig(granted, { ...state.config, limits: before });
  return { ...state, limits, spent: forgetSpent(state.spent, listLimits(granted)) };
}

function startCall(state: RunState, call: string): RunState {
  if (state.phase.type !== "working") return state;
  const at = state.phase.calls.findIndex(({ part, isStarted }) => part.call === call && !isStarted);
  const calls = state.phase.calls.map((each, index) => (index === at ? { ...each, isStarted: true } : each));
  return { ...state, phase: { ...state.phase, calls } };
}

function spend(state: RunState, { role, model, usage }: MessageContent): RunState {
  if (role !== "assistant" || usage === undefined) return state;
  const name = model ?? "";
  const used = addUsageOf(state.used, name, usage);
  return { ...state, used, spent: spendUsage(state.spent, name, usage) };
}

function followInstructor(state: RunState, message: MessageContent): RunState {
  const { phase } = state;
  switch (message.role) {
    case "user": {
      const task = state.task === "" ? messageText(message) : state.task;
      const unclear = phase.type === "deciding" ? phase.unclear : 0;
      // What is said while the worker is at a step is heard after it.
      if (phase.type === "working") return { ...state, task };
      return { ...state, task, phase: { type: "deciding", isAsked: true, unclear } };
    }
    case "assistant":
      return message.interrupted === true ? state : { ...state, phase: decide(phase, message) };
    case "tool":
      return hearReport(state, message);
  }
}

function decide(before: Phase, message: MessageContent): Phase {
  const parsed = parseReply(message);
  if (parsed.type === "unclear") {
    const unclear = (before.type === "deciding" ? before.unclear : 0) + 1;
    const { call, reason } = parsed;
    return { type: "deciding", isAsked: false, unclear, objection: { call, reason } };
  }
  const { call, ruling } = parsed;
  if (!ruling.shouldContinue) return { type: "done", summary: ruling.summary };
  const thinking = message.parts.flatMap((part) => (part.type === "thinking" ? [part.text] : [])).join("\n");
  const nothing = { isTold: false, replies: 0, calls: [], prints: [], report: undefined };
  return { type: "working", call, ruling, thinking, ...nothing };
}

function hearReport(state: RunState, message: MessageContent): RunState {
  const { phase } = state;
  if (phase.type === "done") return state;
  const unclear = phase.type === "deciding" ? phase.unclear : 0;
  const isAnswered = (call: string) =>
    message.parts.some((part) => part.type === "tool-result" && part.call === call);
  if (phase.type === "working" && !isAnswered(phase.call)) return state;
  const prints = phase.type === "working" ? phase.prints : state.prints;
  return { ...state, prints, phase: { type: "deciding", isAsked: true, unclear } };
}

function followWorker(state: RunState, message: MessageContent): RunState {
  const { phase } = state;
  if (phase.type !== "working" || message.interrupted === true) return state;
  switch (message.role) {
    case "user":
      return { ...state, phase: { ...phase, isTold: true } };
    case "assistant": {
      const calls = message.parts.filter((part): part is ToolCallPart => part.type === "tool-call");
      const isReport = calls.length === 0;
      const report = isReport ? messageText(message).trim() || runNotes.noReport : undefined;
      return {
        ...state,
        phase: {
          ...phase,
          replies: phase.replies + 1,
          calls: calls.map((part) => ({ part, isStarted: false })),
          report,
          prints: report === undefined ? phase.prints : [...phase.prints, printReport(report)],
        },
      };
    }
    case "tool":
      return { ...state, phase: message.parts.reduce(closeCall, phase) };
  }
}

function closeCall(phase: Working, part: MessageContent["parts"][number]): Working {
  if (part.type !== "tool-result") return phase;
  const result: ToolResultPart = part;
  const at = phase.calls.findIndex((open) => open.part.call === result.call);
  const open = phase.calls[at];
  if (open === undefined) return phase;
  return {
    ...phase,
    calls: phase.calls.toSpliced(at, 1),
    prints: [...phase.prints, printCall(open.part, result)],
  };
}

function followRound(state: RunState, { number, data }: RoundContent): RunState {
  const { phase, spent } = state;
  const isNew = number > state.rounds;
  const tree = textOf(fieldOf(data.files, "tree")) || undefined;
  return {
    ...state,
    rounds: Math.max(number, state.rounds),
    lastRound: data,
    prints: [],
    phase: phase.type === "working" ? { type: "deciding", isAsked: false, unclear: 0 } : phase,
    spent: isNew ? { ...spent, rounds: spent.rounds + 1 } : spent,
    progress: addRound(state.progress, {
      instruction: textOf(data.instruction),
      tree,
      prints: state.prints,
    }),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

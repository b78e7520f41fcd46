import {
  type Entry,
  type Json,
  type JsonObject,
  type MessageContent,
  messageText,
  type NewEntry,
  type RoundContent,
  runEvents,
} from "../sessions/entry.ts";
import { parseStrand } from "../sessions/ids.ts";
import { isMergedId, isMergeNote } from "../sessions/merged-id.ts";
import { fieldOf } from "../sessions/tool-runs.ts";
import { distrustInputs, followWork, startCall } from "./follow-work.ts";
import { addRound, noProgress, type Print, type Progress } from "./progress.ts";
import { parseReply } from "./ruling.ts";
import { listLimits, noLimits, parseConfig, type RunConfig, type RunLimits } from "./run-config.ts";
import type { Phase, Working } from "./run-phase.ts";
import { beginStretch, countCost, grantAnew, nothingSpent, type Spent, spendUsage } from "./spent.ts";

export const instructorStrand = parseStrand("instructor");
export const workerStrand = parseStrand("worker");

/** Where a run stands, from its entries alone. */
export interface RunState {
  readonly task: string;
  readonly config: RunConfig;
  readonly systemPrompt: string;
  /** The number of the last finished round. */
  readonly rounds: number;
  readonly lastRound: JsonObject | undefined;
  readonly phase: Phase;
  /** What was granted last. */
  readonly limits: RunLimits;
  readonly spent: Spent;
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
    sessionDirs: {},
  },
  systemPrompt: "",
  rounds: 0,
  lastRound: undefined,
  phase: { type: "deciding", isAsked: false, unclear: 0 },
  limits: noLimits,
  spent: nothingSpent,
  progress: noProgress,
  prints: [],
};

/** Returns the dollars that a run has cost so far; undefined where the price of a model is not known. */
export function costSoFar({ spent, config }: Pick<RunState, "spent" | "config">): number | undefined {
  return Object.keys(config.prices).length === 0 ? undefined : countCost(spent, config.prices);
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
  return !isWork(entry) ? state : { ...state, spent: { ...state.spent, last: entry.at } };
}

function follow(state: RunState, entry: Entry | NewEntry): RunState {
  switch (entry.kind) {
    case "event":
      return followEvent(state, entry.event, entry.data, entry.at);
    case "message":
      if (entry.strand === instructorStrand) return followInstructor(spend(state, entry), entry);
      if (entry.strand !== workerStrand) return state;
      return whileWorking(spend(state, entry), (work) => followWork(work, entry));
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
      return grant(begin({ ...state, config, systemPrompt }, at), data.grant, { before: config.limits, at });
    }
    case runEvents.resumed: {
      const config = parseConfig(data.config, state.config);
      const systemPrompt = textOf(data.systemPrompt) || state.systemPrompt;
      const resumed = whileWorking(begin({ ...state, config, systemPrompt }, at), distrustInputs);
      return data.grant === undefined ? resumed : grant(resumed, data.grant, { before: state.limits, at });
    }
    case runEvents.callStarted:
      return whileWorking(state, (work) => startCall(work, textOf(data.call)));
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

function whileWorking(state: RunState, change: (work: Working) => Working): RunState {
  return state.phase.type === "working" ? { ...state, phase: change(state.phase) } : state;
}

function grant(
  state: RunState,
  granted: Json | undefined,
  { before, at }: { readonly before: RunLimits; readonly at: Date },
): RunState {
  const { limits } = parseConfig(granted, { ...state.config, limits: before });
  return { ...state, limits, spent: grantAnew(state, listLimits(granted), { now: at }) };
}

function spend(state: RunState, { role, model, usage }: MessageContent): RunState {
  if (role !== "assistant" || usage === undefined) return state;
  return { ...state, spent: spendUsage(state.spent, model ?? "", usage) };
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
  const nothing = { isTold: false, replies: 0, calls: [], prints: [], begun: "", report: undefined };
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

const workEvents: ReadonlySet<string> = new Set([...Object.values(runEvents), "ended", "interrupted"]);

/** Tells whether an entry was made while its run worked: a title, or the note of a merge, may come long after. */
function isWork(entry: Entry | NewEntry): boolean {
  if (entry.kind === "message" || entry.kind === "round") return true;
  return entry.kind === "event" && workEvents.has(entry.event) && !isMergeNote(entry.id);
}

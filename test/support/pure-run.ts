import { type Action, type Circumstances, nextStep, type StopReason } from "../../src/run/next-step.ts";
import { type Ruling, rulingTool } from "../../src/run/ruling.ts";
import { noLimits, type RunConfig } from "../../src/run/run-config.ts";
import {
  callEnded,
  callStarted,
  closed,
  type Draft,
  prompted,
  roundEnded,
  started,
  userText,
} from "../../src/run/run-entries.ts";
import type { Working } from "../../src/run/run-phase.ts";
import {
  emptyRun,
  followRun,
  instructorStrand,
  type RunState,
  workerStrand,
} from "../../src/run/run-state.ts";
import type { EntryContent, Json, NewEntry, Part } from "../../src/sessions/entry.ts";
import type { EntryId, Strand } from "../../src/sessions/ids.ts";
import { later } from "./entries.ts";

export const runConfig: RunConfig = {
  instructorModel: "anthropic/model-i",
  workerModel: "openai/model-w",
  useThinking: true,
  workDir: "/work",
  limits: noLimits,
  prices: {},
  sessionDirs: {},
};

/** What the models of a run say, from what has happened alone, as a model that has read its conversation. */
export interface PureScript {
  readonly decide: (state: RunState) => Partial<Ruling> | string;
  readonly work: (work: Working) => readonly Part[];
  readonly tree?: (round: number) => string | undefined;
}

export const call = (id: string, input: Json = {}, name = "write"): Part => ({
  ...{ type: "tool-call", call: id, name, input },
});
export const text = (words: string): Part => ({ type: "text", text: words });

export const circumstances: Circumstances = { now: later(3600) };

/** Numbers drafts in a row, a second each. */
export function number(before: readonly NewEntry[], drafts: readonly Draft[]): readonly NewEntry[] {
  return drafts.map((draft, index) => {
    const place = before.length + index + 1;
    return { ...draft, id: `e${place}` as EntryId, at: later(place) };
  });
}

/** Returns where a run stands after entries. */
export function fold(entries: readonly NewEntry[]): RunState {
  return entries.reduce(followRun, emptyRun);
}

export function begin(config: Partial<RunConfig> = {}): readonly NewEntry[] {
  return number([], started({ ...runConfig, ...config }, "You direct.", { task: "Build it." }));
}

export function reply(strand: Strand, parts: readonly Part[], more: Partial<EntryContent> = {}): Draft {
  const usage = { inputTokens: 10, outputTokens: 1 };
  const model = strand === instructorStrand ? runConfig.instructorModel : runConfig.workerModel;
  return { kind: "message", strand, role: "assistant", parts, model, usage, ...more } as Draft;
}

/** What the instructor says in its forced form. */
export function decided(ruling: Partial<Ruling>, id = "d1"): Draft {
  const whole = {
    assessment: "",
    needsCorrection: false,
    shouldContinue: true,
    instruction: "",
    ...ruling,
  };
  const input = Object.fromEntries(Object.entries(whole));
  return reply(instructorStrand, [{ type: "tool-call", call: id, name: rulingTool.name, input }]);
}

/** What a run came to. */
interface Driven {
  readonly entries: readonly NewEntry[];
  readonly reason: StopReason;
  readonly steps: readonly string[];
  /** How many entries there were after each append: a kill leaves one of these. */
  readonly lengths: readonly number[];
}

/** Does what a run does, without models, tools and a disk, until it stops; and returns all entries in order of time. */
export function drive(
  entries: readonly NewEntry[],
  script: PureScript,
  given: Circumstances = circumstances,
): Driven {
  let all = entries;
  const steps: string[] = [];
  const lengths: number[] = [];
  for (;;) {
    const state = fold(all);
    const step = nextStep(state, given);
    if (step.type === "stop") return { entries: all, reason: step.reason, steps, lengths };
    steps.push(step.type);
    // Each of them is on disk by itself, and a kill can come after any.
    for (const drafts of take(state, step, script, all.length)) {
      all = [...all, ...number(all, drafts)];
      lengths.push(all.length);
    }
    if (steps.length > 2000) throw new Error("The run has no end.");
  }
}

/** Returns what a step appends, in the parts in which it is stored. */
function take(
  state: RunState,
  step: Action,
  { decide, work, tree }: PureScript,
  place: number,
): readonly (readonly Draft[])[] {
  switch (step.type) {
    case "ask-instructor": {
      const said = decide(state);
      if (typeof said === "string") return [[reply(instructorStrand, [text(said)])]];
      const draft = decided(said, `d${place}`);
      return [said.shouldContinue === false ? [draft, closed(`d${place}`)] : [draft]];
    }
    case "prompt-instructor":
      return [prompted(step.call, step.text)];
    case "tell-worker":
      return [[userText(workerStrand, step.instruction)]];
    case "ask-worker":
      return [[reply(workerStrand, work(state.phase as Working))]];
    case "close-calls":
      return step.calls.map(({ part }) => [callEnded(part.call, { output: "interrupted", failed: true })]);
    case "return-calls":
      return [step.calls.map(({ part }) => callEnded(part.call, { output: "not made", failed: true }))];
    case "run-calls":
      return step.calls.flatMap(({ part }) => [
        [callStarted(part.call)],
        [callEnded(part.call, { output: `did ${part.call}`, failed: false })],
      ]);
    case "finish-round": {
      const kept = tree?.(step.number);
      const facts = {
        workerModel: runConfig.workerModel,
        files: kept === undefined ? {} : { tree: kept },
        cost: undefined,
      };
      return [roundEnded(step.number, step.work, step.report, facts)];
    }
  }
}

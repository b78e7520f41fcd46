import { systemRandom } from "../../lib/uuid-v7.ts";
import type { Model, ReplyPart } from "../../model/model.ts";
import type { Entry, Message, ToolResultPart } from "../../sessions/entry.ts";
import type { Strand } from "../../sessions/ids.ts";
import { runEvents } from "../../sessions/run-events.ts";
import type { Tool, Toolbox, ToolOutcome } from "../../tools/tool.ts";
import type { RunDesk } from "../run.ts";
import { instructorStrand, workerStrand } from "../run-state.ts";
import { Differs, type Recording } from "./recording.ts";

/** Returns a desk at which the models say what they said, the tools return what they returned, and nothing else happens. */
export function replayDesk(recording: Recording, tools: readonly Tool[]): RunDesk {
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

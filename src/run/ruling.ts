import type { ToolOffer } from "../model/model.ts";
import type { Json, JsonObject, MessageContent, ToolCallPart } from "../sessions/entry.ts";
import { fieldOf } from "../sessions/tool-runs.ts";

/** What the instructor says after each look at the work: the form is forced, so that nothing is guessed from its words. */
export interface Ruling {
  /** What the last report shows. */
  readonly assessment: string;
  /** Whether the last step has to be set right; the instruction then says how. */
  readonly needsCorrection: boolean;
  /** Whether there is a further step; if not, the run is done. */
  readonly shouldContinue: boolean;
  /** What the worker is to do next; empty when the run is done. */
  readonly instruction: string;
  /** For the user: what was reached, and what is left; empty while the run goes on. */
  readonly summary: string;
}

const text = (description: string) => ({ type: "string", description });
const flag = (description: string) => ({ type: "boolean", description });

/** The tool that the instructor must call in each of its turns. */
export const rulingTool: ToolOffer = {
  name: "next_step",
  description:
    "Says what happens next: one instruction for the worker, or that the task is done. Its result is the worker's report.",
  input: {
    type: "object",
    properties: {
      assessment: text(
        "What the last report shows, held against what you asked for. Before the first: your plan.",
      ),
      needsCorrection: flag(
        "Whether the last step was wrong, incomplete or not verified, and is corrected now.",
      ),
      shouldContinue: flag("Whether there is a further step. False ends the run."),
      instruction: text(
        "The one next step for the worker, with how it can tell that it is done. Empty at the end.",
      ),
      summary: text("At the end only: what was done, how it was verified and what is left, for the user."),
    },
    required: ["assessment", "needsCorrection", "shouldContinue", "instruction"],
    additionalProperties: false,
  } satisfies JsonObject,
};

/** What a reply of the instructor comes to. */
export type ParsedReply =
  | { readonly type: "decided"; readonly call: string; readonly ruling: Ruling }
  /** `call` is the one that was not of the right form; without one it did not call the tool at all. */
  | { readonly type: "unclear"; readonly call: string | undefined; readonly reason: string };

/** Reads the ruling from a reply of the instructor. */
export function parseReply({ parts }: Pick<MessageContent, "parts">): ParsedReply {
  const call = parts.find(
    (part): part is ToolCallPart => part.type === "tool-call" && part.name === rulingTool.name,
  );
  if (call === undefined)
    return { type: "unclear", call: undefined, reason: `You did not call ${rulingTool.name}.` };
  const parsed = parseRuling(call.input);
  return typeof parsed === "string"
    ? { type: "unclear", call: call.call, reason: parsed }
    : { type: "decided", call: call.call, ruling: parsed };
}

/** Returns the ruling, or what is wrong with it, as a sentence for the model. */
export function parseRuling(input: Json): Ruling | string {
  const shouldContinue = readFlag(input, "shouldContinue");
  if (shouldContinue === undefined) return "shouldContinue must be true or false.";
  const instruction = readText(input, "instruction");
  if (shouldContinue && instruction === "")
    return "instruction must say what the worker is to do, unless shouldContinue is false.";
  const [assessment, summary] = [readText(input, "assessment"), readText(input, "summary")];
  return {
    assessment,
    needsCorrection: readFlag(input, "needsCorrection") ?? false,
    shouldContinue,
    instruction: shouldContinue ? instruction : "",
    summary: shouldContinue ? "" : summary || assessment || instruction,
  };
}

function readText(input: Json, name: string): string {
  const value = fieldOf(input, name);
  return typeof value === "string" ? value.trim() : "";
}

/** Some models write a flag as text. */
function readFlag(input: Json, name: string): boolean | undefined {
  const value = fieldOf(input, name);
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  return undefined;
}

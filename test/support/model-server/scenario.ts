import { readFileSync } from "node:fs";
import * as z from "zod";
import { fillIn } from "./fill-in.ts";

const text = z.string().min(1);
const count = z.int().nonnegative();
const milliseconds = z.int().positive();

/** Before the first byte, or after half of the last block of a stream. */
const moment = z.enum(["start", "middle"]);
/** So often a step fails for one conversation, before the rest of it is given; always unless told. */
const times = z.int().positive().exactOptional();

const step = z
  .strictObject({
    /** Sent before the rest, with a signature, if the request allows the model to think. */
    thinking: text.optional(),
    text: text.optional(),
    /** Words of a long reply, after the text. */
    long: z.int().positive().optional(),
    /** Tool calls, all in one answer. Left out where the request offers no tools. */
    calls: z.array(z.strictObject({ tool: text, input: z.record(z.string(), z.json()) })).optional(),
    /** Why the reply ends, if not because all is said or called. */
    end: z.enum(["length", "refused"]).optional(),
    /** Answers with an error instead. */
    error: z
      .strictObject({
        status: z.int().min(400).max(599),
        /** As the protocol has it for the status, unless told. */
        type: text.exactOptional(),
        message: text.exactOptional(),
        at: moment.exactOptional(),
        times,
        /** Seconds. */
        retryAfter: z.number().nonnegative().exactOptional(),
        retryAfterMs: count.exactOptional(),
      })
      .optional(),
    /** Destroys the connection. */
    drop: z.strictObject({ at: moment, times }).optional(),
    /** Says nothing more, and leaves the connection open. */
    hang: z.strictObject({ at: moment, times }).optional(),
    /** Waits between the pieces of a stream, which are words then. */
    pace: milliseconds.optional(),
    /** Waits before the answer begins. */
    delay: milliseconds.optional(),
    /** Waits inside the answer: in a stream after half of its last block, else like `delay`. */
    stall: milliseconds.optional(),
    /** The numbers that are not given are estimated. */
    usage: z
      .strictObject({
        input_tokens: count.exactOptional(),
        output_tokens: count.exactOptional(),
        cache_creation_input_tokens: count.exactOptional(),
        cache_read_input_tokens: count.exactOptional(),
      })
      .optional(),
  })
  .refine(({ error, drop, hang }) => [error, drop, hang].filter((each) => each !== undefined).length < 2, {
    error: "A step fails in one way only: error, drop or hang.",
  });

const steps = z.array(step).min(1);

const rule = z
  .strictObject({
    /** The rule is for prompts that hold this text, or one of these, in any case. */
    when: z.union([text, z.array(text).min(1)]).optional(),
    /** The rule is for conversations whose system prompt holds this text. */
    system: text.optional(),
    /** The rule is for models whose name holds this text. */
    model: text.optional(),
    /** One for each turn since the prompt. */
    steps: steps.optional(),
    /** One for each turn of the whole conversation, whatever was asked between them. */
    story: steps.optional(),
  })
  .refine(({ when, system, model }) => (when ?? system ?? model) !== undefined, {
    error: "A rule is for some prompts, system prompts or models: when, system or model.",
  })
  .refine((each) => (each.steps === undefined) !== (each.story === undefined), {
    error: "A rule has steps or a story.",
  });

const scenario = z.strictObject({
  /** What the scenario is for. */
  about: text.optional(),
  rules: z.array(rule).optional(),
  /** Where no rule is for the prompt: one answer for each turn of the whole conversation. */
  story: steps.optional(),
  /** The answer to prompts that no rule is for, after the story. */
  otherwise: step.optional(),
});

/** One answer of the model. */
export type Step = z.infer<typeof step>;

/** Which answers are for which prompts. */
export type Rule = z.infer<typeof rule>;

/** What the model says to which prompt; docs in test/fixtures/scenarios/README.md. */
export type Scenario = z.infer<typeof scenario>;

/** Values for the names that a scenario holds as `{{name}}`, such as the folder that a test has just made. */
export type Values = Readonly<Record<string, string>>;

/** The names that stay until a request is answered, which gives them their values. */
const answered = ["prompt", "rest", "turn"];

/** Parses the text of a scenario and fills in the values. Throws if it is none, or if a value is missing. */
export function parseScenario(source: string, values: Values = {}): Scenario {
  const lookUp = (name: string) => {
    const value = answered.includes(name) ? `{{${name}}}` : values[name];
    if (value === undefined) throw new Error(`The scenario needs a value for {{${name}}}.`);
    return value;
  };
  const fill = (_field: string, value: unknown) =>
    typeof value === "string" ? fillIn(value, lookUp) : value;
  const parsed = scenario.safeParse(JSON.parse(source, fill));
  if (!parsed.success) throw new Error(`This is no scenario:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Reads a scenario of test/fixtures/scenarios by its name without `.json`. */
export function readScenario(name: string, values?: Values): Scenario {
  const path = new URL(`../../fixtures/scenarios/${name}.json`, import.meta.url);
  return parseScenario(readFileSync(path, "utf8"), values);
}

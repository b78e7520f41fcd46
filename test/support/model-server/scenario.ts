import { readFileSync } from "node:fs";
import * as z from "zod";

const text = z.string().min(1);
const count = z.int().nonnegative();
const milliseconds = z.int().positive();

const step = z.strictObject({
  /** Sent before the rest, with a signature, if the request allows the model to think. */
  thinking: text.optional(),
  text: text.optional(),
  /** Tool calls, all in one answer. Left out where the request offers no tools. */
  calls: z.array(z.strictObject({ tool: text, input: z.record(z.string(), z.json()) })).optional(),
  /** Answers with an error instead. */
  error: z.strictObject({ status: z.int().min(400).max(599), type: text, message: text }).optional(),
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
});

const scenario = z.strictObject({
  /** What the scenario is for. */
  about: text.optional(),
  rules: z.array(
    z.strictObject({
      /** The rule is for prompts that hold this text. */
      when: text,
      steps: z.array(step).min(1),
    }),
  ),
  /** The answer to prompts that no rule is for. */
  otherwise: step.optional(),
});

/** One answer of the model. */
export type Step = z.infer<typeof step>;

/** What the model says to which prompt; docs in test/fixtures/scenarios/README.md. */
export type Scenario = z.infer<typeof scenario>;

/** Values for the names that a scenario holds as `{{name}}`, such as the folder that a test has just made. */
export type Values = Readonly<Record<string, string>>;

/** Parses the text of a scenario and fills in the values. Throws if it is none, or if a value is missing. */
export function parseScenario(source: string, values: Values = {}): Scenario {
  const fill = (_field: string, value: unknown) =>
    typeof value === "string" ? value.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => lookUp(name)) : value;
  const lookUp = (name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The scenario needs a value for {{${name}}}.`);
    return value;
  };
  const parsed = scenario.safeParse(JSON.parse(source, fill));
  if (!parsed.success) throw new Error(`This is no scenario:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Reads a scenario of test/fixtures/scenarios by its name without `.json`. */
export function readScenario(name: string, values?: Values): Scenario {
  const path = new URL(`../../fixtures/scenarios/${name}.json`, import.meta.url);
  return parseScenario(readFileSync(path, "utf8"), values);
}

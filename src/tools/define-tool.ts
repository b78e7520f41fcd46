import { AppError, isSystemError } from "../lib/app-error.ts";
import { isObject } from "../lib/field-readers.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { truncate } from "../lib/terminal-text.ts";
import type { Json, JsonObject } from "../sessions/entry.ts";
import type { Effect, Tool, ToolOutcome, ToolSurroundings } from "./tool.ts";

/** One field of an input, as a model is told of it. */
interface Field {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  /** Whether it may be missing; null counts as missing, because some models send it. */
  readonly optional?: true;
  /** The least number, or the least length of a text. */
  readonly least?: number;
}
/** The fields of an input, by name. */
type Shape = Readonly<Record<string, Field>>;

interface FieldTypes {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
}

/** The values of an input that has the right form. */
type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]:
    | FieldTypes[Fields[Name]["type"]]
    | (Fields[Name] extends { readonly optional: true } ? undefined : never);
};

/** The values of an input that is defined elsewhere. */
export type ValuesOf<Input> = Input extends ToolInput<infer Fields> ? Values<Fields> : never;

type InputReading<Fields extends Shape> =
  | { readonly type: "read"; readonly values: Values<Fields> }
  | { readonly type: "broken"; readonly problem: string };

/** What a tool takes: told to a model and checked from one definition. */
interface ToolInput<Fields extends Shape> {
  readonly schema: JsonObject;
  /** Reads any input; what is wrong with it is said with what was expected. */
  read(input: Json): InputReading<Fields>;
}

/** Makes the schema and the check of a flat object. */
export function defineInput<const Fields extends Shape>(shape: Fields): ToolInput<Fields> {
  return {
    schema: toSchema(shape),
    read: (input) => {
      if (!isObject(input)) return broken(shape, ["The input is not an object"]);
      const problems = [
        ...Object.entries(shape).flatMap(([name, field]) => judge(name, field, ownValue(input, name))),
        ...Object.keys(input).flatMap((name) =>
          Object.hasOwn(shape, name) ? [] : [`${quote(name)} is not known`],
        ),
      ];
      if (problems.length > 0) return broken(shape, problems);
      const values = Object.keys(shape).map((name) => [name, ownValue(input, name)]);
      return { type: "read", values: Object.fromEntries(values) as Values<Fields> };
    },
  };
}

function ownValue(input: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined;
}

function judge(name: string, field: Field, value: unknown): readonly string[] {
  if (value === undefined) return field.optional === true ? [] : [`${quote(name)} is missing`];
  if (!hasType(field, value)) return [`${quote(name)} is not of type ${field.type}`];
  if (field.least === undefined) return [];
  if (typeof value === "string")
    return value.length < field.least ? [`${quote(name)} must not be empty`] : [];
  return Number(value) < field.least ? [`${quote(name)} must be at least ${field.least}`] : [];
}

function hasType(field: Field, value: unknown): boolean {
  return field.type === "integer" ? Number.isSafeInteger(value) : typeof value === field.type;
}

/** How many of the things that are wrong are told, and how much of a name. */
const [mostProblems, longestName] = [5, 40];

function broken(shape: Shape, problems: readonly string[]): { readonly type: "broken"; problem: string } {
  const fields = Object.entries(shape).map(
    ([name, { type, optional }]) => `"${name}"${optional === true ? "?" : ""}: ${type}`,
  );
  const told = problems.slice(0, mostProblems).join("; ");
  const rest = problems.length > mostProblems ? `; and ${problems.length - mostProblems} more` : "";
  return { type: "broken", problem: `${told}${rest}. Expected {${fields.join(", ")}}.` };
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, longestName));
}

function toSchema(shape: Shape): JsonObject {
  const properties = Object.entries(shape).map(([name, field]) => [name, toProperty(field)] as const);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: Object.keys(shape).filter((name) => shape[name]?.optional !== true),
    additionalProperties: false,
  };
}

function toProperty({ type, description, least }: Field): JsonObject {
  if (least === undefined) return { type, description };
  return type === "string" ? { type, description, minLength: least } : { type, description, minimum: least };
}

/** A tool as its file writes it down: it is given only input of the right form, and throws what it refuses. */
export interface ToolDefinition<Fields extends Shape> {
  readonly name: string;
  readonly effect: Effect;
  readonly description: string;
  readonly input: ToolInput<Fields>;
  /** Says what a call does to what: `src/a.ts (12 lines)`. */
  readonly describe: (values: Values<Fields>) => string;
  readonly preview?: (values: Values<Fields>, surroundings: ToolSurroundings) => Promise<string | undefined>;
  /** Returns what the model is told, or a whole outcome. */
  readonly run: (values: Values<Fields>, surroundings: ToolSurroundings) => Promise<string | ToolOutcome>;
}

/** Makes a tool that takes any input and says of each failure, but for an abort and a fault of ours, what it is. */
export function defineTool<Fields extends Shape>(definition: ToolDefinition<Fields>): Tool {
  const { name, effect, description, input } = definition;
  return {
    name,
    effect,
    description,
    input: input.schema,
    describe: (given) => {
      const reading = input.read(given);
      return toOneLine(
        reading.type === "read"
          ? `${name} ${definition.describe(reading.values)}`
          : `${name} with input that it does not take`,
      );
    },
    preview: (given, surroundings) => previewTool(definition, given, surroundings),
    run: (given, surroundings) => runTool(definition, given, surroundings),
  };
}

async function previewTool<Fields extends Shape>(
  { name, input, preview }: ToolDefinition<Fields>,
  given: Json,
  surroundings: ToolSurroundings,
): Promise<string | undefined> {
  if (preview === undefined) return undefined;
  const reading = input.read(given);
  if (reading.type === "broken") return wouldFail(describeBroken(name, reading.problem));
  try {
    return await preview(reading.values, surroundings);
  } catch (error) {
    return wouldFail(describeFailure(error));
  }
}

function wouldFail(reason: string): string {
  return `[This would fail: ${reason}]\n`;
}

function describeBroken(name: string, problem: string): string {
  return `The input of ${name} is not right: ${problem}`;
}

async function runTool<Fields extends Shape>(
  { name, input, run }: ToolDefinition<Fields>,
  given: Json,
  surroundings: ToolSurroundings,
): Promise<ToolOutcome> {
  const { signal } = surroundings;
  signal.throwIfAborted();
  const reading = input.read(given);
  if (reading.type === "broken") return { output: describeBroken(name, reading.problem), failed: true };
  try {
    const told = await run(reading.values, surroundings);
    return typeof told === "string" ? { output: told, failed: false } : told;
  } catch (error) {
    signal.throwIfAborted();
    return { output: describeFailure(error), failed: true };
  }
}

/** What is neither ours nor the system's is a fault in a tool, and thrown. */
function describeFailure(error: unknown): string {
  if (error instanceof AppError)
    return [error.message, ...(error.hint === undefined ? [] : [error.hint])].join(" ");
  if (error instanceof Error && "syscall" in error) return describeSystemError(error);
  throw error;
}

function describeSystemError(error: Error): string {
  if (isSystemError(error, "EACCES", "EPERM")) return "The system does not allow it: check the permissions.";
  if (isSystemError(error, "ENAMETOOLONG")) return "The path is too long for the system.";
  if (isSystemError(error, "ENOENT", "ENOTDIR")) return "What was there a moment ago is gone. Look again.";
  if (isSystemError(error, "ENOSPC", "EDQUOT")) return "There is no room on the disk.";
  if (isSystemError(error, "EROFS")) return "The disk may only be read.";
  if (isSystemError(error, "EMFILE", "ENFILE")) return "Too many files are open. Try again later.";
  return `The system says ${"code" in error ? String(error.code) : "no"}.`;
}

/** How wide a description is at most, and how much of one is looked at. */
const [widest, longest] = [120, 240];

function toOneLine(text: string): string {
  return truncate(
    toPrintableLine(text.slice(0, longest).toWellFormed()).slice(0, longest),
    widest,
  ).toWellFormed();
}

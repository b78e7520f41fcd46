import { AppError, isSystemError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { truncate } from "../lib/terminal-text.ts";
import type { Json } from "../sessions/entry.ts";
import type { Effect, Tool, ToolOutcome, ToolSurroundings } from "./tool.ts";
import type { Shape, ToolInput, Values } from "./tool-input.ts";

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

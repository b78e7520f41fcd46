import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { parseIfJson } from "../../lib/json.ts";
import { asFarAsDiskAllows } from "../held/held-rules.ts";
import { type JsonObject, ownValue } from "../json-object.ts";

/** Where uses of tools wait to be counted, beside the metrics of their session; and while they are. */
const [waiting, taken] = [".uses", ".uses-taken"];

/**
 * Notes that a tool was used in a line beside the metrics at this path. A hook that only counts has no time to lock and
 * to replace a file; whoever changes the metrics next counts it. What cannot be noted stops nobody.
 */
export function noteUse(metrics: string, tool: string): void {
  asFarAsDiskAllows(() => {
    mkdirSync(dirname(metrics), { recursive: true, mode: 0o700 });
    append(metrics + waiting, `${JSON.stringify(tool.slice(0, 200))}\n`);
  });
}

/** Appends to a file of ours. A link in its place is not followed. */
function append(path: string, line: string): void {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    writeSync(descriptor, line);
  } finally {
    closeSync(descriptor);
  }
}

/** Which uses are meant: those that were taken, or those that wait as well. */
export type Uses = "all" | "taken";

/** Returns counts of tools with the uses that are not in them yet. */
export function withUses(metrics: string, tools: JsonObject, uses: Uses): JsonObject {
  const endings = uses === "all" ? [taken, waiting] : [taken];
  return endings.flatMap((ending) => readLines(metrics + ending)).reduce(plusOne, tools);
}

/** Takes the uses, to count them: those that are noted from now on wait for the next time. */
export function takeUses(metrics: string): void {
  // Of one who was killed while they were counted, they are counted first.
  if (readLines(metrics + taken).length > 0) return;
  asFarAsDiskAllows(() => renameSync(metrics + waiting, metrics + taken));
}

/** Forgets the uses that were taken, once they are in the metrics. */
export function dropUses(metrics: string): void {
  rmSync(metrics + taken, { force: true });
}

/** Returns counts with one more of a name. */
export function plusOne(counts: JsonObject, name: string): JsonObject {
  const count = ownValue(counts, name);
  return { ...counts, [name]: (typeof count === "number" ? count : 0) + 1 };
}

function readLines(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n").map(parseIfJson);
    return lines.filter((line) => typeof line === "string");
  } catch (error) {
    // None wait, most of the time.
    if (error instanceof Error && "syscall" in error) return [];
    throw error;
  }
}

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
import { dirname, join } from "node:path";
import { parseIfJson } from "../../lib/parse-if-json.ts";
import { isJsonObject, type JsonObject, ownObject, ownValue } from "../json-object.ts";
import { describeContent, partProblem } from "../read-gate-state.ts";
import { type FoundFile, findFile } from "./find-file.ts";
import type { GatePlace } from "./gate-state.ts";
import type { FileProblem } from "./problem.ts";
import { parseTime } from "./standing-codec.ts";

/** What is counted of a session. */
export interface SessionMetrics {
  readonly branch: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** By the names of tools, skills and requirements. */
  readonly tools: JsonObject;
  readonly skills: JsonObject;
  readonly requirements: JsonObject;
  /** What hooks remember from one event to the next. */
  readonly notes: JsonObject;
}

/** The metrics of a session, and what is wrong with their file. */
export interface MetricsReading {
  readonly metrics: SessionMetrics;
  readonly problems: readonly FileProblem[];
}

/** Reads the metrics of a session. What cannot be read counts as if it were not there. */
export function readMetrics(place: Pick<GatePlace, "folder">, session: string): MetricsReading {
  return openMetrics(findMetrics(place, session), "all");
}

/** Returns the folder of the metrics. */
export function locateMetrics({ folder }: Pick<GatePlace, "folder">): string {
  return join(folder, "sessions");
}

/** Finds the file of the metrics of a session, or the place for it. */
export function findMetrics(place: Pick<GatePlace, "folder">, session: string): FoundFile {
  const folder = locateMetrics(place);
  return findFile({ folder, own: [place.folder, folder], field: "session_id" }, session);
}

const objects = ["tools", "skills", "requirements", "carryon"] as const;

/** Returns the metrics that a file holds, with uses of tools that wait beside it. */
export function openMetrics({ path, content }: FoundFile, uses: Uses): MetricsReading {
  const value = content.type === "document" ? content.value : {};
  const problems = objects
    .filter((field) => !isJsonObject(ownValue(value, field) ?? {}))
    .map((field) => partProblem(path, `${field} is not an object`));
  const branch = ownValue(value, "branch");
  const metrics = {
    branch: typeof branch === "string" ? branch : null,
    startedAt: parseTime(ownValue(value, "started_at")) ?? null,
    endedAt: parseTime(ownValue(value, "ended_at")) ?? null,
    tools: withUses(path, ownObject(value, "tools"), uses),
    skills: ownObject(value, "skills"),
    requirements: ownObject(value, "requirements"),
    notes: ownObject(value, "carryon"),
  };
  return { metrics, problems: [...describeContent(path, content), ...problems] };
}

/** Where uses of tools wait to be counted, beside the metrics of their session; and while they are. */
const [waiting, taken] = [".uses", ".uses-taken"];

/**
 * Notes that a tool was used in a line beside the metrics at this path. A hook that only counts has no time to lock and
 * to replace a file; whoever changes the metrics next counts it. What cannot be noted stops nobody.
 */
export function noteUse(metrics: string, tool: string): void {
  const line = `${JSON.stringify(tool.slice(0, 200))}\n`;
  try {
    mkdirSync(dirname(metrics), { recursive: true, mode: 0o700 });
    append(metrics + waiting, line);
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
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
type Uses = "all" | "taken";

/** Returns counts of tools with the uses that are not in them yet. */
function withUses(metrics: string, tools: JsonObject, uses: Uses): JsonObject {
  const endings = uses === "all" ? [taken, waiting] : [taken];
  return endings.flatMap((ending) => readLines(metrics + ending)).reduce(plusOne, tools);
}

/** Takes the uses, to count them: those that are noted from now on wait for the next time. */
export function takeUses(metrics: string): void {
  // Of one who was killed while they were counted, they are counted first.
  if (readLines(metrics + taken).length > 0) return;
  try {
    renameSync(metrics + waiting, metrics + taken);
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
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
    if (isFailure(error)) return [];
    throw error;
  }
}

/** Tells whether it is the disk that does not let us. */
function isFailure(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

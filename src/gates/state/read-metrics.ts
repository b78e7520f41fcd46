import { join } from "node:path";
import { isJsonObject, type JsonObject, ownObject, ownValue } from "../json-object.ts";
import { type Uses, withUses } from "../pass.ts";
import { describeContent, partProblem } from "../read-gate-state.ts";
import { type FoundFile, findFile } from "./file-content.ts";
import { type GatePlace, parseTime } from "./gate-state.ts";
import type { FileProblem } from "./problem.ts";

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

import { AppError } from "../../lib/app-error.ts";
import type { JsonObject } from "../json-object.ts";
import { dropUses, takeUses } from "../pass.ts";
import { changeFile } from "./change-file.ts";
import { type GatePlace, renderTime } from "./gate-state.ts";
import { toProblem } from "./problem.ts";
import {
  findMetrics,
  locateMetrics,
  type MetricsReading,
  openMetrics,
  readMetrics,
  type SessionMetrics,
} from "./read-metrics.ts";

export interface ChangedMetrics extends MetricsReading {
  /** Why nothing was changed; absent when what was asked for is on the disk. */
  readonly failure?: AppError;
}

/**
 * Changes the metrics of a session while nobody else of us does. A change that returns what it was given writes nothing;
 * an AppError of it comes back like any other failure.
 */
export async function changeMetrics(
  place: Pick<GatePlace, "folder" | "clock" | "wait">,
  session: string,
  change: (metrics: SessionMetrics) => SessionMetrics,
): Promise<ChangedMetrics> {
  const folder = locateMetrics(place);
  try {
    const { result, found, text } = await changeFile(
      { ...place, folder, own: [place.folder, folder], lock: "sessions" },
      () => findMetrics(place, session),
      (found) => {
        takeUses(found.path);
        const { metrics, problems } = openMetrics(found, "taken");
        const after = change(metrics);
        if (after === metrics) return { result: { metrics, problems }, isLossy: false };
        const before = found.content.type === "document" ? found.content.value : {};
        const text = `${JSON.stringify(renderMetrics(session, after, before), undefined, 2)}\n`;
        const isLossy = problems.length > 0 && found.content.type === "document";
        return { text, isLossy, result: { metrics: after, problems } };
      },
    );
    if (text !== undefined) dropUses(found.path);
    return result;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { metrics, problems } = readMetrics(place, session);
    return { metrics, problems: [...problems, toProblem(folder, error)], failure: error };
  }
}

function renderMetrics(session: string, metrics: SessionMetrics, before: JsonObject): JsonObject {
  const { version, ...rest } = before;
  return {
    version: typeof version === "string" ? version : "1.0",
    session_id: session,
    ...rest,
    branch: metrics.branch,
    started_at: renderTime(metrics.startedAt),
    ended_at: renderTime(metrics.endedAt),
    tools: metrics.tools,
    skills: metrics.skills,
    requirements: metrics.requirements,
    carryon: metrics.notes,
  };
}

import { join } from "node:path";
import { isNewer } from "../../git/work-since.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { completeWaves } from "./next-action.ts";
import { readPipeline } from "./read-pipeline.ts";

/** What the specs of a project say that they did not say at a moment. */
export interface PipelineNews {
  /** Whether the file of a spec has changed. */
  readonly isChanged: boolean;
  /** Whether a spec was said to be blocked. */
  readonly isStopped: boolean;
  /** Whether the last spec of a wave was said to be complete. */
  readonly hasCompletedWave: boolean;
}

/** Reads what the specs of a project say since a moment. Git need not know them. */
export async function readPipelineNews(place: HandoverPlace, since: Date): Promise<PipelineNews> {
  const { state } = await readPipeline(place);
  const complete = new Set<number | null>(completeWaves(state));
  const changed = [];
  for (const spec of state.specs) {
    const file = join(place.root, place.sddDir, "project", "specs", spec.name, "spec.yaml");
    if (await isNewer(file, since)) changed.push(spec);
  }
  return {
    isChanged: changed.length > 0,
    isStopped: changed.some(({ phase }) => phase === "blocked"),
    hasCompletedWave: changed.some(({ wave }) => wave !== null && complete.has(wave)),
  };
}

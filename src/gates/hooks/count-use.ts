import type { Used } from "../gate-site.ts";
import { type JsonObject, ownObject } from "../json-object.ts";
import type { SessionMetrics } from "../state/read-metrics.ts";
import { plusOne } from "../state/tool-uses.ts";

/** Returns what counts a use in the metrics of a session. */
export function countUse({ skill, satisfied = [], refused = [] }: Used) {
  return (metrics: SessionMetrics): SessionMetrics => ({
    ...metrics,
    skills: skill === undefined ? metrics.skills : plusOne(metrics.skills, skill),
    requirements: countAll(metrics.requirements, { satisfied, refused }),
  });
}

/** Counts for each gate what happened to it. */
function countAll(counts: JsonObject, happened: Readonly<Record<string, readonly string[]>>): JsonObject {
  let after = counts;
  for (const [what, names] of Object.entries(happened)) {
    for (const name of names) after = { ...after, [name]: plusOne(ownObject(after, name), what) };
  }
  return after;
}

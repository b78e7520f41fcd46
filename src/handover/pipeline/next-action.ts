import { resolving } from "../next-step.ts";
import type { Batch } from "./parse-verdicts.ts";
import type { SpecState } from "./spec-file.ts";

/** A spec and the latest batch of its reviews. */
export interface PipelineSpec extends SpecState {
  readonly latest: Batch | undefined;
}

/** What the files of the specs say of the work. It is read when it is needed and stored nowhere. */
export interface PipelineState {
  readonly specs: readonly PipelineSpec[];
  readonly hasRoadmap: boolean;
}

/** Returns a state in which no spec says what blocks it: of its files, a next action quotes nothing else. */
export function withoutReasons({ specs, hasRoadmap }: PipelineState): PipelineState {
  return { hasRoadmap, specs: specs.map((spec) => ({ ...spec, blocked: undefined })) };
}

/** Tells whether a roadmap is being worked on: it is there, and some spec is not complete. */
export function isRoadmapActive({ specs, hasRoadmap }: PipelineState): boolean {
  return hasRoadmap && specs.some(({ phase }) => phase !== "implementation-complete");
}

/** Returns the waves of which every spec is complete. */
export function completeWaves({ specs }: PipelineState): readonly number[] {
  const waves = new Set(specs.flatMap(({ wave }) => (wave === null ? [] : [wave])));
  const open = new Set(
    specs.filter(({ phase }) => phase !== "implementation-complete").map(({ wave }) => wave),
  );
  return [...waves].filter((wave) => !open.has(wave)).sort((one, other) => one - other);
}

/**
 * Returns what the state of the specs calls for next, or undefined when it calls for nothing.
 *
 * The lowest wave comes first, specs on no roadmap last. In a wave, what blocks comes before what can go on, and a spec
 * whose dependencies are complete before one that waits for them; then names decide. Findings of a review that let the
 * work pass come after all of that.
 */
export function nextAction({ specs }: PipelineState): string | undefined {
  const complete = new Set(
    specs.filter(({ phase }) => phase === "implementation-complete").map(({ name }) => name),
  );
  const open = specs.flatMap((spec) => {
    const action = actionOf(spec);
    if (action === undefined) return [];
    const waits = spec.dependencies.some((name) => !complete.has(name));
    return [{ ...spec, action, rank: spec.phase === "blocked" ? 0 : waits ? 2 : 1 }];
  });
  open.sort(
    (one, other) =>
      Number(hasPassed(one)) - Number(hasPassed(other)) ||
      toNumber(one.wave) - toNumber(other.wave) ||
      one.rank - other.rank ||
      (one.name < other.name ? -1 : 1),
  );
  return open[0]?.action;
}

/** Tells whether the latest review of a complete spec let it pass, with findings or without. */
function hasPassed({ phase, latest }: PipelineSpec): boolean {
  return phase === "implementation-complete" && /^(?:GO|CONDITIONAL)\b/i.test(latest?.disposition ?? "");
}

/** A finite number, so that two of them can be subtracted. */
function toNumber(wave: number | null): number {
  return wave ?? Number.MAX_SAFE_INTEGER;
}

function actionOf({ name, phase, blocked, latest }: PipelineSpec): string | undefined {
  switch (phase) {
    case "blocked":
      return `${resolving}${name}${describeBlock(blocked)}`;
    case "initialized":
      return `/sdd-design ${name}`;
    case "design-generated":
      return `/sdd-impl ${name}`;
    case "implementation-complete":
      return latest !== undefined && latest.tracked.length > 0 ? `/sdd-review ${name}` : undefined;
    case "unknown":
      return undefined;
  }
}

function describeBlock(blocked: SpecState["blocked"]): string {
  const by = blocked?.by ?? "";
  const reason = blocked?.reason ?? "";
  if (by === "" && reason === "") return ".";
  return `: ${[by, reason].filter((each) => each !== "").join(", ")}`;
}

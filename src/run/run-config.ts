import type { Json, JsonObject } from "../conversation/entry.ts";
import { fieldOf } from "../conversation/tool-runs.ts";

/** How far a run may go before it stops by itself; null where it may go on without end. */
export interface RunLimits {
  readonly rounds: number | null;
  /** Read and written by both models; what a provider had in its cache does not count. */
  readonly tokens: number | null;
  readonly seconds: number | null;
  /** In dollars. */
  readonly cost: number | null;
}

export const noLimits: RunLimits = { rounds: null, tokens: null, seconds: null, cost: null };

/** How a run is set up, as the log keeps it: no keys, no addresses. */
export interface RunConfig {
  readonly instructorModel: string;
  readonly workerModel: string;
  readonly useThinking: boolean;
  readonly workDir: string;
  readonly limits: RunLimits;
}

/** Turns a configuration into what the log keeps; `maxRounds` has the name that SessionState has for it. */
export function renderConfig({ limits, ...config }: RunConfig): JsonObject {
  const { rounds: maxRounds, tokens: maxTokens, seconds: maxSeconds, cost: maxCost } = limits;
  return { ...config, maxRounds, maxTokens, maxSeconds, maxCost };
}

/** Reads a configuration; what is missing or of another form, as in what others wrote, is as in `before`. */
export function parseConfig(value: Json | undefined, before: RunConfig): RunConfig {
  const text = (name: string, else_: string) => {
    const found = fieldOf(value, name);
    return typeof found === "string" && found !== "" ? found : else_;
  };
  const useThinking = fieldOf(value, "useThinking");
  return {
    instructorModel: text("instructorModel", before.instructorModel),
    workerModel: text("workerModel", before.workerModel),
    useThinking: typeof useThinking === "boolean" ? useThinking : before.useThinking,
    workDir: text("workDir", before.workDir),
    limits: {
      rounds: readLimit(value, "maxRounds", before.limits.rounds),
      tokens: readLimit(value, "maxTokens", before.limits.tokens),
      seconds: readLimit(value, "maxSeconds", before.limits.seconds),
      cost: readLimit(value, "maxCost", before.limits.cost),
    },
  };
}

function readLimit(value: Json | undefined, name: string, before: number | null): number | null {
  const limit = fieldOf(value, name);
  if (limit === null) return null;
  return typeof limit === "number" && limit >= 0 ? limit : before;
}

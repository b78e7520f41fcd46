import { type Prices, parsePrices, renderPrices } from "../model/prices.ts";
import type { Json, JsonObject } from "../sessions/entry.ts";
import { fieldOf } from "../sessions/tool-runs.ts";

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
  /** What its models cost, as far as that is known: so that later prices do not change what it has cost. */
  readonly prices: Prices;
  /** The folder in which its state is kept, by the name of the machine. */
  readonly sessionDirs: Readonly<Record<string, string>>;
}

/** What the log calls the limits; SessionState has the same name for that of rounds. */
const limitNames = {
  rounds: "maxRounds",
  tokens: "maxTokens",
  seconds: "maxSeconds",
  cost: "maxCost",
} as const satisfies Readonly<Record<keyof RunLimits, string>>;

export const limitKeys = Object.keys(limitNames) as (keyof RunLimits)[];

/** Turns limits into what the log keeps: those that are given. */
export function renderLimits(limits: Partial<RunLimits>): JsonObject {
  return Object.fromEntries(
    limitKeys.flatMap((key) => (limits[key] === undefined ? [] : [[limitNames[key], limits[key]]])),
  );
}

/** Returns which limits are in what the log keeps. */
export function listLimits(value: Json | undefined): ReadonlySet<keyof RunLimits> {
  return new Set(limitKeys.filter((key) => fieldOf(value, limitNames[key]) !== undefined));
}

/** Turns a configuration into what the log keeps. */
export function renderConfig({ limits, prices, sessionDirs, ...config }: RunConfig): JsonObject {
  const known = Object.keys(prices).length === 0 ? {} : { prices: renderPrices(prices) };
  const kept = Object.keys(sessionDirs).length === 0 ? {} : { sessionDirs };
  return { ...config, ...renderLimits(limits), ...known, ...kept };
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
    prices: { ...before.prices, ...parsePrices(fieldOf(value, "prices")) },
    sessionDirs: { ...before.sessionDirs, ...readTexts(fieldOf(value, "sessionDirs")) },
    limits: readLimits(value, before.limits),
  };
}

function readTexts(value: Json = null): Readonly<Record<string, string>> {
  const texts = Object.entries(value ?? {}).filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts);
}

function readLimits(value: Json | undefined, before: RunLimits): RunLimits {
  const given = limitKeys.flatMap((key) => {
    const limit = fieldOf(value, limitNames[key]);
    return limit === null || (typeof limit === "number" && limit >= 0) ? [[key, limit]] : [];
  });
  return { ...before, ...Object.fromEntries(given) };
}

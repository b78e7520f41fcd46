import type { Prices } from "../model/prices.ts";
import type { RunConfig, RunLimits } from "./run-config.ts";
import type { Resumption } from "./run-entries.ts";
import type { RunState } from "./run-state.ts";
import { beginStretch, listReached } from "./spent.ts";

/** What the user says at a resume; what is left out stays as it was. */
export interface ResumeWishes {
  readonly instructorModel?: string | undefined;
  readonly workerModel?: string | undefined;
  readonly useThinking?: boolean | undefined;
  readonly workDir?: string | undefined;
  readonly prices?: Prices | undefined;
  readonly sessionDirs?: RunConfig["sessionDirs"] | undefined;
  readonly limits?: Partial<RunLimits> | undefined;
  /** Further instructions. */
  readonly more?: string | undefined;
}

/** What a resume does, and what it says of it. */
export interface PlannedResume extends Resumption {
  /** The settings that differ from before. */
  readonly changes: readonly Change[];
}

/** A setting that is another one than before. */
interface Change {
  readonly setting: "instructorModel" | "workerModel" | "workDir";
  readonly before: string;
  readonly now: string;
}

/**
 * Decides how a run goes on.
 *
 * A limit that the user names is granted from now on. One that is used up is granted again as it was at the start. Of each
 * other, what is left counts: a run that is killed and resumed again and again gets no more than it was given.
 */
export function planResume(
  state: RunState,
  wishes: ResumeWishes,
  circumstances: { readonly now: Date },
): PlannedResume {
  const { limits, more: said = "", ...settings } = wishes;
  const more = said.trim() === "" ? undefined : said;
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const config: RunConfig = { ...state.config, ...Object.fromEntries(given) };
  const names = ["instructorModel", "workerModel", "workDir"] as const;
  const moved = movePrompt(state, config.workDir);
  return {
    config,
    systemPrompt: moved === state.systemPrompt ? undefined : moved,
    grant: planGrant({ ...state, config }, limits, circumstances),
    more,
    withdrawn: more === undefined ? undefined : findUntold(state),
    changes: names
      .map((setting) => ({ setting, before: state.config[setting], now: config[setting] }))
      .filter(({ before, now }) => !isSame(now, before)),
  };
}

/** Returns the ruling that is decided, and of which the worker knows nothing yet. */
function findUntold({ phase }: RunState): string | undefined {
  return phase.type === "working" && !phase.isTold ? phase.call : undefined;
}

/** Others name a model without its provider. */
function isSame(now: string, before: string): boolean {
  return now === before || (before !== "" && !before.includes("/") && now.endsWith(`/${before}`));
}

/** The folder stands on a line of its own. */
function movePrompt({ systemPrompt, config }: RunState, workDir: string): string {
  const lines = systemPrompt.split("\n");
  return lines.map((line) => (line === config.workDir && line !== "" ? workDir : line)).join("\n");
}

function planGrant(
  state: RunState,
  wished: Partial<RunLimits> = {},
  circumstances: { readonly now: Date },
): Partial<RunLimits> | undefined {
  const grant = { ...listUsedUp(state, circumstances), ...wished };
  return Object.keys(grant).length === 0 ? undefined : grant;
}

/** Returns the limits of the start that are to be granted again. */
function listUsedUp(state: RunState, circumstances: { readonly now: Date }): Partial<RunLimits> {
  // Nobody worked since it stopped.
  const spent = beginStretch(state.spent, circumstances.now);
  const reached = listReached({ ...state, spent }, circumstances);
  return Object.fromEntries(reached.map((key) => [key, state.config.limits[key]]));
}

import type { RunConfig, RunLimits } from "./run-config.ts";
import type { Resumption } from "./run-entries.ts";
import type { RunState } from "./run-state.ts";
import { findSpentLimit, type Prices } from "./spent.ts";

/** What the user says at a resume; what is left out stays as it was. */
export interface ResumeWishes {
  readonly instructorModel?: string;
  readonly workerModel?: string;
  readonly useThinking?: boolean;
  readonly workDir?: string;
  readonly limits?: Partial<RunLimits>;
  /** Further instructions. */
  readonly more?: string;
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
 * A limit that the user names is granted from now on. One that is used up is granted again as it was at the start.
 * Otherwise what is left of it counts: a run that is killed and resumed again and again gets no more than it was given.
 */
export function planResume(
  state: RunState,
  wishes: ResumeWishes,
  circumstances: { readonly now: Date; readonly prices: Prices },
): PlannedResume {
  const { limits, more, ...settings } = wishes;
  const config: RunConfig = { ...state.config, ...settings };
  const names = ["instructorModel", "workerModel", "workDir"] as const;
  const moved = movePrompt(state, config.workDir);
  return {
    config,
    systemPrompt: moved === state.systemPrompt ? undefined : moved,
    grant: planGrant(state, limits, circumstances),
    more: more?.trim() === "" ? undefined : more,
    changes: names
      .map((setting) => ({ setting, before: state.config[setting], now: config[setting] }))
      .filter(({ before, now }) => !isSame(now, before)),
  };
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
  wished: Partial<RunLimits> | undefined,
  circumstances: { readonly now: Date; readonly prices: Prices },
): RunLimits | undefined {
  const { limits, spent, config } = state;
  if (wished !== undefined && Object.keys(wished).length > 0) return { ...config.limits, ...wished };
  const hasRounds = limits.rounds === null || spent.rounds < limits.rounds;
  const isSpent = !hasRounds || findSpentLimit(limits, spent, circumstances) !== undefined;
  return isSpent ? config.limits : undefined;
}

/** Returns how many rounds are left; null without a limit. */
export function remainingRounds({ limits, spent }: Pick<RunState, "limits" | "spent">): number | null {
  return limits.rounds === null ? null : Math.max(0, limits.rounds - spent.rounds);
}

import { suggest } from "../../lib/suggest.ts";
import { type GateProblem, type LocatedMap, type Place, shorten } from "./to-located.ts";

/** More are not read by anybody, and each costs time. */
const most = 100;

/** Keys under which people keep what they name by an anchor. */
const forAnchors = /^(?:x-|\.)/;

/** What is found out about a configuration while it is read. */
export interface Report {
  readonly problems: GateProblem[];
  /** What does no harm, for those who want to know everything. */
  readonly notes: GateProblem[];
}

/** Tells whether so much is wrong that no more is listed. */
export function isFull({ problems }: Report): boolean {
  return problems.length > most;
}

/** Says that something is wrong. */
export function tellProblem(
  { problems }: Report,
  { file, line }: Place,
  problem: string,
  hint: string,
): void {
  problems.push({ file, line, problem, hint });
}

/** Says which keys of a map are not known, and which are known but mean nothing here. */
export function tellKeys(report: Report, map: LocatedMap, kind: keyof typeof knownKeys, owner: string): void {
  const { used, unused }: KnownKeys = knownKeys[kind];
  const isQuiet = (key: string) => used.includes(key) || (kind === "file" && forAnchors.test(key));
  for (const [key, place] of map.entries) {
    if (isQuiet(key) || isFull(report)) continue;
    if (unused.includes(key)) tellNote(report, place, `Carryon does nothing with ${key} of ${owner}.`);
    else {
      const hint = kind === "requirement" ? misplaced.get(key) : undefined;
      const problem = `There is no setting ${shorten(key)} in ${owner}; it is left out.`;
      tellProblem(report, place, problem, hint ?? guessKey(key, used));
    }
  }
}

/** Says something that does no harm. */
export function tellNote({ notes }: Report, { file, line }: Place, problem: string): void {
  notes.push({ file, line, problem, hint: "Leave it for other tools, or remove it." });
}

/** What people write for the triggers of a requirement, and what counts instead. */
const instead =
  "Write trigger_tools, such as `trigger_tools: [{tool: Bash, command_pattern: git commit}]`; without it Edit, Write, MultiEdit and NotebookEdit are guarded.";

/** Settings that are looked for where they are not, and what to do about them. */
const misplaced: ReadonlyMap<string, string> = new Map([
  ...["trigger", "triggers", "tool", "tools"].map((key) => [key, instead] as const),
  ...["command_pattern", "pattern", "command"].map(
    (key) =>
      [
        key,
        "It belongs into a trigger: `trigger_tools: [{tool: Bash, command_pattern: git commit}]`; all that trigger_tools names is guarded without it.",
      ] as const,
  ),
]);

/** Returns what somebody may have meant by a key that there is not, as a sentence. */
export function guessKey(key: string, keys: readonly string[]): string {
  const [near] = suggest(key, keys);
  return near === undefined ? `There are: ${keys.join(", ")}.` : `Did you mean ${near}?`;
}

/** Returns the problems that are shown: all, or the first and how many there are. */
export function limitProblems(problems: readonly GateProblem[]): readonly GateProblem[] {
  const [first] = problems;
  if (first === undefined || problems.length <= most) return problems;
  const problem = `There are more than ${most} problems; the others are not listed.`;
  return [...problems.slice(0, most), { file: first.file, line: 1, problem, hint: "Put these right first." }];
}

/** The keys that a map of the configuration may have. */
interface KnownKeys {
  /** Those that mean something here. */
  readonly used: readonly string[];
  /** Those of the framework for which the files were written that mean nothing here. They do no harm. */
  readonly unused: readonly string[];
}

/** Returns keys out of two texts: those that mean something here, and those that do not. */
const keys = (used: string, unused = ""): KnownKeys => ({
  used: used.split(/\s+/),
  unused: unused.split(/\s+/).filter((key) => key !== ""),
});

/** The keys of each map of the configuration, by what the map is. */
export const knownKeys = {
  file: keys("version enabled inherit requirements hooks", "logging console debug budgets workflow"),
  requirement: keys(
    `enabled type scope trigger_tools message blocking_message short_message description checklist satisfied_by_skill
     auto_resolve_skill auto_satisfy stop_only shell_writes calculator thresholds threshold approval_ttl cache_ttl
     calculation_cache_ttl guard_type protected_branches branches`,
    "deprecated deprecated_message default_ttl depends_on evidence adr_path ttl",
  ),
  trigger: keys("tool command_pattern"),
  thresholds: keys("warn block"),
  auto_satisfy: keys("on_skill_complete"),
  hooks: keys(
    "session_start stop session_end shell_writes",
    `agent_teams lazy_dev obsidian permission_request plan_enter plan_exit pre_compact prompt_submit qdrant retrieval
     session_learning subagent_start wip_tracking`,
  ),
  session_start: keys("inject_context carry_over", "injection_mode briefing_format custom_header"),
  carry_over: keys("enabled window_seconds sources"),
  stop: keys("verify_requirements verify_scopes"),
  session_end: keys("clear_session_state"),
} satisfies Record<string, KnownKeys>;

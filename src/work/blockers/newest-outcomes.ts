import { type Blocker, type Detection, severities } from "../blocker.ts";
import { assessResult, type CommandResult } from "./assess-result.ts";
import type { WorkStep } from "./pick-steps.ts";
import { type BlockerSettings, raiseBlocker } from "./raise-blocker.ts";
import { stepKey } from "./step-key.ts";
import { detectInStatus, parseWorkflowStatus } from "./workflow-status.ts";

/** What an agent of a workflow said at its end. */
interface AgentReport {
  readonly agent: string;
  readonly text: string;
}

/** The result of a command or the report of an agent, and when it was recorded. */
export type Outcome = { readonly at: Date } & (CommandResult | AgentReport);

interface Standing {
  readonly detection: Detection;
  readonly at: Date;
  readonly step?: WorkStep;
}

/**
 * Returns the blocker that counts after these outcomes: the heaviest, and of equal ones the newest.
 *
 * The newest outcome of the same command wins. A run of tests that passed also clears narrower runs of the same tests, an
 * install that worked clears the ones before it, and a commit or an aborted merge clears a conflict.
 */
export function newestOutcomes(
  outcomes: readonly Outcome[],
  settings: BlockerSettings = {},
): Blocker | undefined {
  const standing = new Map<string, Standing>();
  const inOrder = outcomes.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  for (const outcome of inOrder) {
    if ("agent" in outcome) followReport(standing, outcome);
    else followResult(standing, outcome, settings);
  }
  const heaviest = [...standing.values()].reduce<Standing | undefined>(
    (best, next) => (best === undefined || isHeavier(next, best) ? next : best),
    undefined,
  );
  return heaviest === undefined ? undefined : raiseBlocker(heaviest.detection, heaviest.at, settings);
}

function followReport(standing: Map<string, Standing>, outcome: AgentReport & { readonly at: Date }): void {
  const key = `agent ${outcome.agent}`;
  // A text without a status says nothing new of the agent.
  if (parseWorkflowStatus(outcome.text) === undefined) return;
  const detection = detectInStatus(outcome.agent, outcome.text);
  standing.delete(key);
  if (detection !== undefined) standing.set(key, { detection, at: outcome.at });
}

function followResult(
  standing: Map<string, Standing>,
  outcome: CommandResult & { readonly at: Date },
  { rules }: BlockerSettings,
): void {
  const { failed, passed } = assessResult(outcome, rules);
  for (const step of passed) clear(standing, step);
  if (failed === undefined) return;
  const { step, detection } = failed;
  const key = stepKey(step);
  clearWhere(standing, (other) => stepKey(other) === key && isSamePlace(other, step));
  standing.set(`${key}\n${step.folder ?? ""}`, { detection, at: outcome.at, step });
}

function clear(standing: Map<string, Standing>, passed: WorkStep): void {
  const key = stepKey(passed);
  const isWider = (other: WorkStep) =>
    passed.kind === "test" && other.kind === "test" && stepKey(other).startsWith(`${key} `);
  clearWhere(standing, (other) => (stepKey(other) === key || isWider(other)) && isSamePlace(other, passed));
}

function clearWhere(standing: Map<string, Standing>, isCleared: (step: WorkStep) => boolean): void {
  for (const [key, { step }] of standing) if (step !== undefined && isCleared(step)) standing.delete(key);
}

/** Two packages of one repository have the same commands, each in a folder of its own. */
function isSamePlace({ folder: one }: WorkStep, { folder: other }: WorkStep): boolean {
  return one === undefined || other === undefined || one === other;
}

function isHeavier(one: Standing, other: Standing): boolean {
  const [weight, least] = [one, other].map(({ detection }) => severities.indexOf(detection.severity));
  return weight === least ? one.at >= other.at : Number(weight) > Number(least);
}

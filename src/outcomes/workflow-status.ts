import { clip } from "../lib/clip.ts";
import type { EntryId } from "../sessions/ids.ts";
import type { CheckRun } from "./find-runs.ts";
import type { Goal } from "./goal.ts";
import { advice } from "./rule.ts";

const states = ["READY", "BLOCKED", "FAILED", "DECISION_NEEDED"] as const;

/** How an agent of a workflow says that it ended. */
export interface WorkflowStatus {
  readonly status: (typeof states)[number];
  readonly context?: string;
  readonly nextHint?: string;
}

const opening = /^[\s>*_`#-]{0,20}\[WORKFLOW_STATUS\][\s*_`]{0,20}$/;
const field = /^[\s>*_-]{0,20}(status|context|next_hint)[*_`]{0,4}:[*_`]{0,4}[ \t]+(\S.*)$/i;
/** A block is short; what follows this many lines later is other text. */
const mostLines = 12;

/** Returns the last `[WORKFLOW_STATUS]` block of an agent's text; one without a known status is none. */
export function parseWorkflowStatus(text: string): WorkflowStatus | undefined {
  const lines = text.split(/\r?\n/);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const status = opening.test(lines[at] ?? "")
      ? readBlock(lines.slice(at + 1, at + 1 + mostLines))
      : undefined;
    if (status !== undefined) return status;
  }
  return undefined;
}

function readBlock(lines: readonly string[]): WorkflowStatus | undefined {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = field.exec(line.slice(0, 2000)) ?? [];
    const isOver = fields.size > 0 && (line.trim() === "" || /^\s*(?:```|\[\/?WORKFLOW_STATUS\])/.test(line));
    if (isOver) break;
    if (name !== undefined && value !== undefined)
      fields.set(name.toLowerCase(), value.replace(/[*_`\s]+$/, ""));
  }
  const word = fields.get("status")?.replace(/^[*_`]+/, "");
  const status = states.find((state) => state === word?.toUpperCase());
  const [context, nextHint] = [fields.get("context"), fields.get("next_hint")];
  if (status === undefined) return undefined;
  return { status, ...(context && { context }), ...(nextHint && { nextHint }) };
}

/** What a subagent said at its end. */
export interface AgentReport {
  readonly agent: string;
  readonly text: string;
  readonly at: Date;
  readonly entry: EntryId;
  /** The entry's place in its session, if known. */
  readonly seq?: number;
}

/** Returns an agent's report as the run of a check; a text without a status says nothing new of the agent. */
export function readReport({ agent, text, at, entry, seq = 0 }: AgentReport): readonly CheckRun[] {
  const told = parseWorkflowStatus(text);
  if (told === undefined) return [];
  const command = `agent ${clip(agent, 60)}`;
  const base = {
    ...{ command, at: at.getTime(), entry, seq, isWide: true },
    scope: { tool: command, isRunner: true, targets: [], names: [] },
  } as const;
  if (told.status === "READY")
    return [{ ...base, goal: "review", ranFor: undefined, passed: true, line: "READY" }];
  const goal = told.status === "DECISION_NEEDED" ? "decision" : goalOfAgent(agent);
  const line = `The agent ${clip(agent, 60)} ended ${told.status}: ${clip(told.context ?? "no reason given", 200)}`;
  const resolution = told.nextHint === undefined ? advice.decision : clip(told.nextHint, 300);
  // An agent that may do anything has found something against the work, as a reviewer does.
  const failure = { tool: "agent", goal: goal ?? "review", resolution };
  return [{ ...base, goal: failure.goal, ranFor: goal, passed: false, line, failure }];
}

const wordsOf: Readonly<Partial<Record<Goal, RegExp>>> = {
  review: /^review(?:er)?s?$/,
  build: /^(?:build(?:er)?|compiler)$/,
  test: /^(?:tests?|tester|testing|qa)$/,
  ci: /^(?:ci|devops|deployer|release)$/,
};

/** Returns the goal of an agent by its name; undefined for one that may do anything. */
function goalOfAgent(agent: string): Goal | undefined {
  // A plugin's agents are called `plugin:agent`.
  const words = agent.toLowerCase().replace(/^.*:/, "").split(/[-_]/);
  const goals = Object.keys(wordsOf) as Goal[];
  return goals.find((goal) => words.some((word) => wordsOf[goal]?.test(word)));
}

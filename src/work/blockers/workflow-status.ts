import { type BlockerType, type Detection, severityOf } from "../blocker.ts";
import { cut } from "./describe-detection.ts";

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
  const status = states.find(
    (state) =>
      state ===
      fields
        .get("status")
        ?.replace(/^[*_`]+/, "")
        .toUpperCase(),
  );
  const [context, nextHint] = [fields.get("context"), fields.get("next_hint")];
  if (status === undefined) return undefined;
  return {
    status,
    ...(context === undefined ? {} : { context }),
    ...(nextHint === undefined ? {} : { nextHint }),
  };
}

/** Returns the type of blocker that an agent's status stands for; READY stands for none. */
export function blockerTypeOf(agent: string, status: WorkflowStatus["status"]): BlockerType | undefined {
  if (status === "READY") return undefined;
  if (status === "DECISION_NEEDED") return "decision_required";
  // A plugin's agents are called `plugin:agent`.
  const name = agent.toLowerCase().replace(/^.*:/, "");
  if (name === "cpp-builder") return "build_error";
  if (name === "tester") return "test_failure";
  if (name === "devops") return "ci_failure";
  return /(?:^|[-_])review(?:er|ers)?(?:$|[-_])/.test(name) ? "review_blocked" : "other";
}

/** Returns the blocker that an agent's text tells of, if its status block does. */
export function detectInStatus(agent: string, text: string): Detection | undefined {
  const told = parseWorkflowStatus(text);
  const type = told === undefined ? undefined : blockerTypeOf(agent, told.status);
  if (told === undefined || type === undefined) return undefined;
  const context = cut(told.context ?? "no reason given", 200);
  return {
    type,
    severity: severityOf(type),
    description: `The agent ${cut(agent, 60)} ended ${told.status}: ${context}`,
    errorPattern: `status: ${told.status}`,
    resolution:
      told.nextHint === undefined
        ? "Read the agent's report and settle what it names."
        : cut(told.nextHint, 300),
    tool: "agent",
  };
}

import { z } from "zod";
import { isDeeperThan } from "../../lib/is-deeper-than.ts";
import { parseIfJson } from "../../lib/parse-if-json.ts";
import { type Blocker, blockerTypes, severities } from "../blockers/blocker.ts";
import { changeStatuses, percentOf, saveModes, type WorkState } from "./work-state.ts";

/** A field that is not what it should be. */
export interface FieldProblem {
  /** Its path, such as `blocker.type`; "" for the whole file. */
  readonly field: string;
  readonly problem: string;
}

/** What was read from session-state.json: a state, or all that is wrong with it. */
export type ParsedState =
  | {
      readonly type: "state";
      readonly state: WorkState;
      /** The fields that this version does not know, as they were. */
      readonly unknown: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "broken"; readonly problems: readonly FieldProblem[] };

/** The version of the file that is written. */
export const stateVersion = 1;

const deepest = 32;

// A date alone would be read as UTC and a time without an offset as local; only times count here.
const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text));

const moment = z
  .string()
  .refine(isMoment, "is not a time in ISO 8601")
  .transform((text) => new Date(text));

const largestCount = 1_000_000;
const count = z.number().int().min(0).max(largestCount);

const blockerSchema = z
  .object({
    type: z.enum(blockerTypes),
    severity: z.enum(severities),
    description: z.string().optional(),
    message: z.string().optional(),
    error_pattern: z.string().nullish(),
    resolution: z.string().nullish(),
    appeared_after: z.string().nullish(),
    detected_at: moment,
    auto_detected: z.boolean().default(false),
    recovery_agent: z.string().nullish(),
    recovery_attempted: count.default(0),
    max_recovery_attempts: count.default(3),
  })
  .refine(({ description, message }) => (description ?? message ?? "") !== "", {
    message: "is missing",
    path: ["description"],
  })
  .transform(
    (wire): Blocker => ({
      type: wire.type,
      severity: wire.severity,
      description: wire.description ?? wire.message ?? "",
      ...(wire.error_pattern && { errorPattern: wire.error_pattern }),
      ...(wire.resolution && { resolution: wire.resolution }),
      ...(wire.appeared_after && { appearedAfter: wire.appeared_after }),
      detectedAt: wire.detected_at,
      isAutoDetected: wire.auto_detected,
      ...(wire.recovery_agent && { recoveryAgent: wire.recovery_agent }),
      recoveryAttempted: wire.recovery_attempted,
      maxRecoveryAttempts: wire.max_recovery_attempts,
    }),
  );

const tasks = z.array(z.string());

const savedFile = z
  .object({ path: z.string(), sha256: z.string().nullable(), left_out: z.string().nullish() })
  .transform(({ path, sha256, left_out }) => ({ path, sha256, ...(left_out && { leftOut: left_out }) }));

const stateSchema = z.looseObject({
  version: z.literal(stateVersion).default(stateVersion),
  mode: z.enum(saveModes),
  saved_at: moment,
  git_branch: z.string().nullable(),
  git_commit: z.string().nullable(),
  git_pushed: z.boolean().default(false),
  openspec: z.string().nullable(),
  openspec_status: z.enum(changeStatuses).nullable(),
  working_on: z.string(),
  next_steps: tasks,
  blocker: blockerSchema.nullable(),
  completed_tasks: tasks,
  pending_tasks: tasks,
  task_progress: z.object({ completed: count, total: count, percentage: z.number() }).optional(),
  session: z.string().nullish(),
  blocker_resolved_at: moment.nullish(),
  modified_files: z.array(savedFile).default([]),
});

const known: ReadonlySet<string> = new Set(Object.keys(stateSchema.shape));

/** Reads session-state.json and checks its integrity: fields, times, progress, blocker. Names all that is wrong. */
export function parseWorkState(text: string): ParsedState {
  const value = parseIfJson(text);
  if (value === undefined)
    return broken("", text.trim() === "" ? "is empty" : "is not JSON, or only the beginning of it");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return broken("", "is not an object");
  if (isDeeperThan(value, deepest)) return broken("", `is nested deeper than ${deepest} levels`);
  const { version } = value as { readonly version?: unknown };
  if (typeof version === "number" && version > stateVersion)
    return broken("version", `is ${version}, which a newer Carryon wrote`);
  const parsed = stateSchema.safeParse(value);
  if (!parsed.success)
    return { type: "broken", problems: parsed.error.issues.map((issue) => describeIssue(issue, value)) };
  const wire = parsed.data;
  const problems = checkProgress(wire);
  if (problems.length > 0) return { type: "broken", problems };
  return {
    type: "state",
    state: {
      mode: wire.mode,
      savedAt: wire.saved_at,
      branch: wire.git_branch,
      commit: wire.git_commit,
      isPushed: wire.git_pushed,
      change: wire.openspec,
      changeStatus: wire.openspec_status,
      workingOn: wire.working_on,
      nextSteps: wire.next_steps,
      blocker: wire.blocker,
      completed: wire.completed_tasks,
      pending: wire.pending_tasks,
      session: wire.session ?? null,
      blockerResolvedAt: wire.blocker_resolved_at ?? null,
      modifiedFiles: wire.modified_files,
    },
    unknown: Object.fromEntries(Object.entries(value).filter(([name]) => !known.has(name))),
  };
}

/** Says in what the numbers of the progress do not fit the tasks. */
function checkProgress({
  task_progress: progress,
  completed_tasks,
  pending_tasks,
}: z.output<typeof stateSchema>): readonly FieldProblem[] {
  if (progress === undefined) return [];
  const { completed, total, percentage } = progress;
  const [done, all] = [completed_tasks.length, completed_tasks.length + pending_tasks.length];
  const percent = percentOf(completed, total);
  const checks: readonly (readonly [isFine: boolean, field: string, problem: string])[] = [
    [completed === done, "completed", `is ${completed}, but completed_tasks has ${done}`],
    [total === all, "total", `is ${total}, but there are ${all} tasks`],
    [Math.abs(percentage - percent) <= 1, "percentage", `is ${percentage}, but ${percent} is right`],
  ];
  return checks.flatMap(([isFine, field, problem]) =>
    isFine ? [] : [{ field: `task_progress.${field}`, problem }],
  );
}

function broken(field: string, problem: string): ParsedState {
  return { type: "broken", problems: [{ field, problem }] };
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): FieldProblem {
  const field = issue.path.map(String).join(".");
  const found = issue.path.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown>)[key],
    value,
  );
  if (found === undefined) return { field, problem: "is missing" };
  if (issue.code === "invalid_value") return { field, problem: `is not one of ${issue.values.join(", ")}` };
  // A number with a fraction is of the wrong type for the validator.
  if (issue.code === "invalid_type" && issue.expected !== "int")
    return { field, problem: `is not of type ${issue.expected}` };
  if (issue.code === "custom") return { field, problem: issue.message };
  return { field, problem: `is not a whole number from 0 to ${largestCount}` };
}

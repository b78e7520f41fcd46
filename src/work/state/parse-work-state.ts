import {
  converted,
  count,
  type FieldProblem,
  type Fields,
  flag,
  ifGiven,
  isObject,
  listOf,
  number,
  oneOf,
  orElse,
  orNull,
  type Reader,
  readFields,
  record,
  refined,
  text,
} from "../../lib/field-readers.ts";
import { isDeeperThan, parseIfJson } from "../../lib/json.ts";
import { type Blocker, blockerTypes, severities } from "../blocker.ts";
import { changeStatuses, percentOf, saveModes, type WorkState } from "../work-state.ts";

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

// A date alone would be read as UTC and a time without an offset as local; only times count here.
const isMoment = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads a moment of a state. */
const moment: Reader<Date> = converted(
  refined(text, isMoment, "is not a time in ISO 8601"),
  (value) => new Date(value),
);

/** Reads a number of tasks or attempts. */
const counter: Reader<number> = count(1_000_000);

const blockerShape = {
  type: oneOf(blockerTypes),
  severity: oneOf(severities),
  description: refined(text, (words) => words !== "", "is missing"),
  message: orElse(text, undefined),
  error_pattern: ifGiven(text),
  resolution: ifGiven(text),
  appeared_after: ifGiven(text),
  detected_at: moment,
  auto_detected: orElse(flag, false),
  recovery_agent: ifGiven(text),
  recovery_attempted: orElse(counter, 0),
  recovery_command: ifGiven(text),
  max_recovery_attempts: orElse(counter, 3),
  not_run_again: orElse(flag, false),
};

const fields = converted(record(blockerShape), toBlocker);

/** Reads a blocker as the file and the log have it. */
export const readBlocker: Reader<Blocker> = (value, place) => fields(describe(value), place);

/** A description has another name, which is read where the first is not there. */
function describe(value: unknown): unknown {
  if (!isObject(value) || value.description !== undefined || typeof value.message !== "string") return value;
  return { ...value, description: value.message };
}

function toBlocker(wire: Fields<typeof blockerShape>): Blocker {
  return {
    type: wire.type,
    severity: wire.severity,
    description: wire.description,
    ...(wire.error_pattern && { errorPattern: wire.error_pattern }),
    ...(wire.resolution && { resolution: wire.resolution }),
    ...(wire.appeared_after && { appearedAfter: wire.appeared_after }),
    detectedAt: wire.detected_at,
    isAutoDetected: wire.auto_detected,
    ...(wire.recovery_agent && { recoveryAgent: wire.recovery_agent }),
    recoveryAttempted: wire.recovery_attempted,
    ...(wire.recovery_command && { recoveryCommand: wire.recovery_command }),
    maxRecoveryAttempts: wire.max_recovery_attempts,
    ...(wire.not_run_again && { isStale: true }),
  };
}

const deepest = 32;

const tasks = listOf(text);

const savedFile = converted(
  record({ path: text, sha256: orNull(text), left_out: ifGiven(text) }),
  ({ path, sha256, left_out }) => ({ path, sha256, ...(left_out && { leftOut: left_out }) }),
);

const shape = {
  version: orElse(oneOf([stateVersion]), stateVersion),
  mode: oneOf(saveModes),
  saved_at: moment,
  git_branch: orNull(text),
  git_commit: orNull(text),
  git_pushed: orElse(flag, false),
  commit_refused: ifGiven(text),
  openspec: orNull(text),
  openspec_status: orNull(oneOf(changeStatuses)),
  working_on: text,
  next_steps: tasks,
  blocker: orNull(readBlocker),
  completed_tasks: tasks,
  pending_tasks: tasks,
  task_progress: orElse(record({ completed: counter, total: counter, percentage: number }), undefined),
  session: ifGiven(text),
  tasks_told_at: ifGiven(moment),
  blocker_resolved_at: ifGiven(moment),
  modified_files: orElse(listOf(savedFile), []),
};

type WireState = Fields<typeof shape>;

const stateFields = record(shape);

/** Reads session-state.json and checks its integrity: fields, times, progress, blocker. Names all that is wrong. */
export function parseWorkState(content: string): ParsedState {
  const value = parseIfJson(content);
  if (value === undefined)
    return broken("", content.trim() === "" ? "is empty" : "is not JSON, or only the beginning of it");
  if (!isObject(value)) return broken("", "is not an object");
  if (isDeeperThan(value, deepest)) return broken("", `is nested deeper than ${deepest} levels`);
  const { version } = value;
  if (typeof version === "number" && version > stateVersion)
    return broken("version", `is ${version}, which a newer Carryon wrote`);
  const read = readFields(stateFields, value);
  if (read.type === "broken") return read;
  const problems = checkProgress(read.value);
  if (problems.length > 0) return { type: "broken", problems };
  const unknown = Object.entries(value).filter(([name]) => !Object.hasOwn(shape, name));
  return { type: "state", state: toState(read.value), unknown: Object.fromEntries(unknown) };
}

function toState(wire: WireState): WorkState {
  return {
    mode: wire.mode,
    savedAt: wire.saved_at,
    branch: wire.git_branch,
    commit: wire.git_commit,
    ...(wire.commit_refused !== null && { refusedCommit: wire.commit_refused }),
    isPushed: wire.git_pushed,
    change: wire.openspec,
    changeStatus: wire.openspec_status,
    workingOn: wire.working_on,
    nextSteps: wire.next_steps,
    blocker: wire.blocker,
    completed: wire.completed_tasks,
    pending: wire.pending_tasks,
    tasksToldAt: wire.tasks_told_at,
    session: wire.session,
    blockerResolvedAt: wire.blocker_resolved_at,
    modifiedFiles: wire.modified_files,
  };
}

/** Says in what the numbers of the progress do not fit the tasks. */
function checkProgress(wire: WireState): readonly FieldProblem[] {
  if (wire.task_progress === undefined) return [];
  const { completed, total, percentage } = wire.task_progress;
  const [done, all] = [wire.completed_tasks.length, wire.completed_tasks.length + wire.pending_tasks.length];
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

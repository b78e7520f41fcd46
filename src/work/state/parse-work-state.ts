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
import { type Blocker, blockerTypes, severities, severityOf } from "../blocker.ts";
import { changeStatuses, percentOf, saveModes, type TaskCount, type WorkState } from "../work-state.ts";

/** What was read from session-state.json: a state, or all that is wrong with it. */
export type ParsedState =
  | {
      readonly type: "state";
      readonly state: WorkState;
      /** The fields that this version does not know, as they were. */
      readonly unknown: Readonly<Record<string, unknown>>;
      /** What does not add up, or is not known to this version; the state can be used all the same. */
      readonly warnings: readonly FieldProblem[];
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
  type: text,
  severity: text,
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
  const type = blockerTypes.find((known) => known === wire.type);
  const severity = severities.find((known) => known === wire.severity);
  const foreign = {
    ...(type === undefined && { type: wire.type }),
    ...(severity === undefined && { severity: wire.severity }),
  };
  return {
    type: type ?? "other",
    severity: severity ?? severityOf(type ?? "other"),
    ...(Object.keys(foreign).length > 0 && { foreign }),
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
  mode: text,
  saved_at: moment,
  git_branch: orNull(text),
  git_commit: orNull(text),
  git_pushed: orElse(flag, false),
  commit_refused: ifGiven(text),
  openspec: orNull(text),
  openspec_status: orNull(text),
  working_on: text,
  next_steps: tasks,
  blocker: orNull(readBlocker),
  completed_tasks: tasks,
  pending_tasks: tasks,
  task_progress: orElse(record({ completed: counter, total: counter, percentage: number }), undefined),
  session: ifGiven(text),
  modified_files: orElse(listOf(savedFile), []),
};

/** What 0.1.0 wrote into the file and the log notes now: they are dropped when the file is written again. */
const retired = ["tasks_told_at", "blocker_resolved_at"];

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
  const known = [...Object.keys(shape), ...retired];
  const unknown = Object.fromEntries(Object.entries(value).filter(([name]) => !known.includes(name)));
  return { type: "state", state: toState(read.value), unknown, warnings: findWarnings(read.value) };
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
    unlisted: countUnlisted(wire),
    session: wire.session,
    modifiedFiles: wire.modified_files,
  };
}

/** Returns the difference between `task_progress` and the lists of tasks; undefined where there is none. */
function countUnlisted(wire: WireState): TaskCount | undefined {
  if (wire.task_progress === undefined) return undefined;
  const listed = wire.completed_tasks.length;
  const completed = wire.task_progress.completed - listed;
  const total = wire.task_progress.total - listed - wire.pending_tasks.length;
  return completed === 0 && total === 0 ? undefined : { completed, total };
}

/** Names what does not add up in a state, and the values that this version does not know. */
function findWarnings(wire: WireState): readonly FieldProblem[] {
  const { mode, openspec_status: status, blocker } = wire;
  const foreign = blocker?.foreign ?? {};
  const values: readonly (readonly [
    field: string,
    value: string | null | undefined,
    known: readonly string[],
  ])[] = [
    ["mode", mode, saveModes],
    ["openspec_status", status, changeStatuses],
    ["blocker.type", foreign.type, blockerTypes],
    ["blocker.severity", foreign.severity, severities],
  ];
  const unknown = values.flatMap(([field, value, known]) =>
    value == null || known.includes(value)
      ? []
      : [{ field, problem: `is ${value}, not one of ${known.join(", ")}` }],
  );
  return [...unknown, ...checkProgress(wire)];
}

/** Names the numbers of the progress that do not fit the lists of tasks, or each other. */
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

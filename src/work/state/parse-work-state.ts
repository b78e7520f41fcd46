import {
  converted,
  count,
  type FieldProblem,
  type Fields,
  flag,
  ifGiven,
  isObject,
  listOf,
  named,
  number,
  oneOf,
  orElse,
  orNull,
  orWarn,
  type Reader,
  readFields,
  record,
  refined,
  text,
} from "../../lib/field-readers.ts";
import { isDeeperThan, parseIfJson } from "../../lib/json.ts";
import { type Blocker, blockerTypes, severities, severityOf } from "../blocker.ts";
import {
  changeStatuses,
  percentOf,
  saveModes,
  type TaskCount,
  unnamedWork,
  type WorkState,
} from "../work-state.ts";

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

/** Reads a moment of a state; without an offset it is local time. */
const moment: Reader<Date> = refined(
  converted(text, toDate),
  (date) => !Number.isNaN(date.getTime()),
  "is not a time in ISO 8601",
);

/** `Date` would guess at other forms, and take a day alone for one of UTC. */
function toDate(value: string): Date {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return new Date(`${value}T00:00`);
  return new Date(/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value) ? value : "");
}

/** Reads a number of tasks or attempts. */
const counter: Reader<number> = count(1_000_000);

/** Reads a field that a person need not write. What it says of another form is passed over, with a warning. */
function optional<Value, Other>(reader: Reader<Value>, other: Other): Reader<Value | Other> {
  return orElse(orWarn(reader, other), other);
}

const blockerShape = {
  type: orWarn(named(blockerTypes), "other"),
  severity: orElse(named(severities), undefined),
  description: refined(text, (words) => words !== "", "is missing"),
  message: orElse(text, undefined),
  error_pattern: ifGiven(text),
  resolution: ifGiven(text),
  appeared_after: ifGiven(text),
  detected_at: moment,
  auto_detected: optional(flag, false),
  recovery_agent: ifGiven(text),
  recovery_attempted: optional(counter, 0),
  max_recovery_attempts: optional(counter, 3),
  not_run_again: optional(flag, false),
};

const blockerFields = record(blockerShape);

/** Reads a blocker as the file and the log have it. */
export const readBlocker: Reader<Blocker> = (value, place) => {
  const given = describe(value);
  return converted(blockerFields, (wire) => toBlocker(wire, omitKnown(given, blockerShape)))(given, place);
};

/** A description has another name, which is read where the first is not there; words alone are a description. */
function describe(value: unknown): unknown {
  if (typeof value === "string") return { type: "other", description: value };
  if (!isObject(value) || value.description !== undefined || typeof value.message !== "string") return value;
  return { ...value, description: value.message };
}

function toBlocker(wire: Fields<typeof blockerShape>, unknown: Readonly<Record<string, unknown>>): Blocker {
  const type = blockerTypes.find((known) => known === wire.type);
  const severity = severities.find((known) => known === wire.severity);
  const foreign = {
    ...(type === undefined && { type: wire.type }),
    ...(severity === undefined && wire.severity !== undefined && { severity: wire.severity }),
    ...unknown,
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
    maxRecoveryAttempts: wire.max_recovery_attempts,
    ...(wire.not_run_again && { isStale: true }),
  };
}

const deepest = 32;

/** Reads a task. A number or an object becomes a text, with a warning. */
const task: Reader<string> = (value, place) => {
  if (typeof value !== "number" && !isObject(value)) return text(value, place);
  const titles = isObject(value) ? [value.title, value.text, value.name] : [];
  const read = titles.find((title) => typeof title === "string") ?? JSON.stringify(value);
  place.warnings.push({ field: place.field, problem: `is not of type string, and is read as ${read}` });
  return read;
};

const texts = listOf(task);

/** Reads a list of tasks. Where there is none, nothing is lost, and words alone are one task: each with a warning. */
const tasks: Reader<readonly string[]> = (value, place) => {
  if (typeof value === "string") return orWarn(texts, [value])(value, place);
  return (value ?? undefined) === undefined ? orWarn(texts, [])(value, place) : texts(value, place);
};

const savedFile = converted(
  record({ path: text, sha256: orNull(text), left_out: ifGiven(text) }),
  ({ path, sha256, left_out }) => ({ path, sha256, ...(left_out && { leftOut: left_out }) }),
);

/** Only a state whose work would be lost or mistaken is refused: what is missing is told, and does without. */
const shape = {
  version: optional(oneOf([stateVersion]), stateVersion),
  mode: orWarn(named(saveModes), "quick"),
  saved_at: moment,
  git_branch: orWarn(orNull(text), null),
  git_commit: orWarn(orNull(text), undefined),
  git_pushed: optional(flag, false),
  commit_refused: optional(orNull(text), null),
  openspec: orWarn(orNull(text), null),
  openspec_status: orWarn(orNull(named(changeStatuses)), null),
  working_on: orWarn(text, unnamedWork),
  next_steps: tasks,
  blocker: orElse(orNull(readBlocker), null),
  completed_tasks: tasks,
  pending_tasks: tasks,
  task_progress: optional(
    record({ completed: counter, total: counter, percentage: optional(number, undefined) }),
    undefined,
  ),
  session: optional(orNull(text), null),
  modified_files: optional(listOf(savedFile), []),
};

/** What 0.1.0 wrote into the file and the log notes now: they are dropped when the file is written again. */
const retired = ["tasks_told_at", "blocker_resolved_at", "recovery_command"];

type WireState = Fields<typeof shape>;

const stateFields = record(shape);

/** Returns the fields that this version does not know. */
function omitKnown(value: unknown, known: object): Readonly<Record<string, unknown>> {
  const names = [...Object.keys(known), ...retired];
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !names.includes(name)));
}

/** Reads session-state.json. Names all that cannot be used, or what does not add up. */
export function parseWorkState(content: string): ParsedState {
  const value = parseIfJson(content);
  if (value === undefined)
    return broken("", content.trim() === "" ? "is empty" : "is not JSON, or only the beginning of it");
  if (!isObject(value)) return broken("", "is not an object");
  if (isDeeperThan(value, deepest)) return broken("", `is nested deeper than ${deepest} levels`);
  const { version, blocker, saved_at } = value;
  if (typeof version === "number" && version > stateVersion)
    return broken("version", `is ${version}, which a newer Carryon wrote`);
  const known = describe(blocker);
  const dated = isObject(known) ? { detected_at: saved_at, ...known } : known;
  const read = readFields(stateFields, { ...value, blocker: dated });
  if (read.type === "broken") return read;
  const warnings = [...read.warnings, ...checkProgress(read.value)];
  return { type: "state", state: toState(read.value), unknown: omitKnown(value, shape), warnings };
}

function toState(wire: WireState): WorkState {
  return {
    mode: wire.mode,
    savedAt: wire.saved_at,
    branch: wire.git_branch,
    commit: wire.git_commit ?? null,
    ...(wire.git_commit === undefined && { isCommitUnknown: true }),
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

/** Names the numbers of the progress that do not fit the lists of tasks, or each other. */
function checkProgress(wire: WireState): readonly FieldProblem[] {
  if (wire.task_progress === undefined) return [];
  const { completed, total, percentage } = wire.task_progress;
  const [done, all] = [wire.completed_tasks.length, wire.completed_tasks.length + wire.pending_tasks.length];
  const percent = percentOf(completed, total);
  const checks: readonly (readonly [isFine: boolean, field: string, problem: string])[] = [
    [completed === done, "completed", `is ${completed}, but completed_tasks has ${done}`],
    [total === all, "total", `is ${total}, but there are ${all} tasks`],
    [
      Math.abs((percentage ?? percent) - percent) <= 1,
      "percentage",
      `is ${percentage}, but ${percent} is right`,
    ],
  ];
  return checks.flatMap(([isFine, field, problem]) =>
    isFine ? [] : [{ field: `task_progress.${field}`, problem }],
  );
}

function broken(field: string, problem: string): ParsedState {
  return { type: "broken", problems: [{ field, problem }] };
}

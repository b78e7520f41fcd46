import { describeAge } from "../lib/duration.ts";
import { present } from "../lib/present.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Look } from "../lib/style.ts";
import type { EntryId } from "../sessions/ids.ts";
import type { Caller } from "../workspace/workspace.ts";
import { describeRecovery, quoteRecovery } from "./describe-recovery.ts";
import type { Loaded, LoadedWork } from "./load.ts";
import {
  describeChange,
  renderBlocker,
  renderFact,
  renderForeign,
  renderProgress,
  renderRefused,
  renderSkipped,
} from "./render-work.ts";
import { toWireBlocker, toWireState } from "./render-work-state.ts";
import type { ResumedWork } from "./resume.ts";
import type { Returned } from "./return-to-branch.ts";
import type { CheckpointElsewhere } from "./work-record.ts";

/** How much of an id is enough to name a checkpoint: its end, because the beginning is the time. */
const shownId = 12;

/** Returns as much of the id of a checkpoint as names it. */
export function shortenCheckpoint(id: EntryId): string {
  return id.slice(-shownId);
}

const howToSay = "say what comes next with `carryon save --next`";

/** Renders what was saved and what has changed since; the blocker comes first. */
export function renderLoad(context: Look & Pick<Caller, "clock">, loaded: LoadedWork): string {
  const { state, validation, tasks } = loaded;
  const fact = (name: string, text: string) => renderFact(context, name, text);
  const branch = state.branch ?? (state.commit === null ? undefined : "(detached)");
  const at = state.commit === null ? "" : ` at ${state.commit}`;
  const next = loaded.step ?? loaded.recordedNext ?? `${describeNone(loaded)}: ${howToSay}`;
  const dim = (name: string, text: string) =>
    renderFact(context, name, toPrintableLine(text), context.style.dim);
  return present([
    !loaded.isOwn && renderForeign(context),
    loaded.blocker !== null && renderBlocker(context, loaded.blocker),
    fact("Work", toPrintableLine(state.workingOn)),
    fact("Saved", `${describeAge(state.savedAt, context.clock.now())}, ${state.mode}`),
    branch !== undefined && fact("Branch", toPrintableLine(`${branch}${at}`)),
    ...renderRefused(context, state),
    ...loaded.warnings.map(({ field, problem }, index) =>
      dim(index === 0 ? "Note" : "", `${field} ${problem}`),
    ),
    renderProgress(context, tasks.tasks, describeChange(state)),
    renderSkipped(context, tasks.tasks),
    ...validation.flatMap(({ code, message, action }, index) => [
      fact(index === 0 ? "Now" : "", `${code}: ${toPrintableLine(message)}`),
      code !== "ALL_VALID" && dim("", action),
    ]),
    fact("Next", toPrintableLine(next)),
    loaded.later && fact("Later", describeLater(loaded.later, context.clock.now())),
  ]).join("");
}

/** Says what somebody else saved since; it is theirs, and nothing is done about it unless it is asked for. */
function describeLater({ id, machine, state }: CheckpointElsewhere, now: Date): string {
  const what = `${machine} saved ${describeAge(state.savedAt, now)}: ${state.workingOn}`;
  return `${toPrintableLine(what)} (\`carryon load --restore ${shortenCheckpoint(id)}\` takes it)`;
}

/** Says what to go on with: what the state says, else what the recorded sessions call for. */
export function describeNext({ step, recordedNext }: LoadedWork): string | undefined {
  return step === undefined ? recordedNext : `Go on with: ${step}`;
}

function describeNone({ tasks: { tasks } }: LoadedWork): string {
  return tasks.completed.length > 0 ? "no task is left" : "no next step is known";
}

/** Renders what a resume did before the state that it came to, and the one thing to do next. */
export function describeResumed(resumed: ResumedWork): {
  readonly done: readonly string[];
  readonly quoted: readonly string[];
  readonly advice: string;
} {
  const { recovery, returned, loaded } = resumed;
  return {
    done: [...describeRecovery(recovery), ...describeReturned(returned)],
    quoted: quoteRecovery(recovery),
    advice: describeWrongPlace(resumed) ?? describeAdvice(loaded),
  };
}

/** Says what comes before the task where the work tree could not go back; undefined where it is in its place. */
function describeWrongPlace({ returned, loaded }: ResumedWork): string | undefined {
  const isWrong = loaded.validation.some(({ code }) => code === "BRANCH_MISMATCH");
  if (!isWrong || returned?.type !== "left-alone") return undefined;
  return `This is the wrong branch, and the task waits. ${toPrintableLine(returned.advice)}`;
}

/** Says what to do, for whoever cannot be asked. */
export function describeAdvice(loaded: LoadedWork): string {
  if (loaded.blocker !== null && !loaded.blocker.isStale)
    return "Resolve the blocker before anything else; then `carryon blocker resolve`.";
  return toPrintableLine(describeNext(loaded) ?? `Ask what comes next: ${describeNone(loaded)}.`);
}

/** Says what was done in git. */
export function describeReturned(returned: Returned | undefined): readonly string[] {
  if (returned === undefined) return [];
  if (returned.type === "left-alone")
    return [toPrintableLine(`The work tree is left as it is: ${returned.reason}.`)];
  const { forwarded, hindrance } = returned;
  const stayed =
    hindrance === undefined
      ? []
      : [toPrintableLine(`The branch did not go forward to its upstream. Git says: ${hindrance}`)];
  if (returned.type === "there")
    return forwarded === 0 ? stayed : [`The branch went forward by ${forwarded} to its upstream.`];
  const further = forwarded === 0 ? "" : `, and went forward by ${forwarded} to its upstream`;
  return [toPrintableLine(`Switched to ${returned.branch}${further}.`), ...stayed];
}

/** Returns what was loaded in its JSON form: docs/formats/cli-json.md. */
export function toLoadJson(loaded: Loaded, resumed?: ResumedWork) {
  if (loaded.type !== "loaded")
    return {
      state: null,
      integrity: { ok: false, errors: loaded.type === "broken" ? loaded.problems : [missing] },
      validation: [],
      next_task: null,
      blocker: null,
      checkpoint: loaded.checkpoint === undefined ? null : toWireState(loaded.checkpoint),
      machine: loaded.machine ?? null,
    };
  const { state, warnings, blocker, validation, next, later } = loaded;
  return {
    state: toWireState(state),
    integrity: { ok: true, errors: [], warnings },
    origin: loaded.isOwn ? "own" : "outside",
    validation,
    next_task: next ?? null,
    blocker: blocker && toWireBlocker(blocker),
    later: later === undefined ? null : toLaterJson(later),
    ...(resumed !== undefined && {
      recovery: { type: resumed.recovery.type, said: describeRecovery(resumed.recovery) },
      git: resumed.returned ?? null,
    }),
  };
}

function toLaterJson({ id, machine, state }: CheckpointElsewhere) {
  return { id, machine, saved_at: state.savedAt.toISOString(), working_on: state.workingOn };
}

const missing = { field: "", problem: "there is no state" };

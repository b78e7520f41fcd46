import { basename } from "node:path";
import type { GateStatus } from "../gates/inspect-gate-files.ts";
import { describeWaiting } from "../handover/wait-for-trust.ts";
import { plural } from "../lib/describe.ts";
import { describeAge } from "../lib/duration.ts";
import { present } from "../lib/present.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Look } from "../lib/style.ts";
import { padEnd, wrapLine } from "../lib/terminal-text.ts";
import type { Status, WorkStatus } from "../lifecycle/read-status.ts";
import { continueCommand } from "../memory/workstreams.ts";
import { describeNotRecorded } from "../recording/not-recorded.ts";
import type { JsonObject } from "../sessions/entry.ts";
import type { Session } from "../sessions/session.ts";
import { describeRemote, toRemoteJson } from "../share/remote-status.ts";
import {
  renderBlocker,
  renderFact,
  renderForeign,
  renderProgress,
  renderRefused,
} from "../work/render-work.ts";
import { toWireBlocker, toWireState } from "../work/render-work-state.ts";
import type { WorkState } from "../work/work-state.ts";
import type { CommandContext } from "./command-context.ts";
import type { Example } from "./define-command.ts";
import { toGateJson } from "./gate/to-gate-json.ts";
import { namesOf, renderWorkstreams, toWorkstreamJson } from "./render-workstreams.ts";
import { toSessionJson } from "./session-json.ts";
import { renderSessions } from "./session-table.ts";

/** Returns the status in its JSON form: docs/formats/cli-json.md. */
export function toStatusJson(status: Status): JsonObject {
  const { name, root, branch, store, sessions, work, gates, waiting, remote, deletions, notRecorded } =
    status;
  return {
    project: { name, root },
    branch,
    store: { path: store.path, exists: store.exists },
    sessions: sessions.map(toSessionJson),
    workstreams: status.workstreams.map(toWorkstreamJson),
    ...toWorkStatusJson(work),
    waits_for_trust: waiting,
    not_recorded: notRecorded ?? null,
    ...(remote && { remote: toRemoteJson(remote) }),
    deleted_elsewhere: deletions
      .filter(({ kept }) => kept === "here")
      .map(({ session, at, store }) => ({ session, at: at.toISOString(), store })),
    gates: gates === undefined ? null : toGateJson(gates),
  };
}

/** Renders the status for a person: the work that is open, where they are, what was deleted elsewhere, the last sessions, and what to do next. */
export function renderStatus(
  status: Status,
  context: CommandContext,
  deletions: readonly string[] = [],
): string {
  const { style } = context;
  const fact = (name: string, text: string) => renderFact(context, name, text);
  const branch = status.branch === null ? "" : ` on ${toPrintableLine(status.branch)}`;
  return present([
    renderWorkstreams(status.workstreams, context, status.branch),
    fact("Project", `${toPrintableLine(status.name)}${branch}`),
    fact("Folder", toPrintableLine(status.root)),
    fact("Store", `${toPrintableLine(status.store.path)}${status.store.exists ? "" : " (not there yet)"}`),
    status.remote && fact("Remote", describeRemote(status.remote, context.clock.now())),
    status.notRecorded && fact("Private", describeNotRecorded(status.notRecorded)),
    ...deletions.map((line) => fact("Deleted", line)),
    ...renderWorkStatus(status.work, context),
    status.waiting.length > 0 &&
      fact("Trust", `${describeWaiting(status.waiting)} \`carryon trust\` says that they count.`),
    ...(status.gates === undefined ? [] : renderGatesLine(status.gates, context)),
    ...renderLive(status, context),
    "\n",
    status.sessions.length === 0
      ? `${wrapLine("No session of this project is recorded yet.", context.columns)}\n`
      : renderSessions(status.sessions, context, { ...status, names: namesOf(status.workstreams) }),
    `\n${style.bold("Next:")}\n`,
    ...renderSteps(nextSteps(status), context),
  ]).join("");
}

/**
 * Sessions that somebody works in at this moment: a fork is open from the start, although nothing runs, and one of another
 * machine is as it was when it came.
 */
function renderLive({ sessions, elsewhere }: Status, context: CommandContext): readonly string[] {
  const isClients = ({ id, clientSessionId }: Session) => clientSessionId !== null && !elsewhere.has(id);
  const live = sessions.filter(
    (session) => session.status === "open" && (session.writer !== null || isClients(session)),
  );
  if (live.length === 0) return [];
  const ids = live.map(({ id }) => id).join(", ");
  return [renderFact(context, "Live", `${plural(live.length, "session")}: ${toPrintableLine(ids)}`)];
}

function nextSteps(status: Status): readonly Example[] {
  const load = { line: "carryon load", does: "go on where the work was saved" };
  return [...(status.work.state === undefined ? [] : [load]), ...stepsWithSessions(status)];
}

function stepsWithSessions({
  sessions,
  workstreams,
  elsewhere,
  hasOthers,
  isSetUp,
}: Status): readonly Example[] {
  const [newest] = sessions;
  if (newest !== undefined) {
    const how = newest.status === "interrupted" ? "go on where it was cut off" : "go on with it";
    const where = elsewhere.has(newest.id) ? ", on this machine" : "";
    return [
      // Open work is above, with its commands: the newest session may have nothing to go on with.
      ...(workstreams.length > 0 ? [] : goingOn(newest, `${how}${where}`)),
      { line: "carryon show latest", does: "read the newest session" },
      { line: "carryon sessions", does: "list them all" },
      { line: "carryon fork latest", does: "go on from it, leaving it as it is" },
    ];
  }
  return [
    ...(hasOthers ? [{ line: "carryon sessions --all", does: "list those of other projects" }] : []),
    { line: "carryon tour", does: "see it work, in a scratch folder" },
    isSetUp
      ? { line: "claude", does: "start it here: Carryon records what it does" }
      : { line: "carryon init", does: "record what Claude Code does here" },
    { line: "carryon chat", does: "talk to a model" },
    { line: "carryon append --help", does: "record a session of another tool" },
  ];
}

/** How one goes on with the newest session, in the program that wrote it. */
function goingOn(newest: Session, how: string): readonly Example[] {
  const line = continueCommand(newest, "latest");
  if (line === undefined) return [];
  if (newest.client === "claude-code") return [{ line, does: `${how}, in Claude Code` }];
  const goesFurther = newest.client === "carryon-run" && newest.status !== "interrupted";
  return [{ line, does: goesFurther ? "go on with it, with further instructions" : how }];
}

function renderSteps(steps: readonly Example[], { style, columns }: CommandContext): readonly string[] {
  const width = Math.max(...steps.map(({ line }) => line.length));
  const indent = " ".repeat(width + 4);
  return steps.map(
    ({ line, does }) => `  ${padEnd(line, width)}  ${style.dim(wrapLine(does, columns, indent))}\n`,
  );
}

/** Renders where the work stands, a line for each fact. */
function renderWorkStatus(status: WorkStatus, context: CommandContext): readonly string[] {
  const { commit, state, isOwn, next, blocker, problem, handover, now } = status;
  const fact = (name: string, text: string) => renderFact(context, name, text);
  const saved = state && [
    !isOwn && renderForeign(context),
    fact("Work", describeSaved(state, status)),
    ...renderRefused(context, state),
    renderProgress(context, state),
    next !== undefined && fact("Next", toPrintableLine(next)),
  ];
  return present([
    commit && fact("Commit", toPrintableLine(`${commit.id.slice(0, 12)} ${commit.subject}`)),
    problem !== undefined && renderFact(context, "Work", toPrintableLine(problem), context.style.red),
    ...(saved ?? []),
    (state !== undefined || blocker !== null) && renderBlocker(context, blocker),
    handover && fact("Handover", `${toPrintableLine(handover.path)}, ${describeAge(handover.at, now)}`),
  ]);
}

function describeSaved({ savedAt }: WorkState, { inHand, now }: WorkStatus): string {
  const saved = `saved ${describeAge(savedAt, now)}`;
  return inHand === undefined ? saved : `${toPrintableLine(inHand)}, ${saved}`;
}

/** Returns where the work stands in its JSON form. */
function toWorkStatusJson({ commit, state, isOwn, blocker, next, handover }: WorkStatus): JsonObject {
  return {
    commit: commit?.id ?? null,
    work: state === undefined ? null : (toWireState(state) as JsonObject),
    origin: state === undefined ? null : isOwn ? "own" : "outside",
    blocker: blocker && (toWireBlocker(blocker) as JsonObject),
    next_task: next ?? null,
    handover: handover === undefined ? null : { path: handover.path, at: handover.at.toISOString() },
  };
}

/** Renders in a line how many gates are satisfied and which are not, and in others what waits or is wrong. */
function renderGatesLine(status: GateStatus, look: Look): readonly string[] {
  const { rows, inert, waiting, problems } = status;
  const open = rows.flatMap(({ gate, judgement }) => (judgement.satisfied ? [] : [gate.name]));
  const which = open.length === 0 ? "" : `; not ${open.join(", ")}`;
  const satisfied = `${rows.length - open.length} of ${rows.length} satisfied${which}`;
  const lines = [
    ...present([inert ?? (rows.length > 0 && satisfied)]),
    ...waiting.map((path) => `${basename(path)} counts once you trust this project: \`carryon trust\``),
  ];
  const wrong = `${plural(problems.length, "problem")}; see \`carryon gate\``;
  const name = (at: number) => (at === 0 ? "Gates" : "");
  return [
    ...lines.map((line, at) => renderFact(look, name(at), toPrintableLine(line))),
    ...(problems.length === 0 ? [] : [renderFact(look, name(lines.length), wrong, look.style.red)]),
  ];
}

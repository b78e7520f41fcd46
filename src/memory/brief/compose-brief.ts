import { type Dated, isOpen, type Origin } from "../../handover/dated.ts";
import type { Decision } from "../../handover/decision.ts";
import { defaultSteps } from "../../handover/next-step.ts";
import { renderCandidate, renderNote } from "../../handover/note.ts";
import type { Documents, Drift, FromLog } from "../../handover/read-documents.ts";
import { autoDraft, detachedHead, type SessionDoc } from "../../handover/session-doc.ts";
import { plural } from "../../lib/describe.ts";
import { present } from "../../lib/present.ts";
import { type Blocker, describeStale, describeUrgency } from "../../work/blocker.ts";
import { describeProgress, progressOf, type TaskLists, type WorkState } from "../../work/work-state.ts";
import type { EarlierWork } from "../earlier-work.ts";
import { describeNext } from "../next-step.ts";
import type { BriefPart } from "../render-brief.ts";
import { describeAge } from "./describe-age.ts";
import { describeLeft, type NamedText } from "./describe-left.ts";

/** All that a brief is made of. What is missing is left out. */
export interface BriefSources extends Documents {
  /** When all of it was found out. */
  readonly now: Date;
  /** What was saved of the work. */
  readonly work?: Dated<WorkState> | undefined;
  /** What stops the work now. */
  readonly blocker?: Blocker | undefined;
  /** What stopped the work on another machine when it was saved there. */
  readonly stopped?: Dated<Blocker> | undefined;
  /** The work of earlier sessions, as their entries tell it. */
  readonly earlier?: EarlierWork | undefined;
  /** The tasks of work that was never saved. */
  readonly tasks?: Pick<WorkState, "completed" | "pending"> | undefined;
  /** How the gates stand. */
  readonly gates?: string | undefined;
  /** The other sessions that live on this project and branch. */
  readonly others?: readonly string[] | undefined;
}

/** Whoever writes a commit chooses the name that it is under. */
const longestName = 60;
const firstSession = "There is no session.md: wait for the user's instruction.";

/** Returns the parts of a brief, the most important first; those that say nothing are left out. */
export function composeBrief(sources: BriefSources): readonly BriefPart[] {
  const { now, session, decisions, buffer, specs, work, blocker, earlier, tasks } = sources;
  const isFirst =
    sources.isUnreadable !== true && [session, work, blocker, earlier].every((each) => each === undefined);
  // A draft that was made by itself says less about the work than the entries that it was made from.
  const isDraft = earlier !== undefined && session?.value.mode === autoDraft;
  const from = (part: keyof SessionDoc) => open(session, (doc) => doc[part]);
  const written = (part: keyof SessionDoc) => (isDraft ? "" : from(part));
  const parts: readonly NamedText[] = [
    ["Blocker", describeBlocker(blocker, earlier), blocker?.detectedAt],
    ...describeNext(sources),
    ...describeEarlier(earlier),
    ...describeLeft(sources.left, session && isOpen(session) ? session.value : undefined),
    ["From the log", describeFromLog(sources.fromLog), now],
    ["Saved work", open(work, (state) => describeWork(state, work?.origin)), work?.at],
    ...describeStopped(sources.stopped),
    ["Tasks", tasks === undefined ? "" : describeTasks(tasks), now],
    ["Gates", sources.gates ?? "", now],
    ["Other sessions", describeOthers(sources.others), now],
    ["What the specs call for", open(specs, ({ next }) => describeCall(next, from("nextAction"))), now],
    ["First session", isFirst ? firstSession : "", now],
    ["From outside", describeOutside(sources), now],
    ["Changes since", describeDrift(sources.drift), now],
    ["Problems", (sources.problems ?? []).join("\n"), now],
    ["Session goal", written("goal"), session?.at],
    ["Warnings", from("warnings"), session?.at],
    ["Steering exceptions", from("exceptions"), session?.at],
    ["Active goals", from("activeGoals"), session?.at],
    ["Open reviews", open(specs, ({ reviews }) => reviews.join("\n")), now],
    ["Specs", open(specs, ({ phases }) => phases.join("\n")), now],
    ["Decisions added in the last session", from("added"), session?.at],
    ["Decisions that continue", from("continuing"), session?.at],
    ["Tone and nuance", from("tone"), session?.at],
    ["Resume instructions", isDraft ? "" : open(session, describeSteps), session?.at],
    ["Latest decisions", open(decisions, describeDecisions), decisions?.at],
    ...(sources.elsewhere ?? []).map(describeElsewhere),
    [
      "Skill candidates",
      open(buffer, ({ candidates }) => candidates.map(renderCandidate).join("\n")),
      buffer?.at,
    ],
    ["Knowledge buffer", open(buffer, ({ notes }) => notes.map(renderNote).join("\n")), buffer?.at],
    ["Accomplished", written("accomplished"), session?.at],
    // What was modified then may be committed by now; git says what is not.
    ["Modified files", earlier === undefined ? from("modifiedFiles") : "", session?.at],
  ];
  return parts
    .filter(([, text, , fit]) => text.trim() !== "" || fit?.textWithin !== undefined)
    .map(([name, text, at, fit]) => ({ name, text, at, ...fit }));
}

function describeEarlier(earlier: EarlierWork | undefined): readonly NamedText[] {
  if (earlier === undefined) return [];
  const {
    at,
    textWithin,
    others: [others = "", ...shorter],
  } = earlier;
  return [
    ["Where the work stands", "", at, { textWithin }],
    ["Other open work", others, at, { shorter }],
  ];
}

/** What came from outside says nothing until the project is trusted. */
function open<Value>(dated: Dated<Value> | undefined, describe: (value: Value) => string): string {
  return dated !== undefined && isOpen(dated) ? describe(dated.value) : "";
}

function describeOutside(sources: BriefSources): string {
  const { now, session, decisions, elsewhere = [], buffer, specs, work } = sources;
  const named: readonly (readonly [file: string, parts: string, dated: Dated<unknown> | undefined])[] = [
    ["session.md", "parts", session],
    ["decisions.md", "latest decisions", decisions],
    ["buffer.md", "entries", buffer],
    ["specs", "parts", specs],
    ["session-state.json", "parts", work],
    ...elsewhere.map((dated) => ["the record of another machine", "decisions", dated] as const),
  ];
  return named
    .flatMap(([file, parts, dated]) => {
      if (dated?.origin.type !== "outside") return [];
      const { isTrusted, some } = dated.origin;
      const what = some === undefined ? file : `${some.count} of the ${parts} in ${file}`;
      const age = describeAge(some === undefined ? dated.at : some.at, now);
      const rest = isTrusted ? "." : "; left out until you trust the project with `carryon trust`.";
      return [`${what}: written by ${nameAuthor(dated.origin)}, ${age}, not in this user's log${rest}`];
    })
    .join("\n");
}

function describeDrift(drift: Drift | undefined): string {
  if (drift === undefined) return "";
  const { commits, gone, branch } = drift;
  const now = branch === detachedHead ? "HEAD is detached now." : `The branch is \`${branch}\` now.`;
  return inLines([
    commits > 0 && `${plural(commits, "commit")} since session.md was written.`,
    branch !== undefined && now,
    ...gone.map((file) => `${file} is gone.`),
  ]);
}

function inLines(lines: readonly (string | false | undefined)[]): string {
  return present(lines).join("\n");
}

/** An old failure that was found by itself stands among the checks of the work. */
function describeBlocker(blocker: Blocker | undefined, earlier: EarlierWork | undefined): string {
  if (blocker === undefined || (blocker.isStale === true && blocker.isAutoDetected && earlier !== undefined))
    return "";
  const { type, severity, description, resolution } = blocker;
  const isLater = earlier?.isPending && blocker.isAutoDetected && !blocker.isStale;
  return inLines([
    `${type} (${severity}): ${description}`,
    blocker.isStale && describeStale(blocker),
    resolution !== undefined && `To do: ${resolution}`,
    `${isLater ? "Resolve it" : describeUrgency(blocker)}; \`carryon blocker resolve\` says that it is done.`,
  ]);
}

/** What stops the work there need not stop it here. */
function describeStopped(stopped: Dated<Blocker> | undefined): readonly NamedText[] {
  if (stopped === undefined) return [];
  const text = open(stopped, ({ type, severity, description }) => `${type} (${severity}): ${description}`);
  return [[`Blocker on ${nameAuthor(stopped.origin)}`, text, stopped.at]];
}

/** The usual steps say nothing beyond the next action. */
function describeSteps({ resume, nextAction: action }: SessionDoc): string {
  return resume === defaultSteps(action) ? "" : resume;
}

/** An action that the document was given may be older than the state of the specs. */
function describeCall(next: string | undefined, known: string): string {
  return next === undefined || next === known ? "" : next;
}

/** The newest first, because the end is what is cut. */
function describeDecisions(decisions: readonly Decision[]): string {
  return decisions
    .toReversed()
    .map(({ seq, at, type, summary, decision }) => {
      const more = decision === "" || decision === summary ? "" : ` -- ${decision.replaceAll("\n", " ")}`;
      return `D${seq} ${at} ${type}: ${summary}${more}`;
    })
    .join("\n");
}

/** Another machine gives its own numbers, so that two may have the same. */
function describeElsewhere(dated: Dated<readonly Decision[]>): NamedText {
  return [`Decisions on ${nameAuthor(dated.origin)}`, open(dated, describeDecisions), dated.at];
}

/** Anybody can call themselves anything. */
function nameAuthor(origin: Origin): string {
  const author = origin.type === "own" ? undefined : origin.author;
  return author === undefined ? "another hand" : JSON.stringify(author.slice(0, longestName));
}

function describeOthers(others: readonly string[] = []): string {
  if (others.length === 0) return "";
  return `They live on this project and branch, and may change the same files: ${others.join(", ")}.`;
}

/** Says what of a brief is not from the folder that it is for. */
function describeFromLog(fromLog: FromLog | undefined): string {
  if (fromLog === undefined) return "";
  const { hasSession, hasDecisions, root } = fromLog;
  const what = present([hasSession && "session.md", hasDecisions && "the decisions"]).join(" and ");
  const where = root === undefined ? "" : `, as of ${root}`;
  return `This folder has no session.md. What is told of ${what} is from this user's log: it was written in another work tree or clone of this project${where}. Files that it names may be only there.`;
}

/** Returns what was saved of the work, in lines. Only a machine has a name: what came with the repository is here already. */
function describeWork(state: WorkState, origin: Origin | undefined): string {
  const { workingOn, pending, nextSteps, branch, commit, refusedCommit } = state;
  const next = nextSteps[0] ?? pending[0];
  const isElsewhere = origin?.type === "outside" && origin.author !== undefined;
  return inLines([
    `Worked on: ${workingOn}`,
    describeDone(state),
    next !== undefined && `Next task: ${next}`,
    commit !== null && `Saved on ${branch ?? "a detached HEAD"} at ${commit}.`,
    refusedCommit !== undefined && describeRefused(refusedCommit),
    isElsewhere
      ? "`carryon load --restore` takes it, and `carryon load --resume` goes on from there."
      : "`carryon load --resume` goes on from there.",
  ]);
}

/** What a hook said is marked: it may read like anything. */
function describeRefused(refused: string): string {
  const [by, ...said] = refused.split("\n");
  return [
    `The commit of the last save was refused ${by}`,
    ...said.map((line) => `> ${line}`),
    "What it was to have is only in the work tree: mend that, and `carryon save`.",
  ].join("\n");
}

/** More than that say nothing to somebody who begins. */
const mostTasks = 10;

/** Returns the tasks, in lines. */
function describeTasks(tasks: TaskLists): string {
  const open = tasks.pending.slice(0, mostTasks).map((task) => `To do: ${task}`);
  const rest = tasks.pending.length - open.length;
  return inLines([describeDone(tasks), ...open, rest > 0 && `… and ${rest} more.`]);
}

function describeDone(tasks: TaskLists): string | false {
  return progressOf(tasks).total > 0 && `Done: ${describeProgress(tasks)}`;
}

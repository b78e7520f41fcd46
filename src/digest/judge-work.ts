import { clip } from "../lib/clip.ts";
import type { CheckResult } from "../outcomes/checks.ts";
import { toHeadline } from "../sessions/user-words.ts";
import { type Digest, type Said, type Source, standingVerdict, type TreeNow } from "./digest.ts";
import { findAnnounced, findQuestion, isInterrupted } from "./parts/open-ends.ts";
import { isListOld } from "./parts/trackers.ts";
import { findGoal, isContinuing, isSaidIn, isStandingRule } from "./parts/words.ts";
import { leaveOutWrong } from "./parts/wrong-lines.ts";

/** Where a piece of work stands, by its digest. */
export type WorkStatus = "interrupted" | "waiting" | "open" | "done";

/** Judges where work stands by what was said and done last; what a person says of it counts more. */
export function judgeWork(digest: Digest): WorkStatus {
  const reason = findNextStep(digest)?.reason;
  if (reason === undefined) return "done";
  if (reason === "interrupted") return reason;
  return reason === "question" ? "waiting" : "open";
}

/** Returns the plan that was made last and not begun: nothing was edited or committed since. */
function findPlanLeft({ plan, edited, commits }: Digest): Said | undefined {
  const isBegun = [...edited, ...commits].some(({ seq }) => seq > (plan?.seq ?? 0));
  return plan === null || isBegun ? undefined : plan;
}

/** Words by which the user wants no commit yet. */
const noCommit = /\b(?:don'?t|do not|not|nicht)\b[^.,!?\n]{0,30}\bcommit/i;

function isCommitWanted({ words }: Digest): boolean {
  return !noCommit.test(words.findLast(({ text }) => /\bcommit/i.test(text))?.text ?? "");
}

function isStanding({ failure, isOvertaken }: CheckResult): boolean {
  return failure !== undefined && isOvertaken !== true;
}

/** Words by which the user takes a push over, or wants none. */
const unwanted =
  /\b(?:don'?t|do not|never|not|no need to|without|stop|later|leave|i'?ll|i will|i(?:'ve| have)?)\b[^.!?\n]*\bpush|\bpush\w*\b[^.!?\n]*\b(?:myself|later|manually|by hand)\b/i;

/** Returns why the last push was refused, unless the user has taken it over since. */
function findRefused({ push, words }: Digest): string | undefined {
  const isUnwanted = words.some(({ seq, text }) => seq > (push?.seq ?? 0) && unwanted.test(text));
  return isUnwanted ? undefined : push?.refused;
}

/** Returns the files that the session edited and did not commit, as far as its own commands tell. */
export function listUncommitted({ commits, edited, status }: Digest): readonly string[] {
  const committed = commits.findLast(({ isMerge }) => isMerge !== true)?.seq ?? 0;
  const since = status?.isClean === true ? Math.max(committed, status.seq) : committed;
  return edited.filter(({ seq }) => seq > since).map(({ path }) => path);
}

/** Returns a digest as it stands with the files of now: they may have been committed since, and the commits pushed. */
export function settle(digest: Digest, { changed, isPushed, isCheckpoint }: TreeNow): Digest {
  const isChanged = (path: string) =>
    changed.some((each) => each === path || each.endsWith(`/${path}`) || path.endsWith(`/${each}`));
  const last = digest.edited.toSorted((one, other) => one.seq - other.seq).at(-1);
  const isLeft = isCheckpoint || last === undefined || listUncommitted(digest).some(isChanged);
  return {
    ...digest,
    ...(!isLeft && { status: { entry: last.entry, seq: last.seq, at: last.at, isClean: true, changed: [] } }),
    ...(isPushed && { push: null }),
  };
}

/** A question that needed a few words and changed nothing. */
const shortAnswer = 1500;

/** Tells whether a session did nothing that the next one must know: a greeting, or a question about the time. */
export function isTrivial(digest: Digest): boolean {
  const { words, edited, commits, tasks, answers, plan, agents } = digest;
  const asked = words.filter((each) => each.how !== "interrupted" && !isContinuing(each.text));
  if (edited.length + commits.length + tasks.length + agents.length > 0 || plan !== null) return false;
  if (digest.checks.results.some(isStanding)) return false;
  // A request that was never answered is work to go on with; so is a question about the work, and a rule holds on.
  if (asked.length > 0 && (isInterrupted(digest) || isAskedAboutWork(digest))) return false;
  if (asked.some(({ text }) => isStandingRule(text))) return false;
  const said = answers.reduce((sum, { text }) => sum + text.length, 0);
  return (
    asked.length === 0 ||
    (asked.length <= 2 && said < shortAnswer && asked.every(({ text }) => text.length < 300))
  );
}

/** A question that only closes an answer. */
const courtesy =
  /\b(?:anything else|else (?:i|you)|can i help|help you|would you like|what (?:would|do) you)\b/i;

function isAskedAboutWork(digest: Digest): boolean {
  const question = findQuestion(digest);
  return question !== undefined && !courtesy.test(question.text);
}

/** A request that begins by asking to go on, and then says with what. */
const goingOn =
  /^(?:please |let'?s |yes,? |ok(?:ay)?,? )?(?:continue|go on|carry on|keep going|proceed)(?:[,.:;]| and | with )/i;

/** Tells whether a session goes on with the work of another, by its first words. */
export function goesOn({ words }: Digest): boolean {
  const text = words.find(({ how }) => how !== "interrupted")?.text.trim() ?? "";
  return isContinuing(text) || goingOn.test(text);
}

/** Returns the request that the work is about, on one line. */
export function goalOf(digest: Digest, most = 200): string {
  const goal = findGoal(leaveOutWrong(digest).words);
  return goal === undefined ? "" : clip(goal.text, most);
}

/** A title that nobody gave is the beginning of a request, cut after so many characters. */
const cutTitle = 60;

/** Returns what work is called: as its session is, unless that begins by going on with it or is the beginning of its goal. */
export function nameOf(digest: Digest, { title }: { readonly title: string }, most: number): string {
  const goal = clip(toHeadline(findGoal(leaveOutWrong(digest).words)?.text ?? ""), most);
  const [beginning = ""] = title.split(/[,;:.!]/, 1);
  const isOwn = !isContinuing(beginning) && !goal.startsWith(title.slice(0, Math.min(cutTitle, most) - 1));
  return isOwn ? clip(title, most) : goal;
}

/** Who has handed over says a word more, and commits what was done. */
const lastWordsMs = 10 * 60_000;

/**
 * Tells whether work has done a step that somebody gave at a moment, or has gone on with something newer. Commits that
 * no session recorded count as well.
 */
export function overtakes(
  given: Digest,
  step: string,
  since: Date,
  others: readonly Pick<Digest["commits"][number], "at" | "subject">[] = [],
): "done" | "newer" | undefined {
  const { words, commits: recorded, edited, tasks } = leaveOutWrong(given);
  const commits = [...recorded, ...others];
  const from = since.getTime();
  const isLater = ({ at }: Pick<Source, "at">) => at > from + lastWordsMs;
  const did = [
    ...commits.filter(({ at }) => at > from).map(({ subject }) => subject),
    ...tasks.filter(({ at, state }) => at > from && state === "done").map(({ text }) => text),
  ];
  if (did.some((text) => isSaidIn({ text }, { text: step }) || isSaidIn({ text: step }, { text })))
    return "done";
  const said = words.filter((each) => isLater(each) && each.how !== "interrupted");
  const isNewer = said.some(({ text }) => !isContinuing(text));
  return isNewer || [...commits, ...(said.length > 0 ? edited : [])].some(isLater) ? "newer" : undefined;
}

/** The next step that the work itself calls for, and why. */
export interface NextStep {
  readonly text: string;
  readonly reason: "interrupted" | "question" | "task" | "check" | "uncommitted" | "push";
}

/** Returns the next step; undefined when nothing is open. Output of tools alone never makes one. */
export function findNextStep(given: Digest): NextStep | undefined {
  if (standingVerdict(given) === "done") return undefined;
  const digest = leaveOutWrong(given);
  const asked = digest.words.findLast(({ how }) => how !== "interrupted");
  if (isInterrupted(digest) && asked !== undefined)
    return { reason: "interrupted", text: `Go on with the interrupted request: "${clip(asked.text, 90)}"` };
  const question = findQuestion(digest);
  if (question !== undefined)
    return { reason: "question", text: `The user has not answered yet: ${question.text}` };
  const { tasks, checks } = digest;
  const task = tasks.find(({ state }) => state === "current") ?? tasks.find(({ state }) => state === "open");
  const age = isListOld(digest) ? " (listed before the last commit)" : "";
  if (task) return { reason: "task", text: `Go on with the task: ${clip(task.text, 160)}${age}` };
  const check = checks.results.findLast(({ isStarted }) => isStarted) ?? checks.results.findLast(isStanding);
  if (check === undefined) return findLastStep(digest);
  const command = `\`${clip(check.command, 100)}\``;
  const text = check.isStarted
    ? `See how ${command} ended: it was started in the background.`
    : `Run ${command} again: it failed and was not run since.`;
  return { reason: "check", text };
}

/** Returns what is left once all work in hand is done: a plan, a commit, a push. */
function findLastStep(digest: Digest): NextStep | undefined {
  const files = listUncommitted(digest).length;
  const plan = findPlanLeft(digest);
  if (plan !== undefined)
    return { reason: "task", text: `Settle the plan that was not begun: ${clip(plan.text, 160)}` };
  const end = isCommitWanted(digest) ? " and commit." : "; the user wants no commit yet.";
  const which = files === 1 ? "edited file" : `${files} edited files`;
  if (files > 0) return { reason: "uncommitted", text: `Review the ${which}${end}` };
  const refused = findRefused(digest);
  if (refused !== undefined)
    return { reason: "push", text: `Push the commits: the last push was refused (${refused}).` };
  const left = findAnnounced(digest);
  if (left === undefined && standingVerdict(digest) === "open")
    return { reason: "task", text: "Ask the user what is left: the work was done and is called open again." };
  return left && { reason: "task", text: `The assistant named what is left: ${left.text}` };
}

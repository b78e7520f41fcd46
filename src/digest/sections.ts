import { clip } from "../lib/clip.ts";
import { describeSpan } from "../lib/describe-span.ts";
import { present } from "../lib/present.ts";
import {
  type Commit,
  type Digest,
  type Finding,
  lineKey,
  longAnswer,
  type TreeNow,
  type Words,
} from "./digest.ts";
import { joinPaths } from "./join-paths.ts";
import { listUncommitted } from "./judge-work.ts";
import { type Line, line } from "./line.ts";
import { isSettled } from "./parts/findings.ts";
import { findQuestion, isInterrupted } from "./parts/open-ends.ts";
import { checkLines, talkLines, taskLines } from "./parts/section-lines.ts";
import { isGenerated } from "./parts/tool-roles.ts";
import { isListOld } from "./parts/trackers.ts";
import {
  findGoal,
  findRedirections,
  isContinuing,
  isSaidIn,
  takesBack,
  worthOfWords,
} from "./parts/words.ts";
import {
  describeGoal,
  describeLastRequest,
  describeQuestion,
  describeRedirection,
  describeWords,
  leaveOutWrong,
} from "./parts/wrong-lines.ts";

export type { Line } from "./line.ts";

export type SectionName = keyof ReturnType<typeof linesOf>;

/** A part of a digest for people and models to read. */
export interface Section {
  readonly name: SectionName;
  readonly title: string;
  /** In the order in which they are read. */
  readonly lines: readonly Line[];
  /** Whether the lines are paths, which are shown on one line. */
  readonly arePaths?: true;
}

/** What is known beside the entries of a session. */
export interface Beside {
  readonly branch?: string | null;
  readonly tree?: TreeNow | undefined;
}

/** Returns a digest as sections, the most important first. Lines that a person marked as wrong are left out. */
export function describeDigest(given: Digest, beside: Beside = {}): readonly Section[] {
  const digest = leaveOutWrong(given);
  // Of an answer whose sentences are all wrong nothing is left.
  const wrong = new Set([...digest.wrong, ""]);
  const sections = Object.entries(linesOf(digest, beside)) as [SectionName, readonly Line[]][];
  return sections
    .map(([name, lines]) => ({
      name,
      title: titleOf(name, digest),
      lines: lines.filter(({ text }) => !wrong.has(lineKey(text))),
      ...(/^(?:Edited|Read)$/.test(name) && { arePaths: true as const }),
    }))
    .filter(({ lines }) => lines.length > 0);
}

/** Returns the lines of each section, the most important section first. */
function linesOf(digest: Digest, beside: Beside) {
  return {
    Open: openLines(digest),
    Goal: goalLines(digest),
    State: stateLines(digest, beside),
    Tasks: taskLines(digest.tasks),
    Checks: checkLines(digest.checks.results),
    User: userLines(digest),
    Answer: answerLines(digest),
    Findings: findingLines(digest),
    Talk: talkLines(digest),
    Commits: commitLines(digest),
    Edited: editedLines(digest, beside),
    Read: readLines(digest),
    Plan: planLines(digest),
    Agents: digest.agents.map((each) => line(`${each.task}: ${each.text}`, each)),
    Spent: spentLines(digest),
  };
}

function titleOf(name: SectionName, digest: Digest): string {
  const titles: Partial<Record<SectionName, string>> = {
    Open: isInterrupted(digest) ? "Interrupted" : "Open at the end",
    Tasks: isListOld(digest) ? "Old tasks" : "Tasks",
    ...{ User: "Said by the user", Answer: "Last answer", Findings: "Found out", Talk: "Said before that" },
    ...{ Edited: "Files edited", Read: "Files read", Agents: "Subagents" },
  };
  return titles[name] ?? name;
}

const longestStep = 240;

function openLines(digest: Digest): readonly Line[] {
  const { answers, lastCall, words } = digest;
  const asked = words.findLast(({ how }) => how !== "interrupted");
  const question = findQuestion(digest);
  if (!isInterrupted(digest)) return present([question && line(describeQuestion(question.text), question)]);
  const step = answers.findLast(({ text }) => text !== "");
  const isShort = step !== undefined && step.text.length <= longestStep;
  const call = lastCall === null || lastCall.about === "" ? undefined : lastCall;
  return present([
    asked && line(describeLastRequest(asked), asked),
    isShort && line(`Last step: ${clip(step.text, longestStep)}`, step),
    call &&
      line(`Last call: ${call.tool} ${clip(call.about, 140)}${call.isDone ? "" : " (no result)"}`, call),
    ...digest.refused.slice(-2).map((each) => line(`Refused by the user, not run: ${each.text}`, each)),
  ]);
}

/** What the user asked for last, where the work broke off before it was done. */
function findPending(digest: Digest): Words | undefined {
  return isInterrupted(digest) ? digest.words.findLast(({ how }) => how !== "interrupted") : undefined;
}

function goalLines(digest: Digest): readonly Line[] {
  const { words } = digest;
  const [first, pending] = [findGoal(words), findPending(digest)];
  if (first === undefined) return [];
  const later = findRedirections(words)
    .filter((each) => each !== pending)
    .map((each) => line(describeRedirection(each), each));
  return [line(describeGoal(first), first, 2), ...later];
}

function stateLines(digest: Digest, { branch, tree }: Beside): readonly Line[] {
  const { commits, push, pullRequests } = digest;
  const last = commits.at(-1);
  const committed =
    last && `Last commit: ${nameCommit(last)}${placeOf(last, branch)} (${describePush(digest, tree)})`;
  return [
    ...present([branch != null && line(`Branch: ${branch}`, [], 2)]),
    line(committed ?? "No commit was made in this session.", last ?? []),
    ...(tree === undefined ? describeSeenTree(digest) : [line(describeFiles(tree.changed, "Now"), [], 2)]),
    ...pullRequests.slice(-2).map((url) => line(`Pull request: ${url}`, push ?? [])),
  ];
}

function placeOf({ branch: on }: Commit, branch: string | null | undefined): string {
  return on === "" || on === (branch ?? on) ? "" : ` on ${on}`;
}

/** A merge has no name until some output shows it. */
function nameCommit({ sha, subject }: Commit): string {
  return sha === "" ? subject : `${sha} ${subject}`;
}

function describePush({ commits, push }: Digest, tree: TreeNow | undefined): string {
  if (tree?.isPushed) return "pushed";
  if (push === null) return "not pushed in this session";
  if (push.refused !== undefined) return `the push was refused: ${push.refused}`;
  return push.seq >= (commits.at(-1)?.seq ?? 0) ? "pushed" : "not pushed: committed after the last push";
}

/** The work tree as the session left it, as far as its commands tell. */
function describeSeenTree(digest: Digest): readonly Line[] {
  const { commits, status } = digest;
  const since = commits.at(-1)?.seq ?? 0;
  const seen = status !== null && status.seq > since ? status : undefined;
  const files = listUncommitted(digest);
  if (files.length === 0 && seen?.isClean === true)
    return [line("Last git status: working tree clean.", seen)];
  if (files.length > 0) return [line(describeFiles(files, "At the end of the session"), [], 2)];
  if (seen !== undefined) return [line(describeFiles(seen.changed, "Last git status"), seen)];
  return since > 0 ? [line("All files edited in this session were committed.", [])] : [];
}

const mostNamed = 8;

function describeFiles(files: readonly string[], when: string): string {
  if (files.length === 0) return `${when}: working tree clean.`;
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return `${when}: not committed: ${joinPaths(files.slice(0, mostNamed))}${more}`;
}

function userLines(digest: Digest): readonly Line[] {
  const { words, startedAt, updatedAt } = digest;
  const span = { from: startedAt ?? 0, to: updatedAt ?? 0 };
  const said = words.filter(
    (each) => each.how !== "interrupted" && !isContinuing(each.text) && !isSpent(each, digest),
  );
  const told = new Set([findGoal(words), ...findRedirections(words), findPending(digest)]);
  return said
    .filter((each, index) => !told.has(each) && !said.slice(index + 1).some((later) => isSaidIn(each, later)))
    .map((each) => {
      const isTaken = said.some((later) => takesBack(later, each));
      const text = `${describeWords(each)}${isTaken ? " (taken back in part later)" : ""}`;
      return line(text, each, worthOfWords(each, span));
    });
}

/** An order to commit or push, and nothing else, is spent once something was. */
function isSpent({ text, seq }: Words, { commits }: Digest): boolean {
  const isOrder =
    /^(?:(?:ok(?:ay)?|please|now|and|then|great|good)[,.]? )*(?:commit|push)(?: (?:it|this|that|all|everything|and|push|commit|now|please))*[.!]*$/i;
  return isOrder.test(text.trim()) && commits.some((each) => each.seq > seq);
}

/** The last answer; where it is short, the long one before it says more. The last step of interrupted work is said with it. */
function answerLines(digest: Digest): readonly Line[] {
  const [last, ...before] = digest.answers.toReversed();
  const long = before.filter(({ text }) => text.length >= longAnswer).slice(0, 2);
  const isSaid = isInterrupted(digest) && last !== undefined && last.text.length <= longestStep;
  return [
    ...present([!isSaid && last && line(last.text, last)]),
    ...long.map((each) => line(`(before that) ${each.text}`, each)),
  ];
}

function findingLines({ findings, words, seq }: Digest): readonly Line[] {
  const textOf = ({ text, isGuess }: Finding) => `${text}${isGuess ? " (a guess)" : ""}`;
  const standing = findings.filter((each) => !isSettled(each, words));
  return standing.map((each) => line(textOf(each), each, each.score + (0.8 * each.seq) / Math.max(1, seq)));
}

function commitLines({ commits }: Digest): readonly Line[] {
  // The last one is in the state.
  return commits
    .slice(-9, -1)
    .toReversed()
    .map((each) => line(clip(nameCommit(each), 120), each));
}

/** Files of which the state says that they are not committed now are not named again. */
function editedLines({ edited }: Digest, { tree }: Beside): readonly Line[] {
  const named = new Set(tree?.changed.slice(0, mostNamed));
  return (
    edited
      .filter(({ path }) => !named.has(path))
      .toReversed()
      .slice(0, 20)
      // Those of tests can be guessed from the others.
      .map((each, index) => line(each.path, each, -index - (isTest(each.path) ? 6 : 0)))
  );
}

function isTest(path: string): boolean {
  return /(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)/i.test(path);
}

function readLines({ read, edited, seq }: Digest): readonly Line[] {
  const known = new Set(edited.map(({ path }) => path));
  const worth = (times: number, at: number) => times + (3 * at) / Math.max(1, seq);
  return read
    .filter(({ path }) => !known.has(path) && !isGenerated(path))
    .toSorted((one, other) => worth(other.times, other.seq) - worth(one.times, one.seq))
    .slice(0, 8)
    .map((each, index) => line(each.path, each, -index));
}

/** Tokens as the client counted them; a session without any says nothing. */
function spentLines({ tokens: { input, output }, startedAt, updatedAt }: Digest): readonly Line[] {
  if (input + output === 0) return [];
  const [read, written] = [input, output].map((count) => count.toLocaleString("en"));
  const span = describeSpan((updatedAt ?? 0) - (startedAt ?? 0));
  return [line(`${read} tokens in, ${written} out, in ${span}`, [])];
}

function planLines({ plan, edited }: Digest): readonly Line[] {
  const files = edited.filter(({ path }) => /(?:^|\/)plans?\//.test(path)).slice(-3);
  return [
    ...files.map((each) => line(each.path, each)),
    ...present([plan !== null && line(clip(plan.text, 400), plan)]),
  ];
}

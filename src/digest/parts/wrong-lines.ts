import { clip } from "../../lib/clip.ts";
import type { CheckResult } from "../../outcomes/checks.ts";
import { type Digest, lineKey, standingVerdict, type Task, type Words } from "../digest.ts";
import { shorten } from "../shorten.ts";
import { withoutSentences } from "./answers.ts";

/** Returns the digest without what a person corrected: facts marked as wrong, in whatever line they would come again, and open tasks of work that is done. */
export function leaveOutWrong(given: Digest): Digest {
  const isDone = standingVerdict(given) === "done";
  const digest = isDone ? { ...given, tasks: given.tasks.filter(({ state }) => state === "done") } : given;
  if (digest.wrong.length === 0) return digest;
  const wrong = new Set(digest.wrong);
  const isWrong = (line: string) => wrong.has(lineKey(line));
  const isRight = (lines: readonly string[]) => !lines.some(isWrong);
  return {
    ...digest,
    words: digest.words.filter((words) => isRight(linesOfWords(words))),
    // An answer of which every sentence is wrong stays as an answer without words.
    answers: digest.answers.map((said) => ({ ...said, text: withoutSentences(said.text, isWrong) })),
    tasks: digest.tasks.filter((task) => isRight(linesOfTask(task))),
    checks: {
      ...digest.checks,
      results: digest.checks.results.filter((result) => isRight([describeCheck(result)])),
    },
  };
}

const quote = (text: string, most: number): string => `"${oneLine(text, most)}"`;

/** Words of the user on one line: a long text says first what is wrong, and at its end what must not be done. */
const oneLine = (text: string, most: number): string =>
  clip(
    shorten(
      text.replace(/\s*\n\s*|[^\S\n]+/g, (space) => (space.includes("\n") ? "\n" : " ")),
      most,
    ),
    most,
  );

/** The lines in which words of the user may come: as goal, as a later request, by themselves, and as the last request. */
function linesOfWords(words: Words): readonly string[] {
  return [describeGoal(words), describeRedirection(words), describeWords(words), describeLastRequest(words)];
}

export const describeGoal = ({ text }: Words): string => oneLine(text, 420);

export const describeRedirection = ({ text }: Words): string => `Then: ${oneLine(text, 320)}`;

export const describeLastRequest = ({ text }: Words): string => `Last request: ${quote(text, 240)}`;

export function describeWords({ text, how }: Words): string {
  const manners: Partial<Record<Words["how"], string>> = {
    rejecting: " (refusing a call)",
    answering: " (answer)",
  };
  return `${quote(text, 230)}${manners[how] ?? ""}`;
}

const taskWords = { current: "In progress", open: "Open", done: "Done" } as const;

export const describeTask = ({ text, state }: Task): string => `${taskWords[state]}: ${clip(text, 120)}`;

function linesOfTask(task: Task): readonly string[] {
  return (["current", "open", "done"] as const).map((state) => describeTask({ ...task, state }));
}

export function describeCheck(result: CheckResult): string {
  return `${clip(result.command, 100)} → ${describeResult(result)}`;
}

function describeResult({ passed, line: said, failures, isStarted }: CheckResult): string {
  if (passed) return clip(said, 80) || "passed";
  const since = isStarted ? "started again since, end not seen" : "not run again since";
  return `failed${failures > 1 ? ` ${failures} times` : ""}${said === "" ? "" : ":"} ${clip(said, 90)} (${since})`.replace(
    "  ",
    " ",
  );
}

export const describeQuestion = (question: string): string => `Waiting for the user: ${question}`;

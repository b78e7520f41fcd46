import { clip } from "../../lib/clip.ts";
import { type CheckResult, isUnseen } from "../../outcomes/checks.ts";
import { type Digest, longAnswer, type Task } from "../digest.ts";
import { type Line, line } from "../line.ts";
import { sentencesOf } from "../shorten.ts";
import { isGuess, isSettled } from "./findings.ts";
import { describeCheck, describeTask } from "./wrong-lines.ts";

/** Returns the tasks that are left, and the last ones that are done on one line. */
export function taskLines(tasks: readonly Task[]): readonly Line[] {
  const left = tasks.filter(({ state }) => state !== "done");
  const done = tasks.filter(({ state }) => state === "done");
  const last = done.slice(-6);
  const said = clip(last.map(({ text }) => clip(text, 80)).join("; "), 300);
  return [
    ...left.slice(0, 10).map((task) => line(describeTask(task), task, task.state === "current" ? 2 : 1)),
    ...(done.length === 0 ? [] : [line(`Done (${done.length}): ${said}`, last)]),
  ];
}

/** Returns the last result of each kind of check, and of its widest run. */
export function checkLines(results: readonly CheckResult[]): readonly Line[] {
  const kinds = Map.groupBy(
    results.toReversed(),
    ({ goal, command }) => `${goal} ${command.split(" ").slice(0, 3).join(" ")}`,
  );
  const shown = [...kinds.values()].flatMap((each) =>
    each.filter((one, at) => at === 0 || one === each.find(({ isWide }) => isWide)),
  );
  const newestFirst = shown.toSorted((one, other) => other.at - one.at).slice(0, 10);
  const unseen = newestFirst.filter(isUnseen);
  const overtaken = newestFirst.filter((each) => each.isOvertaken === true);
  const plain = newestFirst.filter((each) => each.passed && !isTelling(each));
  return [
    ...newestFirst
      .filter((each) => ![...plain, ...unseen, ...overtaken].includes(each))
      .map((result) => line(describeCheck(result), result, worthOfCheck(result))),
    ...together("Passed", plain, 2.2),
    ...together("Run, result not seen", unseen, 1.2),
    ...together("Failed before other runs passed and work was committed", overtaken, 0.8),
  ];
}

function together(state: string, results: readonly CheckResult[], worth: number): readonly Line[] {
  if (results.length === 0) return [];
  const commands = results.map(({ command }) => clip(command, 80)).join("; ");
  return [line(`${state}: ${commands}`, results, worth)];
}

/** A line says more than that the check passed when it counts something. */
function isTelling({ line: said }: CheckResult): boolean {
  return /\d+ (?:\w+ )?(?:tests?|passed|pass|failures?|issues?|errors?|warnings?|problems?|examples?|assertions?|files?)\b|\bno (?:issues|errors|problems)\b|all checks/i.test(
    said,
  );
}

/** Failures first, then how to test and lint the whole; to format is said by the way. */
function worthOfCheck({ passed, goal, isWide, command }: CheckResult): number {
  if (!passed) return 4;
  const isFormat = /\b(?:fmt|format|prettier)\b/.test(command);
  return (goal === "test" ? 2 : goal === "lint" ? 1.5 : 1) + (isWide ? 1 : 0) - (isFormat ? 1 : 0);
}

/** What was said before the last answer, without guesses, proposals that the user answered, and failures that a later commit or pass overtook. */
export function talkLines({ answers, commits, checks, words, seq }: Digest): readonly Line[] {
  const mended = Math.max(
    commits.at(-1)?.at ?? 0,
    ...checks.results.filter(({ passed }) => passed).map(({ at }) => at),
  );
  return answers
    .slice(0, -1)
    .filter(({ text }) => text.length < longAnswer)
    .flatMap((each) => {
      const text = sentencesOf(each.text)
        .filter((sentence) => !isGuess(sentence) && (each.at > mended || !reportsFailure(sentence)))
        .filter((sentence) => !isSettled({ text: sentence, at: each.at }, words))
        .join(" ");
      return text === "" ? [] : [line(clip(text, 300), each, each.seq / Math.max(1, seq))];
    });
}

/** Tells whether a sentence only says that something fails or is left, and not why. */
function reportsFailure(sentence: string): boolean {
  return (
    /\b(?:fail(?:s|ed|ing|ures?)?|red|broken|errors?|(?:one|two|three|\d+) (?:more )?(?:left|to go|remain(?:s|ing)?))\b/i.test(
      sentence,
    ) && !/\b(?:because|since|caused|due to|cause|reason|so that)\b/i.test(sentence)
  );
}

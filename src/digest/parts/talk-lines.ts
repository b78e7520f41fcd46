import { type Digest, longAnswer } from "../digest.ts";
import { type Line, line } from "../line.ts";
import { sentencesOf } from "../shorten.ts";
import { clip } from "./clip.ts";
import { isGuess, isSettled } from "./findings.ts";

/** What is left of a text says less. */
const leastTalk = 25;

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
      return Buffer.byteLength(text) < leastTalk
        ? []
        : [line(clip(text, 300), each, each.seq / Math.max(1, seq))];
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

import { type Finding, longAnswer, type Said } from "../digest.ts";
import { breaking, splitSentences, toFindingText } from "./findings.ts";

/** A shorter text only announces a step. */
const leastAnswer = 80;
const [mostLong, mostShort] = [2, 8];

/** Keeps the newest text, the long ones before it whole, and the beginnings of the others. */
export function keepAnswers(answers: readonly Said[]): readonly Said[] {
  const earlier = answers.slice(0, -1).filter(({ text }) => text.length >= leastAnswer);
  const long = new Set(earlier.filter(({ text }) => text.length >= longAnswer).slice(-mostLong));
  const others = earlier.filter((each) => !long.has(each)).slice(-mostShort);
  const kept = earlier.filter((each) => long.has(each) || others.includes(each));
  const cut = kept.map((each) => (long.has(each) ? each : { ...each, text: each.text.slice(0, longAnswer) }));
  const whole = cut.map((each) =>
    breaking.test(each.text)
      ? { ...each, text: withoutSentences(each.text, (sentence) => breaking.test(sentence)) }
      : each,
  );
  return [...whole, ...answers.slice(-1)];
}

/** Leaves out the explanations that were taken back; a short answer with one says nothing without it. */
export function leaveOutTaken(answers: readonly Said[], taken: readonly Finding[]): readonly Said[] {
  return answers.flatMap((answer) => {
    const gone = new Set(taken.filter(({ seq }) => seq === answer.seq).map(({ text }) => text));
    if (gone.size === 0) return [answer];
    return answer.text.length <= longAnswer
      ? []
      : [{ ...answer, text: withoutSentences(answer.text, (each) => gone.has(each)) }];
  });
}

/** Returns a text without some of its sentences, which are compared as they stand among the findings. */
export function withoutSentences(text: string, isGone: (sentence: string) => boolean): string {
  const keep = (line: string) => splitSentences(line).filter((each) => !isGone(toFindingText(each)));
  return text
    .split("\n")
    .map((line) => keep(line).join(" "))
    .join("\n")
    .trim();
}

import { type Digest, lineKey, type Said, standingVerdict } from "../digest.ts";
import { clip } from "./clip.ts";
import { describeQuestion } from "./wrong-lines.ts";

/** Tells whether the last turn was broken off: a request without an answer, or a call without a result. */
export function isInterrupted(digest: Digest): boolean {
  const { words, answers, lastCall } = digest;
  if (standingVerdict(digest) === "done") return false;
  const asked = words.findLast(({ how }) => how !== "interrupted");
  if (asked === undefined) return false;
  const [answer, last] = [answers.at(-1), words.at(-1)];
  // Who stops a request and sends it again has it done after all.
  if (last?.how === "interrupted" && (answer === undefined || answer.seq < last.seq)) return true;
  // By time: words that were typed while the agent worked are recorded later than it answered.
  if (answer === undefined || answer.at < asked.at) return true;
  return lastCall !== null && (!lastCall.isDone || lastCall.seq > answer.seq);
}

/** Returns the question with which the assistant ended its last answer, if it waits for the user. */
export function findQuestion(digest: Digest): Said | undefined {
  const { answers, words, wrong } = digest;
  const last = answers.at(-1);
  if (last === undefined || standingVerdict(digest) === "done" || last.at < (words.at(-1)?.at ?? 0))
    return undefined;
  const ending = last.text.trimEnd().split("\n").at(-1) ?? "";
  const sentences = ending.split(/(?<=[.!])\s+/);
  const question = sentences.at(-1) ?? "";
  if (!question.endsWith("?")) return undefined;
  // "Which?" asks about the sentence before.
  const text = clip(/^\S+(?: \S+)?$/.test(question) ? sentences.slice(-2).join(" ") : question, 240);
  return wrong.includes(lineKey(describeQuestion(text))) ? undefined : { ...last, text };
}

import { clip } from "../../lib/clip.ts";
import { type Digest, lineKey, type Said, standingVerdict } from "../digest.ts";
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

/** Words with which somebody lists what is left; they stand before a colon. */
const listing =
  /(?:^|[.!?]\s+)[-*#>\s]*(?:still (?:to do|open|left|missing|needed)|remaining(?: \w+)?|left(?: to do)?|next(?: steps?)?|to ?do|open(?: (?:points|items|ends))?|outstanding|pending|not (?:yet )?(?:done|pushed|committed)|noch offen|offen|es fehlt noch|nächste schritte|reste à faire|queda|pendiente|残り|未対応|次は|还剩|待办)\**\s*[:：]\s*\**\s*(?!(?:none|nothing|no\b|n\/a|nichts|rien|nada|-?$))\S[^\n]*/imu;
/** Sentences that say that something is not done, or is the user's to do. */
const unfinished =
  /[^.!?\n]*\b(?:(?:have|has|had|is|are|was|did)(?:n't| not) [^.!?\n]{0,60}\byet|still (?:needs?|has|have) to|(?:remains|is left|are left) to|please (?:run|push|merge|deploy|commit)\b[^\n]*\b(?:yourself|by hand|when you))\b[^.!?\n]*/i;

/** Returns what the assistant said at the very end to be left; undefined where the user spoke since. */
export function findAnnounced(digest: Digest): Said | undefined {
  const { answers, words, wrong } = digest;
  const last = answers.at(-1);
  if (last === undefined || last.at < (words.at(-1)?.at ?? 0)) return undefined;
  const found = listing.exec(last.text)?.[0] ?? unfinished.exec(last.text)?.[0];
  const text = clip((found ?? "").replace(/^[\s.!?*#>-]+/, ""), 200);
  return text === "" || wrong.includes(lineKey(text)) ? undefined : { ...last, text };
}

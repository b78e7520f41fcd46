import type { Words } from "../digest.ts";

/** Words that a wish or a decision of the user has. */
const ruling =
  /\b(?:should|want|instead|only|please|keep|no need|not|use|rather|wrong|actually|stop|let'?s|by default)\b/i;

/** Words of a rule that holds until it is taken back. */
const standing =
  /\b(?:never|always|don'?t|do not|must(?:n't)?|make sure|remember|prefer|avoid|from now on|no (?:new|more|other)|(?:every|each) (?:time|commit|change|file|test))\b/i;

/** Tells whether words set a rule that holds until it is taken back. */
export function isStandingRule(text: string): boolean {
  return standing.test(text);
}

/** Words by which the user refuses what was just said. */
const objecting =
  /^(?:no\b|nope|wait\b|w8\b)|\b(?:wrong|lost|disagree|are you sure|not what|undo|revert|forgot(?:ten)?|put (?:it|that|them|those) back)\b|\?!|!\?/i;

/** Tells whether words refuse what was just said. */
export function isObjection(text: string): boolean {
  return objecting.test(text);
}

const mostWords = 60;

/** The time from the first words of a session to its last entry. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns how much some words of the user matter to the next session: corrections, decisions, and the newest. */
export function worthOfWords({ text, how, at }: Words, { from, to }: Span): number {
  let worth = (at - from) / Math.max(1, to - from);
  if (how === "interrupted") return worth - 2;
  if (how === "queued" || how === "rejecting" || how === "answering") worth += 1.2;
  if (isStandingRule(text)) worth += 1;
  else if (ruling.test(text)) worth += 0.6;
  else if (text.endsWith("?")) worth -= 0.4;
  if (text.length < 12) worth -= 1;
  // A few words say little without those around them.
  worth += 0.6 * Math.min(1, text.length / 80);
  if (text.length > 900) worth -= 0.3;
  return worth;
}

/** Returns words in the order in which they were said: the first request, the newest, and of the others those that matter most. */
export function keepWords(said: readonly Words[]): readonly Words[] {
  const words = said.toSorted((one, other) => one.at - other.at);
  if (words.length <= mostWords) return words;
  const span = { from: words[0]?.at ?? 0, to: words.at(-1)?.at ?? 0 };
  const least = words
    .slice(1, -10)
    .reduce((worst, each) => (worthOfWords(each, span) < worthOfWords(worst, span) ? each : worst));
  return words.filter((each) => each !== least);
}

/** Words by which the user takes back what was asked before. */
const recalling =
  /\b(?:forget|scrap|scratch|ignore|disregard|never ?mind|drop|skip|vergiss|oublie|olvida)\b/i;

/** Tells whether words take back something of earlier ones that they name: in quotes, or by two words. */
export function takesBack(later: Words, { text, seq }: Words): boolean {
  if (later.seq <= seq || !recalling.test(later.text)) return false;
  const quoted = [...later.text.matchAll(/(?<!\p{L})['"‘“«„]([^'"’”»“]{4,60})['"’”»“]/gu)].map(
    ([, said = ""]) => said,
  );
  const before = text.toLowerCase();
  if (quoted.some((said) => before.includes(said.toLowerCase()))) return true;
  const shared = [...wordsIn(later.text)].filter((word) => word.length > 4 && wordsIn(text).has(word));
  return shared.length > 1;
}

/** Words that ask for nothing new. */
const continuing =
  /^(?:hi|hello|hey|yo|good (?:morning|evening)|thanks?|thank you|(?:please |let'?s |yes,? )?(?:continue|go on|proceed|carry on|resume|keep going)(?: please)?|ok(?:ay)?|yes|no|test|ping|where (?:were|are) we)\b[\s.!,?]*$/i;

/** Tells whether words only greet or ask to go on. */
export function isContinuing(text: string): boolean {
  return text.length <= 3 || continuing.test(text.trim());
}

/** Returns the first request that asks for something. */
export function findGoal(words: readonly Words[]): Words | undefined {
  const said = words.filter(({ how }) => how !== "interrupted");
  return said.find(({ text }) => !isContinuing(text)) ?? said[0];
}

/** Words that ask for a change. */
const asking =
  /\b(?:add|implement|change|fix|create|update|remove|delete|refactor|want|should|need|make|write|move|rename|support|replace|show|display|improve|migrate|build|let'?s|instead|plan)\b/i;

/** A question that asks for no change. */
const inquiring = /^(?:is|are|was|were|do|does|did|what|why|how|where|which|who|when)\b[^.!]*\?$/i;

const leastRequest = 60;
const mostRequests = 2;

/** Returns the later requests that gave the work another direction: long ones that ask for a change. */
export function findRedirections(words: readonly Words[]): readonly Words[] {
  const goal = findGoal(words);
  const requests = words.filter(
    (each, index) =>
      each !== goal &&
      !(goal !== undefined && isSaidIn(each, goal)) &&
      !words.slice(index + 1).some((later) => isSaidIn(each, later)) &&
      (each.how === "prompt" || each.how === "queued" || each.how === "command") &&
      each.text.length >= leastRequest &&
      asking.test(each.text) &&
      !inquiring.test(each.text),
  );
  const weight = ({ text }: Words): number => Math.min(text.length, 600);
  const chosen = requests.toSorted((one, other) => weight(other) - weight(one)).slice(0, mostRequests);
  return requests.filter((each) => chosen.includes(each));
}

/** How much of a text is in another one when somebody says the same again. */
const repeated = 0.75;

/** Tells whether words are for the most part in others, which may say more. */
export function isSaidIn({ text: one }: Pick<Words, "text">, { text: other }: Pick<Words, "text">): boolean {
  const [few, many] = [wordsIn(one), wordsIn(other)];
  return few.size > 0 && [...few].filter((word) => many.has(word)).length / few.size >= repeated;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

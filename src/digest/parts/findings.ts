import { clip } from "../../lib/clip.ts";
import type { Finding, Said, Source, Words } from "../digest.ts";

/** Words that a sentence has which explains something: a cause, a constraint, a dead end, a lesson. */
const telling =
  /\b(?:root cause|(?:the|real|actual) (?:issue|problem|bug|cause|fix|reason|culprit|error) (?:is|was)|because|caused by|turns out|found (?:the|a|that)|instead of|rather than|does(?:n't| not)|did(?:n't| not)|is(?:n't| not)|was(?:n't| not)|can(?:'t|not)|won't|must|need(?:s|ed)? (?:to|a|an|`)|gitignored|force-add|already|false positive|pre-existing|unrelated|not related|only works|known|workaround|bypass|discovered|limitation|stale|separate (?:process|thread)|requires?|should (?:be|use|not)|auto-?generated|risky|intentional(?:ly)?|is safe|both|never|fails? (?:when|if|on|with)|missing|deprecated|incompatible|race condition|depends on|decided|chose|actually)\b/i;

/** The strongest of them. */
const strong =
  /\b(?:root cause|(?:issue|problem|bug|cause|reason|culprit) (?:is|was)|because|caused by|turns out|found the|does(?:n't| not)|won't|can(?:'t|not)|must|gitignored|force-add|false positive|pre-existing|discovered|separate process|risky|only works|workaround|intentional|incompatible|race condition|decided)\b/i;

/** How a sentence names a cause in German, French, Spanish, Japanese and Chinese. */
const tellingElsewhere =
  /(?<!\p{L})(?:(?:die )?(?:eigentliche |wahre )?(?:ursache|problem|grund|fehler) (?:dafür )?(?:ist|war|liegt|lag)|(?:liegt|lag) (?:daran|am|an der)|weil|stellt sich heraus|stellte sich heraus|entschieden|la (?:vraie )?cause (?:est|était)|le (?:vrai )?problème (?:est|était|vient)|parce que|à cause d|il s'avère|la (?:verdadera )?causa (?:es|era|está)|el (?:verdadero )?problema (?:es|era|está)|porque|resulta que)(?!\p{L})|原因は|ためです|ためだ|が原因|ことが(?:わかり|分かり|判明)|因为|原因是|问题在于|是由于/iu;

/** How a sentence breaks off that its writer did not believe to the end. */
export const breaking = /(?:\.{3}|…) (?:actually|wait|hmm|no,)/i;

/** How a sentence begins that announces the next step. */
const announcing =
  /^(?:now\b|let me|let's|i'll|i will|i'm going|i need to|good\b|perfect|great|next\b|first\b|then\b|excellent|okay|ok\b|sure|done|yes\b)/i;

const nameLike = /`[^`]+`|\w+\.\w{1,4}\b|--\w|\w+\(\)|\w+_\w+|[a-z]+[A-Z]\w+/;

/** How a sentence says that what was taken for the cause is none, or that what was tried has not helped. */
const denying =
  /^(?:still (?!to |need|open|left|missing|working|running|waiting|pending|there)|toujours |immer noch |weiterhin |sigue |todavía )|\b(?:rul(?:es?|ed|ing) (?:\S+ ){0,5}out|(?:was|is|were|are|wasn't|isn't) (?:not|never|n't)? ?(?:the|a|to) (?:cause|culprit|problem|reason|blame)|nothing to do with|(?:that|this|it)(?:'s| is| was)(?:n't| not) (?:it|why)\b|i misread|on second thought|false alarm|contrary to|same (?:error|failure|result|symptom)|still (?:fails?|the same|broken|wrong|happens)|without (?:any )?effect|no (?:effect|difference)|(?:idea|guess|theory|assumption|suspicion|hypothesis|hunch|explanation|diagnosis|change) (?:was|is|were) (?:wrong|mistaken|not it|a dead end)|did(?:n't| not) (?:help|change anything|make a difference)|(?:was|is) a red herring|i(?:'ve| have)? reverted (?:it|that|the)|i (?:was (?:wrong|mistaken)|take [^.]{1,30} back)|scratch that|correction:)|(?<!\p{L})(?:n'(?:y )?(?:est|était) pour rien|n'est pas (?:la cause|le problème)|ce n'(?:est|était) (?:donc )?pas|liegt nicht an|lag nicht an|ist nicht (?:die ursache|schuld)|hilft nicht|nehme .{1,30} zurück|habe mich geirrt|je me suis trompé|no (?:es|era) (?:la causa|el problema)|me equivoqué)(?!\p{L})|原因ではな|不是原因/iu;

/** How a sentence says that its writer does not know: an opinion, a chance, a question, or what must be so to fit. */
const hedging =
  /\b(?:probably|perhaps|maybe|possibly|presumably|apparently|supposedly|likely|conceivably|i(?:'d| would| can only)? (?:think|suspect|guess|assume|believe|imagine|wonder|bet)|i'm (?:guessing|assuming)|(?:my|a|one|first|best|working) (?:guess|hunch|suspicion|theory|hypothesis|suspect|bet)|(?:seems?|seemed|appears?|appeared) (?:to|that|like|there)|(?:looks|sounds|feels|smells) (?:like|as if|as though)|not (?:yet )?(?:sure|certain|clear|confirmed|verified)|unclear|suspicious|suspects?|might (?:\w+ )?(?:be|have|need|explain|cause)|(?:may|could)(?: \w+)? be (?:that|because|caused|due|related|why|what|where|from|coming|the|some|something|showing|stale)|(?:may|could|must) have (?:been|to do)|must be (?:the|that|because|why|where|from|coming|some|something))\b|\?$/i;

/** The same in other languages: German, French, Spanish, Japanese and Chinese. */
const hedgingElsewhere =
  /(?<!\p{L})(?:vermutlich|wahrscheinlich|vielleicht|möglicherweise|womöglich|anscheinend|(?:ich )?(?:vermute|tippe|schätze)|(?:ich )?(?:glaube|denke),|könnte(?:n)? (?:es |das |auch )*(?:sein|daran|an)|probablement|peut-être|sans doute|je (?:pense|crois|suppose|soupçonne)|il semble|probablemente|quizás?|tal vez|(?:creo|supongo|sospecho|parece) que)(?!\p{L})|おそらく|恐らく|多分|たぶん|かもしれ|と思われ|可能性が|大概|也许|可能是|估计/iu;

/** Tells whether a sentence is a guess. What is said by the way, in brackets, does not make one. */
export function isGuess(sentence: string): boolean {
  const plain = sentence.replace(/\([^)]*\)/g, "").trim();
  return hedging.test(plain) || hedgingElsewhere.test(plain);
}

/** What a sentence has that states a cause, and so says better what was guessed before. */
const stating =
  /\b(?:root cause|because|caused by|due to|turns out|turned out|(?:issue|problem|bug|cause|reason|culprit|fault) (?:is|was)|found (?:the|it))\b/i;

const proposing =
  /\b(?:i(?:'d| would) (?:recommend|suggest|propose|prefer|use|go with|add|take)|i (?:recommend|suggest|propose)|(?:shall|should) (?:i|we)\b.*\?|(?:do you want|would you like)|je (?:propose|recommande|suggère)|ich (?:schlage|empfehle|würde)|propongo|recomiendo|sugiero)\b/i;

/** Tells whether something was proposed and the user has spoken since: what came of it was said later. */
export function isSettled({ text, at }: Pick<Said, "text" | "at">, words: readonly Words[]): boolean {
  return proposing.test(text) && words.some((each) => each.at > at);
}

/** What bears out the guesses before it. */
const confirming =
  /\b(?:confirm(?:ed|s)|as (?:i )?(?:suspected|guessed|thought|expected)|that (?:was|is) (?:it|the (?:cause|problem|reason))|(?:guess|suspicion|hunch|theory|hypothesis) (?:was|is) (?:right|correct)|i was right)\b/i;

/** So many texts before it are what such a sentence speaks of. */
const spokenOf = 2;

/** Returns the causes of a moment ago that a text denies and names. */
export function findTaken(findings: readonly Finding[], text: string): readonly Finding[] {
  const denials = splitSentences(text.trim()).filter((sentence) => denying.test(sentence));
  if (denials.length === 0) return [];
  const causes = findings.filter(isCause);
  const named = wordsOf(text.length <= longestFinding ? text : denials.join(" "));
  const recent = [...new Set(causes.map(({ seq }) => seq))].slice(-spokenOf);
  const isNamed = ({ text: cause }: Finding) => [...wordsOf(cause)].some((word) => named.has(word));
  return causes.filter((each) => recent.includes(each.seq) && isNamed(each));
}

function isCause({ text, isGuess }: Finding): boolean {
  return isGuess === true || stating.test(text) || tellingElsewhere.test(text);
}

/** Returns the words of a text that are long enough to name something. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(words.filter((word) => !common.test(word)));
}

const common =
  /^(?:that|this|with|from|have|been|were|what|when|which|there|then|than|they|them|only|also|does|into|because|cause|problem|issue|still|rules|never|nothing|pour|dans|avec|cette|toujours|problème|nicht|immer|noch|eine|einen|causa|para|como|esto)$/;

/** Returns the sentences of an answer that are long enough to explain something; code blocks and tables are left out. */
function proseOf(text: string): readonly string[] {
  const lines = text
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .split("\n")
    .map((line) => line.trim());
  const prose = lines.filter((line) => line.length > 25 && !/^(?:\||[#>-]{3,})/.test(line));
  return prose.flatMap(splitSentences).filter(({ length }) => length > 25 && length < 420);
}

/** Splits a line of prose into its sentences: the next one begins with a capital, with code or in bold. */
export function splitSentences(line: string): readonly string[] {
  return line.split(/(?<=[^.\s][.!?])\s+(?=[\p{Lu}`*"])|(?<=[。！？])/u);
}

/** Returns a sentence as it stands among the findings: without marks of emphasis or of a list, on one line. */
export function toFindingText(sentence: string): string {
  return clip(sentence.replaceAll("**", "").replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ""), longestFinding);
}

function scoreOf(sentence: string): number {
  let score = 1;
  if (nameLike.test(sentence)) score += 0.6;
  if (strong.test(sentence) || tellingElsewhere.test(sentence)) score += 1;
  if (sentence.length > 220) score -= 0.4;
  if (isGuess(sentence)) score -= 0.6;
  return score;
}

const longestFinding = 260;
const mostFindings = 80;

/**
 * Adds the sentences of an answer that explain something; a cause that is stated ends the guesses about it.
 * `since` is the place of the user's last words: ideas from before them are not of this moment.
 */
export function followFindings(
  findings: readonly Finding[],
  text: string,
  source: Source,
  since: number,
): readonly Finding[] {
  const found = proseOf(text).flatMap((sentence) => toFinding(sentence, source) ?? []);
  const before = confirming.test(text)
    ? findings.map((each) => (each.seq > since ? borneOut(each) : each))
    : findings;
  if (found.length === 0) return before;
  const all = found.reduce<readonly Finding[]>((list, finding) => {
    const known =
      finding.isGuess || !stating.test(finding.text) ? list : withoutGuesses(list, finding, since);
    return [...known.filter((each) => openingOf(each) !== openingOf(finding)), finding];
  }, before);
  return all.length <= mostFindings ? all : keepBest(all, source.seq);
}

function borneOut({ isGuess: _, ...finding }: Finding): Finding {
  return finding;
}

/** Leaves out the guesses of the same request, and those about the same things, once a cause is stated. */
function withoutGuesses(findings: readonly Finding[], { text }: Finding, since: number): readonly Finding[] {
  const named = namesIn(text);
  const isOver = (guess: Finding) =>
    guess.seq > since || [...namesIn(guess.text)].some((name) => named.has(name));
  return findings.filter((each) => !(each.isGuess && isOver(each)));
}

function openingOf({ text }: Finding): string {
  return text.slice(0, 60).toLowerCase();
}

function toFinding(sentence: string, source: Source): Finding | undefined {
  const tells = telling.test(sentence) || tellingElsewhere.test(sentence);
  if (!tells || announcing.test(sentence) || breaking.test(sentence)) return undefined;
  const text = toFindingText(sentence);
  // One that ends like this only leads to something, or asks.
  if (text.endsWith(":") || (text.length < 60 && text.endsWith("?"))) return undefined;
  return { ...source, text, score: scoreOf(sentence), ...(isGuess(sentence) && { isGuess: true as const }) };
}

/** Older ones must matter more to stay. */
function keepBest(findings: readonly Finding[], span: number): readonly Finding[] {
  const worth = ({ score, seq }: Finding) => score + (0.8 * seq) / Math.max(1, span);
  const least = findings.map(worth).toSorted((one, other) => other - one)[mostFindings] ?? 0;
  return findings.filter((each) => worth(each) > least);
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/`[^`]+`|\b\w+(?:[._/]\w+)+\b|\b[a-z]+[A-Z]\w+\b/g) ?? []);
}

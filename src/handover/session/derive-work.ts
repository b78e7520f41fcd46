import type { Digest, Words } from "../../digest/digest.ts";
import { findNextStep, goalOf, type NextStep } from "../../digest/judge-work.ts";
import { sentencesOf } from "../../digest/shorten.ts";
import { listUncommitted } from "../../git/git-changes.ts";
import type { GitFacts } from "../../git/git-facts.ts";
import { readSubjectsSince } from "../../git/git-history.ts";
import { checkpoint } from "../../git/work-since.ts";
import { clip } from "../../lib/clip.ts";
import { fold } from "../../lib/markdown/fold.ts";
import { standingFailures } from "../../outcomes/checks.ts";
import { hideSecrets } from "../../redaction/hide-secrets.ts";
import { readDocumentsChoice } from "../documents-in-commits.ts";
import type { OpenHandover } from "../handover-folder.ts";
import type { RecordedWork } from "../recorded-work.ts";

/** Texts that a person may accept as answers; they are written only when that happens. */
export interface Suggestions {
  /** The user's answers to questions of the agent. */
  readonly decisions: readonly string[];
  /** What the user said of how to talk and to work together. */
  readonly tone: readonly string[];
}

/** The parts of a session.md that recorded work fills. */
export interface DerivedWork {
  /** Undefined when the record has none; "" when it has none that a committed document may have. */
  readonly goal: string | undefined;
  /** Undefined when nothing is open. */
  readonly next: string | undefined;
  /** Commits and finished tasks since the document was last written. */
  readonly done: readonly string[];
  /** A line for each check that failed and was not run again. */
  readonly failing: readonly string[];
  readonly suggestions: Suggestions;
}

/** The state of the repository and of the document beside the record. */
export interface WorkContext {
  /** A document that is committed gets no words of the user. */
  readonly documents: "committed" | "private";
  /** Earlier work is in the document already, or a person removed it. */
  readonly since: Date | undefined;
  /** The subjects of the commits since the session began. */
  readonly subjects: readonly string[];
  /** The files that are not committed, by their paths from the top; undefined outside git. */
  readonly uncommitted: readonly string[] | undefined;
}

/** More commits than one session makes between two drafts. */
const mostCommits = 50;

/** What recorded work is compared with. */
interface Compared {
  readonly handover: OpenHandover;
  readonly git: GitFacts | undefined;
  /** The commit that was checked out when the session began, if that is known. */
  readonly head: string | undefined;
  /** When the document of the session was last written. */
  readonly since: Date | undefined;
}

/** Reads what the repository says about recorded work, and returns the parts of a session.md that it fills. */
export async function readDerived(work: RecordedWork, compared: Compared): Promise<DerivedWork> {
  const { handover, git, head, since } = compared;
  if (git === undefined)
    return deriveWork(work, { documents: "private", since, subjects: [], uncommitted: undefined });
  const [choice, subjects, uncommitted] = await Promise.all([
    readDocumentsChoice(handover.place),
    head === undefined ? [] : readSubjectsSince(git, head, { most: mostCommits }),
    listUncommitted(git),
  ]);
  const documents = choice === "private" ? "private" : "committed";
  return deriveWork(work, { documents, since, subjects, uncommitted });
}

const longestGoal = 160;
const longestSuggestion = 200;
const [mostTasks, mostFailing, mostSuggestions] = [20, 3, 5];

/** Returns the parts of a session.md that recorded work fills, without secrets. */
export function deriveWork(work: RecordedWork, context: WorkContext): DerivedWork {
  const { own, whole } = work;
  const isPrivate = context.documents === "private";
  const mayTell = (text: string): boolean => isPrivate || !isSaid(text, whole.words);
  const isNew = ({ at }: { readonly at: number }) => at > (context.since?.getTime() ?? 0);
  const committed = new Set(own.commits.filter(isNew).map(({ subject }) => subject));
  const commits = context.subjects.filter((each) => committed.has(each) && !checkpoint.test(each));
  const tasks = own.tasks.filter((task) => task.state === "done" && isNew(task) && mayTell(task.text));
  const goal = isPrivate ? goalOf(whole, longestGoal) || undefined : findTellableGoal(work, mayTell);
  const next = describeNext(withUncommitted(whole, context.uncommitted), { isPrivate, mayTell });
  return {
    goal: goal && hideSecrets(goal),
    next: next && hideSecrets(next),
    done: [...commits, ...tasks.slice(-mostTasks).map(({ text }) => text)].map((text) => hideSecrets(text)),
    failing: standingFailures(whole.checks).slice(0, mostFailing).map(describeFailure),
    suggestions: isPrivate ? suggest(own) : { decisions: [], tone: [] },
  };
}

/** Without the user's words, the title names the goal, or else the task at hand. */
function findTellableGoal({ title, whole }: RecordedWork, mayTell: (text: string) => boolean): string {
  const task = whole.tasks.find(({ state }) => state === "current");
  return [title, task?.text ?? ""].find((text) => text !== "" && mayTell(text)) ?? "";
}

/** Git knows of commits that the session did not make. */
function withUncommitted(digest: Digest, uncommitted: readonly string[] | undefined): Digest {
  if (uncommitted === undefined) return digest;
  const isLeft = (path: string) => uncommitted.some((file) => file === path || file.endsWith(`/${path}`));
  return { ...digest, edited: digest.edited.filter(({ path }) => isLeft(path)) };
}

function describeNext(
  digest: Digest,
  { isPrivate, mayTell }: { readonly isPrivate: boolean; readonly mayTell: (text: string) => boolean },
): string | undefined {
  const step = findNextStep(digest);
  if (step === undefined || isPrivate) return step?.text;
  const isTold = step.reason === "task" && mayTell(step.text.slice("Go on with the task: ".length));
  return isTold ? step.text : (withoutWords[step.reason] ?? step.text);
}

/** The next steps that quote the user or the agent, in words that may be committed. */
const withoutWords: Readonly<Partial<Record<NextStep["reason"], string>>> = {
  interrupted: "Go on with the request that was interrupted.",
  question: "Answer the question with which the session ended.",
  task: "Go on with the open task.",
};

function describeFailure({ command }: { readonly command: string }): string {
  const line = hideSecrets(clip(fold(command), longestSuggestion));
  return `${line.includes("`") ? line : `\`${line}\``} failed and was not run again since.`;
}

function suggest({ words }: Digest): Suggestions {
  const newest = (texts: readonly string[]) =>
    texts.slice(-mostSuggestions).map((text) => hideSecrets(clip(fold(text), longestSuggestion)));
  const answers = words.filter(({ how }) => how === "answering").map(({ text }) => text);
  const said = words.filter(({ how }) => how !== "answering" && how !== "command");
  return {
    decisions: newest(answers),
    tone: newest(said.flatMap(({ text }) => sentencesOf(text).filter(isAboutTone))),
  };
}

/** What is said to each other. */
const speech = "answers?|repl(?:y|ies)|explanations?|summar(?:y|ies)|questions?|sentences?";
const manner =
  "brief(?:er|ly)?|concise(?:ly)?|terse|short(?:er)?|direct|blunt|honest|careful|polite|friendly|(?:in)?formal|casual|patient|verbose|wordy|chatty|long(?:er)?|detailed|cautious|thorough|pedantic|enthusiastic|apologetic";
/** Sentences that are about the talk and the work itself: how the agent is to speak, ask, and go about it. */
const aboutTone = [
  `(?:^|[,;:] ?|\\b(?:please|and|but|just|you (?:should|must|can|need to)|could you|can you|try to) )(?:always |never )?(?:be|stay|sound) (?:\\w+ ){0,2}?(?:${manner})\\b`,
  `\\byou(?:'re| are|'ve been| were) (?:\\w+ ){0,3}?(?:${manner})\\b`,
  `\\b(?:keep|make|give|write|i (?:like|prefer|want|need|hate)) (?:me )?(?:your |it |the )?(?:${speech})\\b.{0,30}\\b(?:${manner})\\b`,
  `\\b(?:your|no|less|more|fewer|(?:too|so) many|(?:${manner})) (?:\\w+ )?(?:${speech})\\b(?!.{0,40}\\b(?:table|page|form|field|column|endpoint)\\b)`,
  "\\b(?:ask|tell|warn|remind|bother|consult|check with|wait for|talk to|speak to|explain (?:it |things |everything )?to|show) me\\b.*\\b(?:first|before|every|each|whenever|always|again|only|less|more)\\b",
  "\\b(?:don'?t|do not|never|stop|no need to|always|without) (?:\\w+ ){0,2}?(?:ask(?:ing)?|tell(?:ing)?|bother(?:ing)?|remind(?:ing)?|flatter(?:ing)?|prais(?:e|ing)|lectur(?:e|ing)) (?:me|us|so|for (?:permission|confirmation))\\b",
  "\\b(?:don'?t|do not|never|stop|quit|no|less|skip the|spare me the|without|too (?:much|many)) (?:\\w+ )?(?:apologi\\w+|flattery|praise|emojis?|preambles?|small talk|fluff|filler|jargon|buzzwords?|guess(?:ing|es)?|rush(?:ing)?|explain(?:ing)? (?:so|every)|summari[sz](?:e|ing) (?:so|every|what you)|repeat(?:ing)? yourself|over-?engineer\\w*)\\b",
  "\\b(?:slow down|take your time|(?:in )?small steps|step by step|one (?:step|thing|question|change) at a time|(?:get|come|straight) to the point|(?:answer|reply|respond|speak|talk|write to me|explain)\\b.{0,20} in (?:plain|simple|short|one|two|a few|english|german|french|spanish|italian|portuguese|japanese|chinese|korean|russian))\\b",
].map((form) => new RegExp(form, "i"));

function isAboutTone(sentence: string): boolean {
  return aboutTone.some((form) => form.test(sentence));
}

/** A shorter text may stand in a request by chance. */
const leastQuote = 16;

/** Tells whether a text repeats words of the user. */
function isSaid(text: string, words: readonly Words[]): boolean {
  const wanted = fold(text).toLowerCase();
  return words.some((each) => {
    const said = fold(each.text).toLowerCase();
    if (said === wanted) return true;
    const [short, long] = said.length < wanted.length ? [said, wanted] : [wanted, said];
    return short.length >= leastQuote && long.includes(short);
  });
}

/** What a fact is about. */
export const categories = [
  "goal",
  "pref",
  "decision",
  "done",
  "files",
  "verify",
  "state",
  "open",
  "gotcha",
  "interrupted",
] as const;

export type Category = (typeof categories)[number];

/** Something that the next engineer needs to know. */
export interface Fact {
  readonly id: string;
  readonly category: Category;
  /** 1 is nice to know, 3 is what work goes wrong without. */
  readonly weight: 1 | 2 | 3;
  /** What somebody would ask who does not know it. */
  readonly question: string;
  /** The fact is told when one of these fits the normalised text; case does not count. */
  readonly told: readonly RegExp[];
  /** It follows from tool calls, and no text of the session says it in words. */
  readonly isDerived: boolean;
}

/** Something that is wrong, or was overtaken, and that would mislead the next engineer. */
export interface FalseClaim {
  readonly id: string;
  readonly why: string;
  /** Matched line by line on "heading :: line". */
  readonly told: readonly RegExp[];
}

/** Where a session is handed over: at its end, or broken off when 60 % of its lines were written. */
export type Moment = "end" | "cut";

export interface HandoffCase {
  readonly session: string;
  readonly at: Moment;
  readonly facts: readonly Fact[];
  readonly claims: readonly FalseClaim[];
}

/** A session of a set: where it is from, and the folder that it worked in. */
export interface Source {
  /** The name of its file, without the extension. */
  readonly id: string;
  readonly sessionId: string;
  readonly project: string;
  readonly cwd: string;
}

export interface CaseSet {
  readonly name: string;
  /** The folder with the compressed transcripts. */
  readonly folder: string;
  readonly sources: readonly Source[];
  readonly cases: readonly HandoffCase[];
}

type Told = readonly (RegExp | readonly RegExp[])[];

export function fact(
  id: string,
  category: Category,
  weight: Fact["weight"],
  question: string,
  ...told: Told
): Fact {
  return { id, category, weight, question, told: told.flat(), isDerived: false };
}

export function derivedFact(
  id: string,
  category: Category,
  weight: Fact["weight"],
  question: string,
  ...told: Told
): Fact {
  return { ...fact(id, category, weight, question, ...told), isDerived: true };
}

export function falseClaim(id: string, why: string, ...told: readonly RegExp[]): FalseClaim {
  return { id, why, told };
}

/** The ways to say that work is not committed, but for words that sessions about git use for other things. */
export const clearlyUncommitted: readonly RegExp[] = [
  /not (yet )?(been )?committed/,
  /no commits? (was|were|yet|made|in this session|since)/,
  /(file|edit|work)s?[^.]{0,40} (is |are )?(still )?uncommitted/,
  /uncommitted (file|edit|work)/,
  /(edited|changed|touched|modified)[^.]{0,30}(but|and) not committed/,
  /(edit|chang|touch|modif)\w*[^.]{0,20}(since|after) (the |its )?last commit/,
  /never committed/,
  /\bdirty\b/,
  /nothing (was |has been )?committed/,
  /changes not staged/,
  /not staged for commit/,
];

export const uncommitted: readonly RegExp[] = [
  ...clearlyUncommitted,
  /uncommitted changes/,
  /unstaged changes?/,
];

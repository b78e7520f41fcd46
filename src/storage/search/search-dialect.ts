import type { Row, SqlRunner, SqlValue } from "../sql-driver.ts";
import type { Item } from "./parse-query.ts";

/** A document of the index. */
interface Document {
  readonly key: number;
  readonly sessionKey: number;
  readonly seq: number;
  /** Which chunk of the entry it is, from 0 on; the keys of one entry follow one another. */
  readonly part: number;
  /** The names of tools, folded, each between spaces; null where there is none. */
  readonly tools: string | null;
  readonly kind: string;
  /** How many terms the entry has. */
  readonly length: number;
  /** Its terms, as `divide` has given them. */
  readonly terms: string;
}

/** Returns the columns of a document that both engines have, in their order. */
export function toRow({ key, sessionKey, seq, part, tools, kind, length }: Document): readonly SqlValue[] {
  return [key, sessionKey, seq, part, tools, kind, length];
}

/** Part of a WHERE clause. */
export interface Condition {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** What must stand in a document: all items, one of each list of marks, and not the one that is left out. */
export interface Expression {
  readonly items: readonly Item[];
  readonly marks: readonly (readonly string[])[];
  readonly without: Item | undefined;
}

/** How an engine is asked for terms. */
export interface Syntax {
  phrase(terms: readonly string[], isPrefix: boolean): string;
  readonly and: string;
  readonly or: string;
  readonly not: string;
}

/** Renders what an engine is asked for. */
export function renderExpression(
  { phrase, and, or, not }: Syntax,
  { items, marks, without }: Expression,
): string {
  const either = (forms: readonly string[]) =>
    forms.length === 1 ? (forms[0] ?? "") : `(${forms.join(or)})`;
  const toForms = (item: Item) => either(item.map(({ terms, isPrefix }) => phrase(terms, isPrefix)));
  const ofMarks = marks.map((each) => either(each.map((mark) => phrase([mark], false))));
  const wanted = [...new Set(items.map(toForms)), ...ofMarks].join(and);
  return without === undefined ? wanted : `(${wanted})${not}${toForms(without)}`;
}

/** What differs between the engines in searching. */
export interface SearchDialect {
  /** Keeps others from changing the index until the transaction ends. */
  lock(transaction: SqlRunner): Promise<void>;
  /** Makes of the scanned texts of an entry the terms of its documents; marks stand in each of them. */
  divide(scanned: readonly string[], marks: readonly string[]): readonly string[];
  /** Adds documents; all those of an entry at once. */
  insert(transaction: SqlRunner, documents: readonly Document[]): Promise<void>;
  /** Takes the terms of documents out, before the rows of these are deleted. */
  forgetTerms(transaction: SqlRunner, documents: Condition): Promise<void>;
  /** Returns in how many entries each of these terms stands, unless it has a digit; those that stand in none are left out. */
  countTerms(runner: SqlRunner, terms: readonly string[]): Promise<readonly Row[]>;
  /** Takes everything out, also where the index is damaged. */
  clear(transaction: SqlRunner): Promise<void>;
  /** Rewrites the index, so that nothing of what was taken out stays in it. */
  rewrite(transaction: SqlRunner): Promise<void>;
  /** Lets the engine know how much there is, after much was put in. */
  settle(runner: SqlRunner): Promise<void>;
  /** Returns conditions that together hold for one document of each entry that fits. */
  conditionsOf(expression: Expression): readonly Condition[];
  /** The table of the terms, what joins documents (d) to it, and the key of a document: newer ones have more of it. */
  readonly terms: string;
  readonly documents: string;
  readonly key: string;
  /** What joins the sessions (s) of documents and the heads of those (h). */
  readonly sessions: string;
  /** The key, where the engine is to find all that match and sort them. */
  readonly anyOrder: string;
  /** Asks for the bytes that the index takes. */
  readonly askBytes: string;
}

/** Returns a placeholder for each of several values. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

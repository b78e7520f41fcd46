import type { SqlRunner } from "../sql-driver.ts";
import type { Item } from "./parse-query.ts";
import type { ScannedTexts } from "./scan-texts.ts";

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

/** What must stand in a document: all items, one of each list of marks, and not the one that is left out. */
export interface Expression {
  readonly items: readonly Item[];
  readonly marks: readonly (readonly string[])[];
  readonly without: Item | undefined;
}

/** What differs between the engines in searching. */
export interface SearchDialect {
  /** Keeps others from changing the index until the transaction ends. */
  lock(transaction: SqlRunner): Promise<void>;
  /** Makes of the texts of an entry the terms of its documents; marks stand in each of them. */
  divide(texts: readonly string[], scanned: ScannedTexts, marks: readonly string[]): readonly string[];
  insert(transaction: SqlRunner, document: Document): Promise<void>;
  /** Takes a document out; its terms must be those with which it was inserted. */
  remove(transaction: SqlRunner, document: Pick<Document, "key" | "terms">): Promise<void>;
  /** Takes everything out, also where the index is damaged. */
  clear(transaction: SqlRunner): Promise<void>;
  /** Rewrites the index, so that nothing of what was taken out stays in it. */
  rewrite(transaction: SqlRunner): Promise<void>;
  /** Lets the engine know how much there is, after much was put in. */
  settle(runner: SqlRunner): Promise<void>;
  /** Renders what the engine is asked for. */
  render(expression: Expression): string;
  /** The tables of a select of documents (d); what `render` made is the first placeholder of its condition. */
  readonly tables: string;
  readonly matches: string;
  /** Selects the keys of entries alone, with the placeholders of `matches`. */
  readonly selectKeys: string;
  /** Whether a long entry becomes several documents. */
  readonly hasParts: boolean;
  /** What newer documents have more of. */
  readonly order: string;
  /** Asks for the bytes that the index takes. */
  readonly askBytes: string;
}

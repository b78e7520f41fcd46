import { toPrintableLine } from "../../lib/printable.ts";

/** Where a value stands: of a value with a key, where the key is. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

export type PlainValue = string | number | boolean | null;

export interface LocatedMap extends Place {
  readonly type: "map";
  /** In the order of the file. A map of its own, because a key may be any text, `__proto__` among them. */
  readonly entries: ReadonlyMap<string, Located>;
}

interface LocatedList extends Place {
  readonly type: "list";
  readonly items: readonly Located[];
}

interface LocatedScalar extends Place {
  readonly type: "scalar";
  readonly value: PlainValue;
}

/** A value of a configuration that knows where it stands. */
export type Located = LocatedMap | LocatedList | LocatedScalar;

/** Tells whether nothing was written after a key. */
export function isNothing(
  value: Located | undefined,
): value is (LocatedScalar & { readonly value: null }) | undefined {
  return value === undefined || (value.type === "scalar" && value.value === null);
}

/** Returns a map without anything in it. */
export function emptyMap({ file, line }: Place): LocatedMap {
  return { file, line, type: "map", entries: new Map() };
}

const longest = 60;

/** Returns as much of a name as fits into a sentence, without what a terminal would obey. */
export function shorten(name: string): string {
  const printable = toPrintableLine(name.slice(0, longest));
  return name.length > longest ? `${printable}…` : printable;
}

/** Something about the configuration of gates that its owner should know. */
export interface GateProblem {
  readonly file: string;
  /** The line, from 1 on; of a whole file 1. */
  readonly line: number;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** What to do about it, as a sentence. */
  readonly hint: string;
}

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

export interface LocatedScalar extends Place {
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

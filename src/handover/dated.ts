/** Where the content of a document comes from: this user's log has it, or it came with a clone or a merge. */
export type Origin =
  | { readonly type: "own" }
  | {
      readonly type: "outside";
      readonly author: string | undefined;
      readonly isTrusted: boolean;
      /** How many parts of it, where the others are of this user, and how old they are. */
      readonly some?: { readonly count: number; readonly at: Date | undefined };
    };

/** A document and what is known of it. */
export interface Dated<Value> {
  readonly value: Value;
  readonly at: Date | undefined;
  readonly origin: Origin;
}

/**
 * Tells whether a document may be quoted: nothing from outside is until the project is trusted. Where only some parts
 * are from outside, the value has the others alone.
 */
export function isOpen({ origin }: Dated<unknown>): boolean {
  return origin.type === "own" || origin.isTrusted || origin.some !== undefined;
}

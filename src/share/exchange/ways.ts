import type { Replica } from "../../sessions/replica.ts";

/** The two stores: what one has is brought to the other. */
export interface Ways {
  readonly source: Replica;
  readonly target: Replica;
}

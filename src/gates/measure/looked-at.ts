import type { PassSource } from "../pass/pass-sources.ts";

/** How something is looked at: as a pass does, as settings of git, or as a folder of programs that git runs by itself. */
export type GroundKind = PassSource["kind"] | "settings" | "programs";

/** Something that a verdict on writes rests on, beside the work tree itself. */
export interface Ground {
  readonly kind: GroundKind;
  readonly path: string;
}

/** How it was; null where nothing was there. */
export interface LookedAt extends Ground {
  readonly was: string | null;
}

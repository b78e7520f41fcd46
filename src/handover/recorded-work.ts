import type { Digest } from "../digest/digest.ts";

/** The recorded work that session.md is filled from. */
export interface RecordedWork {
  /** The title of the session; "" without one. */
  readonly title: string;
  /** The digest of the session alone. */
  readonly own: Digest;
  /** The digest of the whole workstream, this session last. */
  readonly whole: Digest;
}

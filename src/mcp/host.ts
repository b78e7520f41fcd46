import type { Caller } from "../workspace/workspace.ts";

/** What the program that starts the server gives it. */
export interface Host {
  /** The version of this package. */
  readonly version: string;
  /** Says which process asks, at this moment; throws where its folder is gone. */
  readonly caller: () => Caller;
}

import type { Head } from "../../git/read-head.ts";
import type { Environment } from "../client-environment.ts";
import type { GateAuthor } from "../gate-desk.ts";
import type { GateSurroundings } from "./gate-surroundings.ts";

/** A session of a client, in the folder that it works in. */
export interface ClientSession
  extends Omit<GateAuthor, "trusted">,
    Pick<GateSurroundings, "process" | "session" | "tell"> {
  readonly cwd: string;
  /** Whether only what a command writes here from elsewhere is asked about; all that gates guard unless given. */
  readonly watches?: "all" | "writes";
  /** Asks the store whether the user trusts the project of the folder. */
  readonly askTrust: () => Promise<boolean>;
  /** Returns the variables that the client was started with; undefined, or not there, where nobody can tell. */
  readonly startedWith?: () => Promise<Environment | undefined>;
}

/** Where a session works, and what is checked out there. */
export type SessionHead = Pick<Head, "root" | "commonFolder" | "branch">;

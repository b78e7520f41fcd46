import type { CommandPlace } from "../../lib/run-command.ts";
import type { Project } from "../../sessions/project.ts";
import type { Blocker } from "../blocker.ts";

/** Where the blocker of a project is kept. */
export interface BlockerKeeper {
  /**
   * Changes the blocker while nobody else does, and returns the one that is there then.
   *
   * When it returns, the change is on disk. A `change` that returns what it was given changes nothing; null clears it.
   */
  changeBlocker(change: (blocker: Blocker | null) => Blocker | null): Promise<Blocker | null>;
}

/** What a recovery is given. */
export interface RecoveryDesk extends Omit<CommandPlace, "cwd"> {
  readonly keeper: BlockerKeeper;
  /** The folder of config.yaml and approvals.json: see `locateHome`. */
  readonly home: string;
  readonly project: Pick<Project, "id">;
  /** The top of the project's folder. */
  readonly root: string;
  readonly isUnderAgent: boolean;
}

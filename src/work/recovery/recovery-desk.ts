import type { CommandPlace } from "../../lib/run-command.ts";
import type { Project } from "../../sessions/project.ts";
import type { Workspace } from "../../workspace/workspace.ts";
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
export type RecoveryDesk = Omit<CommandPlace, "cwd"> &
  Pick<Workspace, "home" | "root"> & {
    readonly keeper: BlockerKeeper;
    readonly project: Pick<Project, "id">;
    readonly isUnderAgent: boolean;
  };

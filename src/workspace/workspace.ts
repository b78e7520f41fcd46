import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { Project } from "../sessions/project.ts";
import type { Caller } from "./caller.ts";
import type { OpenProject } from "./open-project.ts";

/** Where an operation works, and for whom: the open store of a user, a project in it, and the process that asks. */
export interface Workspace extends OpenProject, Caller {
  readonly log: ConversationLog;
  readonly project: Project;
}

/** A workspace that was opened for reading: the store may never have seen the project. */
export type ReadOnlyWorkspace = Omit<Workspace, "project"> & Pick<OpenProject, "project">;

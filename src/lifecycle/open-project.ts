import type { GatesAuthor, ProjectGates } from "../gates/change-gates.ts";
import type { HandoverAuthor, ProjectHandover } from "../handover/project-handover.ts";
import type { BriefRequest, ProjectBrief } from "../memory/read-brief.ts";
import type { Session } from "../sessions/session.ts";
import type { ProjectWork } from "../work/project-work.ts";
import type { WorkAuthor } from "../work/work-desk.ts";
import {
  type OpenProject,
  openProject as open,
  type Surroundings,
  type WritableProject as WritableStore,
} from "../workspace/open-project.ts";
import type { ResumingAuthor, WritableResume } from "./plan-resume.ts";

/** A project that is in the store, with all that can be done with it. */
export interface WritableProject extends WritableStore {
  /** Returns its handover documents. They are the project's as long as its store is open. */
  handover(author: HandoverAuthor): Promise<ProjectHandover>;
  /** Returns what the next session must know, most important first. Writes nothing. */
  brief(author: Pick<HandoverAuthor, "machine" | "clock">, request?: BriefRequest): Promise<ProjectBrief>;
  /** Returns where its work stands. It is the project's as long as its store is open. */
  work(author: WorkAuthor): Promise<ProjectWork>;
  /** Plans how a session is resumed: in its own client, or in one of this name. */
  resume(author: ResumingAuthor, session: Session, client?: string): Promise<WritableResume>;
  /** Returns its gates, as its files have them at this moment. */
  gates(author: GatesAuthor): Promise<ProjectGates>;
}

/** Opens the store and finds out which project this is; a project that is opened for writing is remembered. */
export async function openProject(surroundings: Surroundings, access: "read"): Promise<OpenProject>;
export async function openProject(surroundings: Surroundings, access: "write"): Promise<WritableProject>;
export async function openProject(
  surroundings: Surroundings,
  access: "read" | "write",
): Promise<OpenProject> {
  if (access === "read") return open(surroundings, "read");
  const here = await open(surroundings, "write");
  const writable: WritableProject = {
    ...here,
    // Loaded here, so that only who writes documents, saves work or asks for gates pays for what reads them.
    handover: async (author) =>
      (await import("../handover/project-handover.ts")).openProjectHandover({ ...here, ...author }),
    brief: async (author, request) =>
      (await import("../memory/read-brief.ts")).readBrief({ ...here, ...author }, request),
    work: async (author) => (await import("../work/project-work.ts")).openProjectWork({ ...here, ...author }),
    resume: async (author, session, client) =>
      (await import("./plan-resume.ts")).planResume(author, here, session, client),
    gates: async (author) => (await import("../gates/change-gates.ts")).openProjectGates(here, author),
  };
  return writable;
}

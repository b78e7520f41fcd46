import type { Project } from "../sessions/project.ts";
import type { GateSpot } from "./gate-desk.ts";

/** Where a command is that is about something else than gates. */
export interface Beside extends GateSpot {
  /** Undefined where the store has never seen the project. */
  readonly project?: Pick<Project, "id"> | undefined;
}

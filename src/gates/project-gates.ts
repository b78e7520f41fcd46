import { type AppError, usageError } from "../lib/app-error.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Project } from "../sessions/project.ts";
import { isTrustedProject } from "../workspace/trust.ts";
import {
  clearGate,
  type GateAudience,
  type GateChanged,
  requireGates,
  satisfyGates,
} from "./change-gates.ts";
import { findTrust } from "./find-trust.ts";
import { type GateDesk, type GateSpot, openGateDesk } from "./gate-desk.ts";
import { type GateStatus, readGateStatus } from "./read-gate-status.ts";

/** Who looks at the gates of a project. */
export interface GatesAuthor {
  /** The user's folder of the client, where the user's gates and the list of sessions are: `~/.claude`. */
  readonly clientFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
}

/** For whom something is said of gates: a session by its id, or all sessions of the branch. */
export interface GateTarget {
  readonly session: string | { readonly all: true };
  /** The branch that is checked out unless given. */
  readonly branch?: string;
}

/** What is kept of a satisfaction, and how many milliseconds it counts. */
export interface GateGrant {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly ttl?: number;
}

const usualApproval = 300;

/** The gates of a project. Whether a person or an agent asks is for the program to know. */
export class ProjectGates {
  readonly #desk: GateDesk;

  constructor(desk: GateDesk) {
    this.#desk = desk;
  }

  /** Returns how the gates stand for a session, or for nobody's. */
  status({
    session,
    branch,
  }: {
    readonly session?: string;
    readonly branch?: string;
  } = {}): Promise<GateStatus> {
    return readGateStatus(this.#desk, branch ?? this.#desk.branch, session ?? null);
  }

  /** Says that gates are satisfied: all of them, or none where one is unknown. It lasts unless told. */
  satisfy(names: readonly string[], target: GateTarget, grant: GateGrant = {}): Promise<GateChanged> {
    return this.#change(target, (audience) =>
      satisfyGates(this.#desk, requireGates(this.#desk, names), audience, { by: "cli", ...grant }),
    );
  }

  /** Allows a gate for a while: as long as the configuration says, or 300 seconds, unless told. */
  approve(name: string, target: GateTarget, grant: GateGrant = {}): Promise<GateChanged> {
    return this.#change(target, (audience) => {
      const gates = requireGates(this.#desk, [name]);
      const [gate] = gates;
      const seconds = gate?.type === "dynamic" ? gate.approvalTtl : usualApproval;
      const usual = { ttl: seconds * 1000, metadata: { approved_by: "user" } };
      return satisfyGates(this.#desk, gates, audience, { by: "approval", ...usual, ...grant });
    });
  }

  /** Forgets what has become of a gate, for a session or for the branch, and for nobody else. */
  clear(name: string, target: GateTarget): Promise<GateChanged> {
    return this.#change(target, async (audience) => {
      const [gate] = requireGates(this.#desk, [name]);
      return gate === undefined ? { changed: false, problems: [] } : clearGate(this.#desk, gate, audience);
    });
  }

  async #change(
    { session, branch }: GateTarget,
    change: (audience: GateAudience) => Promise<GateChanged>,
  ): Promise<GateChanged> {
    const meant = branch ?? this.#desk.branch;
    // Outside a repository the change itself says so.
    if (meant === null && this.#desk.place !== undefined) throw noBranch();
    return change({ branch: meant ?? "", session });
  }
}

/** Says that there is no branch to keep something of gates for. */
export function noBranch(): AppError {
  return usageError("no-branch", "HEAD is detached: gates are kept for branches.", {
    hint: "Check a branch out, or name one with --branch.",
  });
}

/** Opens the gates of a project. What its repository says counts if the project is trusted at this moment. */
export async function openProjectGates(
  project: GateSpot & { readonly project: Pick<Project, "id">; readonly home: string },
  { clientFolder, env, clock = systemClock }: GatesAuthor,
): Promise<ProjectGates> {
  const { home } = project;
  const trust = await findTrust(() => isTrustedProject(home, project.project));
  return new ProjectGates(await openGateDesk(project, { home, clientFolder, env, clock, ...trust }));
}

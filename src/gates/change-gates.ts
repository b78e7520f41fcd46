import { type AppError, usageError } from "../lib/app-error.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { suggest } from "../lib/suggest.ts";
import type { Project } from "../sessions/project.ts";
import { isTrustedProject } from "../workspace/trust.ts";
import { findTrust } from "./find-trust.ts";
import type { Gate } from "./gate.ts";
import { type GateDesk, type GateSpot, openGateDesk } from "./gate-desk.ts";
import { findKey } from "./gather-facts.ts";
import { type GateStatus, readGateStatus } from "./inspect-gate-files.ts";
import { lasts } from "./judge.ts";
import { changeGateState } from "./state/change-gate-state.ts";
import type { GateChange, GateState, SessionKey } from "./state/gate-state.ts";
import type { FileProblem } from "./state/problem.ts";
import { type Satisfying, satisfy, takeBack } from "./verdict/after-tool.ts";

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

/** Where something is said of gates: for a session, or for all sessions of a branch. */
export interface GateAudience {
  readonly branch: string;
  /** The id of the session as its client says it; `all` for what counts for the branch. */
  readonly session: string | { readonly all: true };
}

/** How gates are satisfied. */
export interface GateSatisfaction {
  readonly by: "cli" | "approval";
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Milliseconds that it counts; it lasts unless given. */
  readonly ttl?: number;
}

/** For whom a gate is satisfied, and how long. */
export interface GateSatisfied {
  readonly gate: string;
  /** Whether it counts for all sessions of the branch. */
  readonly forAll: boolean;
  /** Null where it lasts until it is cleared. */
  readonly expiresAt: Date | null;
}

/** What became of a change. */
export interface GateChanged {
  /** Whether the state says something else than before. */
  readonly changed: boolean;
  /** What was satisfied. */
  readonly satisfied?: readonly GateSatisfied[];
  /** Whether a gate that was cleared is still satisfied for all sessions of the branch. */
  readonly remains?: boolean;
  readonly problems: readonly FileProblem[];
}

/** Returns the gates of some names; throws where one is not there, and names what may have been meant. */
export function requireGates(desk: GateDesk, names: readonly string[]): readonly Gate[] {
  const { gates } = desk.read.config;
  return names.map((name) => {
    const gate = gates.find((each) => each.name === name);
    if (gate !== undefined) return gate;
    const near = suggest(
      name,
      gates.map((each) => each.name),
    );
    throw usageError("no-such-gate", `There is no gate ${JSON.stringify(name.slice(0, 80))}.`, {
      hint: near.length > 0 ? `Did you mean ${near.join(", or ")}?` : describeKnown(desk),
    });
  });
}

function describeKnown({ read: { config, waiting, problems } }: GateDesk): string {
  if (problems.length > 0) return "The configuration is not in order; `carryon gate` says what is wrong.";
  if (config.gates.length > 0) return "List the gates with `carryon gate list`.";
  return waiting.length > 0
    ? "The gates of this repository count once you trust it: `carryon trust`."
    : "Begin with `carryon gate init`.";
}

/** Satisfies gates. Nothing is satisfied unless all of it could be written. */
export async function satisfyGates(
  desk: GateDesk,
  gates: readonly Gate[],
  audience: GateAudience,
  satisfaction: GateSatisfaction,
): Promise<GateChanged> {
  const { by, metadata, ttl } = satisfaction;
  const now = desk.clock.now();
  const expiry = ttl === undefined ? {} : { expiresAt: new Date(now.getTime() + ttl) };
  let changes: readonly GateChange[] = [];
  const changed = await change(desk, audience, (state, session) => {
    const fullId = typeof audience.session === "string" ? audience.session : "";
    const facts = { state, session: session ?? findKey("", state), fullId, ...bare(audience, now) };
    const satisfying: Satisfying = {
      by,
      ...expiry,
      ...(metadata && { metadata }),
      ...(session === undefined && { session: "all" }),
    };
    changes = gates.map((gate) => satisfy(gate, facts, satisfying));
    return changes;
  });
  return { ...changed, satisfied: changes.flatMap(toSatisfied) };
}

function toSatisfied(change: GateChange): readonly GateSatisfied[] {
  if (change.type !== "set") return [];
  const { gate, session, standing } = change;
  return [{ gate, forAll: session === "all", expiresAt: standing.expiresAt }];
}

/** A change needs nothing that is measured. */
function bare({ branch }: GateAudience, now: Date) {
  return { branch, now, figures: new Map<string, number>(), others: [] };
}

/** How much is forgotten of a session's gate: all, or that it was satisfied; what it did past the gate then stays. */
type Clearing = "all" | "satisfaction";

/** Forgets what has become of a gate: for a session, for every session, or for all of the branch. */
export async function clearGate(
  desk: GateDesk,
  gate: Gate,
  audience: GateAudience | { readonly branch: string; readonly session: "every-session" },
  clearing: Clearing = "all",
): Promise<GateChanged> {
  const { name } = gate;
  const { branch } = audience;
  const isEvery = audience.session === "every-session";
  const whose: GateAudience = isEvery ? { branch, session: { all: true } } : (audience as GateAudience);
  let remains = false;
  const changed = await change(desk, whose, (state, session) => {
    const forgotten = isEvery ? "every-session" : (session ?? "all");
    const root = state.standing(name, "all");
    remains = forgotten !== "all" && root.satisfied && lasts(root, desk.clock.now());
    if (clearing === "satisfaction" && session !== undefined)
      return takeBack(gate, { state, session, fullId: String(whose.session) });
    return [{ type: "forget", gate: name, session: forgotten }];
  });
  return { ...changed, remains };
}

async function change(
  desk: GateDesk,
  { branch, session }: GateAudience,
  decide: (state: GateState, session: SessionKey | undefined) => readonly GateChange[],
): Promise<GateChanged> {
  const { place } = desk;
  if (place === undefined) throw noRepository(desk);
  let changed = false;
  const { problems, failure } = await changeGateState(place, branch, (state) => {
    const changes = decide(state, typeof session === "string" ? findKey(session, state) : undefined);
    changed = changes.some((each) => isNew(state, each));
    return changes;
  });
  if (failure !== undefined) throw failure;
  return { changed, problems };
}

/** Tells whether a change makes a difference. */
function isNew(state: GateState, change: GateChange): boolean {
  if (change.type === "set") return true;
  if (change.session === "every-session") return state.sessions(change.gate).length > 0;
  if (change.session !== "all") return state.sessions(change.gate).includes(change.session);
  const { satisfied, triggered } = state.standing(change.gate, "all");
  return satisfied || triggered;
}

/** Says that there are no gates outside a repository, or where git does not say what is there. */
export function noRepository({ inert }: Pick<GateDesk, "inert">): AppError {
  return usageError(
    "no-repository",
    inert ?? "This is no git repository, and gates do nothing outside of one.",
    { hint: "Go to a repository, or make one with `git init`." },
  );
}

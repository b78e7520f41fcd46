import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { usageError } from "../lib/app-error.ts";
import { locateLauncher } from "../lib/hook-files.ts";
import { suggest } from "../lib/suggest.ts";
import type { Project } from "../sessions/project.ts";
import type { Place } from "../workspace/recognise-project.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { readWholeConfig } from "./config/compiled-config.ts";
import type { GateConfigOfProject } from "./config/read-gate-config.ts";
import type { TrustAnswer } from "./find-trust.ts";
import { findWaiting, type GatePlaces, locateCompiledConfig, locateGateCache } from "./gate-places.ts";
import { type FactSources, type GatheredFacts, gatherFacts } from "./gather-facts.ts";
import { isSkipped, locateUserFile } from "./may-have-gates.ts";
import { readGateState } from "./read-gate-state.ts";
import { findOthers, listSessions, locateRegistry } from "./registry.ts";
import { openRemedies, type Remedies } from "./remedies.ts";
import { normalizeSessionId } from "./session-key.ts";
import { type GatePlace, locateGates } from "./state/gate-state.ts";
import { ownersIn } from "./state/parse-gate-document.ts";
import { activeGates } from "./verdict/ask-tool.ts";

/** Who looks at gates, and from where. */
export type GateAuthor = Pick<Workspace, "home" | "env" | "clock"> & {
  /** The user's folder of the client: `~/.claude`. */
  readonly clientFolder: string;
  /** Whether the user has trusted the project. */
  readonly trusted: boolean;
  /** Whether the user has turned all gates off before the client was started; what the variables say unless given. */
  readonly skipped?: boolean;
};

/** The gates of a place: what the configuration says, and where what has become of them is kept. */
export interface GateDesk extends GateAuthor, TrustAnswer, Remedies {
  readonly root: string;
  readonly branch: string | null;
  readonly read: GateConfigOfProject;
  /** Undefined outside a repository. */
  readonly place: GatePlace | undefined;
  /** Where it is written down which sessions live. */
  readonly registry: string;
  /** Undefined outside a repository. */
  readonly commonFolder: string | undefined;
  readonly cacheFolder: string;
  /** Why no gate does anything here, in a sentence; undefined where they do. */
  readonly inert: string | undefined;
}

/** Where gates are looked for. */
export type GateSpot = Pick<Place, "root" | "branch" | "git">;

/** The same, with the project if the store has seen it. */
export type ProjectSpot = GateSpot & { readonly project?: Pick<Project, "id"> | undefined };

/** Opens the gates of a place. */
export async function openGateDesk(place: GateSpot, author: GateAuthor & TrustAnswer): Promise<GateDesk> {
  const { root, branch, git } = place;
  const { home, clientFolder, clock, trusted, env, skipped = isSkipped(env) } = author;
  const cacheFolder = locateGateCache(home, git?.commonFolder ?? root);
  const places = { user: locateUserFile(clientFolder), root, trusted };
  const read = await readConfig(places, locateCompiledConfig(cacheFolder, root));
  const folder = git && locateGates(git.commonFolder);
  return {
    ...author,
    ...openRemedies({ root, clientFolder, env, launcher: locateLauncher(home) }),
    root,
    branch,
    read,
    // A person waits longer than a hook may.
    place: folder === undefined ? undefined : { folder, project: root, clock, wait: 60_000 },
    registry: locateRegistry(clientFolder),
    cacheFolder,
    commonFolder: git?.commonFolder,
    inert: findInertness({ place, read, skipped }),
  };
}

/** What reads YAML is only loaded where a file has changed since a hook compiled it. */
async function readConfig(places: GatePlaces, cacheFile: string): Promise<GateConfigOfProject> {
  const compiled = readWholeConfig(cacheFile, places);
  if (compiled !== undefined) return { ...compiled, waiting: findWaiting(places) };
  return (await import("./config/read-gate-config.ts")).readGateConfig(places);
}

const unanswered =
  "Git says nothing of this repository, and gates do nothing: it is not installed, or refuses a folder that is somebody else's. `git status` says why.";

/** Tells whether a repository is there, whatever git says. */
function isRepository(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, ".git")) || (above !== folder && isRepository(above));
}

const paused =
  "All gates are turned off: by `carryon gate pause`, which `carryon gate unpause` ends, or by `enabled: false` in a file.";

function findInertness({
  place,
  read,
  skipped,
}: { place: GateSpot; skipped: boolean } & Pick<GateDesk, "read">): string | undefined {
  if (place.git === undefined && isRepository(place.root)) return unanswered;
  if (place.git === undefined) return "This is no git repository, and gates do nothing outside of one.";
  if (place.branch === null) return "HEAD is detached: gates do nothing until a branch is checked out.";
  if (skipped) return "CLAUDE_SKIP_REQUIREMENTS is set: gates do nothing.";
  if (!read.config.enabled && read.problems.length === 0) return paused;
  return undefined;
}

/** Gathers how the gates of a branch stand for a session. */
export function gatherHere(desk: GateDesk, branch: string, session: string): Promise<GatheredFacts> {
  return gatherFacts(sourcesOf(desk, branch, session), activeGates(desk.read.config));
}

function sourcesOf(desk: GateDesk, branch: string, session: string): FactSources {
  const { place, root, cacheFolder, env, registry } = desk;
  if (place === undefined) throw new Error("Outside a repository there are no facts to gather.");
  return {
    place,
    root,
    branch,
    session,
    cacheFolder,
    env,
    findOthers: () => findOthers(registry, { project: root, branch, session }),
  };
}

/** An id that a client made up: two of them are alike only if one is a typing error. Names that people give may well be. */
const madeUp = /^(?:-*[0-9a-f]){8,}$/i;

/**
 * Returns the sessions that somebody may have meant by an id that nobody has registered or recorded on the branch. None where
 * the id is known, or like no other: a session may be spoken of before it is seen, also one of another machine.
 */
export async function guessSession(
  here: GateDesk,
  session: string,
  branch: string | null,
): Promise<readonly string[]> {
  const { sessions } = await listSessions({ path: here.registry });
  const recorded = branch === null || here.place === undefined ? [] : listRecorded(here.place, branch);
  const ids = new Set([...sessions.map(({ key, fullId }) => fullId ?? key), ...recorded]);
  const key = normalizeSessionId(session);
  // Of one that is recorded by its key alone, nobody knows the rest.
  if (ids.has(session) || (key !== undefined && ids.has(key))) return [];
  if (key === session && [...ids].some((id) => normalizeSessionId(id) === key)) return [];
  const candidates = [...ids].filter((id) => madeUp.test(id));
  const near = suggest(session, candidates);
  return near.length > 0
    ? near
    : suggest(
        session,
        candidates.map((id) => normalizeSessionId(id) ?? id),
      );
}

/** Returns the full ids of the sessions of which something is kept, and the keys of those whose id is not known. */
function listRecorded(place: NonNullable<GateDesk["place"]>, branch: string): readonly string[] {
  const { state } = readGateState(place, branch);
  const ownersOf = ownersIn(state);
  const keys = new Set(state.gates().flatMap((gate) => state.sessions(gate)));
  return [...keys].flatMap((key) => {
    const owners = [...ownersOf(key)];
    return owners.length > 0 ? owners : [key];
  });
}

/** Refuses a change for a session that looks like a typing error, unless that is what is meant. */
export async function refuseDoubtful(
  here: GateDesk,
  { session: named, yes }: { readonly session?: string; readonly yes?: true },
  session: string,
  branch: string,
): Promise<void> {
  if (named === undefined || yes) return;
  const near = await guessSession(here, session, branch);
  if (near.length === 0) return;
  throw usageError(
    "doubtful-session",
    `Nothing is known of a session ${session}, and nothing was recorded.`,
    { hint: `${describeGuess(near)} If it is the one that is meant, say so with --yes.` },
  );
}

/** Says which sessions may be meant. */
export function describeGuess(near: readonly string[]): string {
  return `Did you mean ${near.join(", or ")}?`;
}

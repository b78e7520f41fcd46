import type { GitRun } from "../git/git-run.ts";
import type { Gate } from "./gate.ts";
import type { Facts } from "./judge.ts";
import { type BranchMeasure, type BranchSize, readKeptSize } from "./measure/read-kept-size.ts";
import type { Unknown } from "./measure/unknown.ts";
import { readGateState } from "./read-gate-state.ts";
import { chooseSessionKey } from "./session-key.ts";
import type { GatePlace, GateState, SessionKey } from "./state/gate-state.ts";
import { ownersIn } from "./state/parse-gate-document.ts";
import type { FileProblem } from "./state/problem.ts";

/** Where the facts of a verdict are found. */
export interface FactSources {
  readonly place: GatePlace;
  readonly root: string;
  readonly branch: string;
  /** The id of the session as its client says it; empty where nobody's session is meant. */
  readonly session: string;
  /** A folder for figures, which are measured again when it is lost. */
  readonly cacheFolder: string;
  readonly env: GitRun["env"];
  /** Returns the other sessions that live on this project and branch. */
  readonly findOthers: () => Promise<readonly string[]>;
}

/** The facts, and what is wrong with the files that they come from. */
export interface GatheredFacts {
  readonly facts: Facts;
  /** Whether the state could be read; a verdict on one that could not would hold people up for nothing. */
  readonly isReadable: boolean;
  /** What is to be said of figures: why there is none, or why it is not the whole truth. By the names of the gates. */
  readonly remarks: ReadonlyMap<string, string>;
  readonly problems: readonly FileProblem[];
}

/** Gathers what a verdict on some gates needs to know; what no gate among them asks for costs nothing. */
export async function gatherFacts(sources: FactSources, gates: readonly Gate[]): Promise<GatheredFacts> {
  const { place, branch, session, findOthers } = sources;
  const { state, isReadable, problems } = readGateState(place, branch);
  const isAlone = !gates.some((gate) => gate.type === "guard" && gate.guard === "single_session");
  const { figures, remarks } = await measure(sources, gates);
  const facts = {
    state,
    session: findKey(session, state),
    fullId: session,
    branch,
    now: place.clock.now(),
    figures,
    others: isAlone ? [] : await findOthers(),
  };
  return { facts, isReadable, remarks, problems };
}

/** Returns the key of a session in a state. */
export function findKey(session: string, state: GateState): SessionKey {
  // Nothing is kept under an empty key.
  return chooseSessionKey(session, ownersIn(state)) ?? ("" as SessionKey);
}

async function measure(
  sources: FactSources,
  gates: readonly Gate[],
): Promise<Pick<Facts, "figures"> & Pick<GatheredFacts, "remarks">> {
  const { root, branch, cacheFolder, env, place } = sources;
  const figures = new Map<string, number>();
  const remarks = new Map<string, string>();
  for (const gate of gates) {
    if (gate.type !== "dynamic") continue;
    const now = place.clock.now();
    const size = await findSize({ root, branch, now, cacheFolder, cacheTtl: gate.cacheTtl, env });
    if ("lines" in size) figures.set(gate.name, size.lines);
    const remark = "lines" in size ? size.reason : size.unknown;
    if (remark !== undefined) remarks.set(gate.name, remark);
  }
  return { figures, remarks };
}

/** What measures is only loaded when no figure is kept. */
async function findSize(measure: BranchMeasure): Promise<BranchSize | Unknown> {
  const kept = readKeptSize(measure);
  if (kept !== undefined) return kept;
  const { measureBranch } = await import("./measure/measure-branch.ts");
  return measureBranch(measure);
}

import type { DynamicGate, Gate } from "./gate.ts";
import type { GateState, SessionKey, Standing } from "./state/gate-state.ts";

/** Why a gate is not satisfied. */
export type Lack =
  | { readonly type: "never" }
  | { readonly type: "expired"; readonly at: Date }
  | { readonly type: "over"; readonly figure: number; readonly limit: number }
  | { readonly type: "protected"; readonly branch: string }
  | { readonly type: "shared"; readonly others: readonly string[] };

/** Whether a gate is satisfied, by what has been recorded or by how things are. */
export type Judgement =
  | { readonly satisfied: true; readonly by?: Standing }
  | { readonly satisfied: false; readonly lack: Lack };

/** Tells whether a gate is satisfied for a session. Pure: what it needs is in the facts. */
export function judge(gate: Gate, facts: Facts): Judgement {
  const recorded = standingsThatCount(gate, facts).filter(({ satisfied }) => satisfied);
  const by = recorded.find((standing) => lasts(standing, facts.now));
  if (by !== undefined) return { satisfied: true, by };
  const lack = findLack(gate, facts);
  if (lack === undefined) return { satisfied: true };
  const [expired] = recorded.flatMap(({ expiresAt }) => expiresAt ?? []);
  return {
    satisfied: false,
    lack: lack.type === "never" && expired !== undefined ? { type: "expired", at: expired } : lack,
  };
}

/** Tells whether a gate is satisfied for a session that has met it before, so that meeting it again changes nothing. */
export function isMetBefore(gate: Gate, facts: Facts): boolean {
  return judge(gate, facts).satisfied && facts.state.standing(gate.name, facts.session).triggered;
}

/** Tells whether a satisfaction counts at a moment: until, but not at, the moment that it expires. */
export function lasts({ expiresAt }: Pick<Standing, "expiresAt">, now: Date): boolean {
  return expiresAt === null || now.getTime() < expiresAt.getTime();
}

/** Tells whether what was satisfied counts for one session alone. */
export function isOfSession({ scope }: Pick<Gate, "scope">): boolean {
  return scope === "session" || scope === "single_use";
}

function standingsThatCount(gate: Gate, { state, session }: Facts): readonly Standing[] {
  const forAll = state.standing(gate.name, "all");
  return isOfSession(gate) ? [state.standing(gate.name, session), forAll] : [forAll];
}

/** Returns what a gate lacks as long as nobody has satisfied it; undefined for what is in order by itself. */
function findLack(gate: Gate, { branch, figures, others }: Facts): Lack | undefined {
  switch (gate.type) {
    case "blocking":
      return { type: "never" };
    case "dynamic":
      return findExcess(gate, figures.get(gate.name));
    case "guard":
      if (gate.guard === "protected_branch") {
        return isProtectedBranch(branch, gate.branches) ? { type: "protected", branch } : undefined;
      }
      return others.length > 0 ? { type: "shared", others } : undefined;
  }
}

function findExcess({ thresholds: { block } }: DynamicGate, figure: number | undefined): Lack | undefined {
  if (block === undefined || figure === undefined || figure < block) return undefined;
  return { type: "over", figure, limit: block };
}

/** Returns the figure of a dynamic gate that is worth a warning: over `warn`, and not yet over `block`. */
export function findWarning(gate: Gate, { figures }: Facts): number | undefined {
  if (gate.type !== "dynamic") return undefined;
  const { warn, block } = gate.thresholds;
  const figure = figures.get(gate.name);
  if (warn === undefined || figure === undefined || figure < warn) return undefined;
  return block !== undefined && figure >= block ? undefined : figure;
}

/** What a verdict is given; gathered once by the caller. */
export interface Facts {
  readonly state: GateState;
  readonly session: SessionKey;
  /** The id of the session as its client says it. */
  readonly fullId: string;
  readonly branch: string;
  readonly now: Date;
  /** The figures of dynamic gates by their names. One that could not be measured is absent and stops nobody. */
  readonly figures: ReadonlyMap<string, number>;
  /** The other sessions that live on this project and branch. */
  readonly others: readonly string[];
}

/** A tool call as the gates see it. */
export interface ToolCall {
  readonly tool: string;
  /** What a shell is told to run, and what is known of it. */
  readonly shell?: ShellCall;
  /** Whether the call writes a plan, which is how some gates are satisfied. */
  readonly writesPlan?: boolean;
}

export interface ShellCall {
  readonly command: string;
  readonly verdict: "reads" | "writes" | "unknown";
  /** The patterns of gates that are found in it. */
  readonly found: ReadonlySet<string>;
  /** Whether it runs nothing but `carryon`. */
  readonly isCarryon: boolean;
  /** Whether it does nothing but leave the branch for another one: that is how a guard of the branch is satisfied. */
  readonly leavesBranch?: boolean;
  /** Whether something of it may run on when the call has ended. */
  readonly runsOn?: boolean;
}

/** The branches that are protected where nothing else is said. */
const usuallyProtected: readonly string[] = ["main", "master"];

/**
 * Tells whether a branch is one of those that are protected: by its name, or by a pattern with `*` for any characters,
 * slashes among them, as in `git branch --list`. Upper and lower case differ. Takes linear time in the name for each
 * part of a pattern.
 */
export function isProtectedBranch(branch: string, patterns: readonly string[] = usuallyProtected): boolean {
  return patterns.some((pattern) => fits(branch, pattern));
}

function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  // The earliest place of each part leaves the most for those that follow.
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

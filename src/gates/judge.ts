import type { DynamicGate, Gate } from "./gate.ts";
import { isProtectedBranch } from "./measure/is-protected-branch.ts";
import type { Standing } from "./state/gate-state.ts";
import type { Facts } from "./verdict/facts.ts";

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

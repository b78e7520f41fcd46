import type { Gate } from "../gate.ts";
import { isOfSession, lasts } from "../judge.ts";
import { type GateChange, type SessionKey, type Standing, untouched } from "../state/gate-state.ts";
import type { Facts } from "./facts.ts";
import { keepShellWrite } from "./shell-write.ts";

/** How a gate came to be satisfied. */
export interface Satisfying {
  readonly by: "cli" | "skill" | "approval" | "carry_over";
  /** For whom: for this session or all of the branch, as the scope of the gate says, unless told. */
  readonly session?: SessionKey | "all";
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly expiresAt?: Date;
}

/**
 * Returns the change that satisfies a gate. What was written past it is settled with that.
 *
 * What has been satisfied for longer stays so: satisfying once more takes nothing away.
 */
export function satisfy(gate: Gate, facts: Facts, satisfying: Satisfying): GateChange {
  const { by, metadata = {} } = satisfying;
  const session = satisfying.session ?? (isOfSession(gate) ? facts.session : "all");
  const before = facts.state.standing(gate.name, session);
  const { triggered, triggeredAt } = before;
  const expiresAt = laterEnd(before, satisfying.expiresAt ?? null, facts.now);
  const satisfied = { satisfied: true, satisfiedAt: facts.now, satisfiedBy: by, metadata, expiresAt };
  return setStanding(gate, { ...facts, session }, { ...untouched, triggered, triggeredAt, ...satisfied });
}

function laterEnd(before: Standing, end: Date | null, now: Date): Date | null {
  if (end === null || !before.satisfied || !lasts(before, now)) return end;
  return before.expiresAt === null || before.expiresAt > end ? before.expiresAt : end;
}

/**
 * Returns the changes that take back what a session has satisfied. That it has met the gate, and what it wrote past it, stays:
 * nobody gets rid of what is held against them by saying less.
 */
export function takeBack(
  gate: Gate,
  facts: Pick<Facts, "fullId" | "state" | "session">,
): readonly GateChange[] {
  const before = facts.state.standing(gate.name, facts.session);
  if (!before.satisfied) return [];
  const { triggered, triggeredAt, metadata } = before;
  const kept = { ...untouched, triggered, triggeredAt, metadata: keepShellWrite(metadata) };
  return [setStanding(gate, facts, kept)];
}

/** Returns the change that makes something the standing of a gate. That of a session names the session in full. */
export function setStanding(
  { name, scope }: Gate,
  { session, fullId, state }: Pick<Facts, "fullId" | "state"> & { readonly session: SessionKey | "all" },
  { metadata, ...standing }: Standing,
): GateChange {
  const known = state.standing(name, session).metadata.full_id;
  // Who names a session by its key does not know it in full.
  const id = fullId === session && typeof known === "string" ? known : fullId;
  const named = session === "all" ? metadata : { ...metadata, full_id: id };
  return { type: "set", gate: name, scope, session, standing: { ...standing, metadata: named } };
}

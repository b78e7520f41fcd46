import type { Gate, GateConfig } from "../gate.ts";
import { type Facts, isOfSession, judge, lasts, type ToolCall } from "../judge.ts";
import { type GateChange, type SessionKey, type Standing, untouched } from "../state/gate-state.ts";
import { activeGates, guardsCall, keepShellWrite, recordShellWrite, usesUp, writesOf } from "./ask-tool.ts";

/** What became of a call. */
export interface Outcome {
  readonly succeeded: boolean;
  /** The files of the work tree that a shell command wrote, as far as that is known. */
  readonly wrote: readonly string[];
}

/** Returns what changes in the state when a tool has run. A call that was refused has not run and changes nothing. */
export function afterTool(
  config: GateConfig,
  facts: Facts,
  call: ToolCall,
  outcome: Outcome,
): readonly GateChange[] {
  return activeGates(config).flatMap((gate) => changeGate(gate, config, facts, { call, outcome }));
}

interface Event {
  readonly call: ToolCall;
  readonly outcome: Outcome;
}

function changeGate(gate: Gate, config: GateConfig, facts: Facts, event: Event): readonly GateChange[] {
  const { call, outcome } = event;
  const guarding = guardsCall(gate, call, writesOf(gate, config));
  if (guarding === "nothing") return [];
  // A command that wrote nothing was no edit.
  if (guarding === "shell-write" && outcome.wrote.length === 0) return [];
  const isSatisfied = judge(gate, facts).satisfied;
  if (isSatisfied && gate.scope === "single_use" && outcome.succeeded && usesUp(gate, call)) {
    return [{ type: "forget", gate: gate.name, session: facts.session }];
  }
  const standing = facts.state.standing(gate.name, facts.session);
  const isPast = guarding === "shell-write" && !isSatisfied;
  if (standing.triggered && !isPast) return [];
  const triggered = standing.triggered ? {} : { triggered: true, triggeredAt: facts.now };
  return [setStanding(gate, facts, { ...standing, ...triggered, ...(isPast && toPast(standing, event)) })];
}

function toPast({ metadata }: Standing, { call, outcome }: Event): Partial<Standing> {
  const write = recordShellWrite({ command: call.shell?.command ?? "", files: outcome.wrote });
  return { metadata: { ...metadata, ...write } };
}

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
function setStanding(
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

/**
 * Returns what a session takes over from the one whose work it continues under a new id: what that one had satisfied
 * for itself, as long as it lasts. Guards and single uses are asked for anew.
 */
export function carryOver(config: GateConfig, facts: Facts, from: SessionKey): readonly GateChange[] {
  return activeGates(config).flatMap((gate) => {
    if (gate.type === "guard" || gate.scope !== "session") return [];
    const old = facts.state.standing(gate.name, from);
    const own = facts.state.standing(gate.name, facts.session);
    if (!old.satisfied || own.satisfied || !lasts(old, facts.now)) return [];
    const metadata = { ...old.metadata, carried_from: from };
    return [
      satisfy(gate, facts, {
        by: "carry_over",
        session: facts.session,
        metadata,
        ...(old.expiresAt !== null && { expiresAt: old.expiresAt }),
      }),
    ];
  });
}

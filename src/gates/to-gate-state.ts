import { type JsonObject, ownValue } from "./json-object.ts";
import type { KeyOwners } from "./session-key.ts";
import { type GateState, type SessionKey, type Standing, untouched } from "./state/gate-state.ts";
import type { GateDocument } from "./state/parse-gate-document.ts";
import { parseStanding } from "./state/standing-codec.ts";

/** Returns the state that a document holds. */
export function toGateState(branch: string, project: string, { value, gates }: GateDocument): GateState {
  const stored = ownValue(value, "project");
  return {
    branch,
    project: typeof stored === "string" ? stored : project,
    standing: (gate, session) => {
      const record = gates.get(gate);
      if (record === undefined) return untouched;
      return readStanding(session === "all" ? record.root : ownValue(record.sessions, session));
    },
    sessions: (gate) => Object.keys(gates.get(gate)?.sessions ?? {}) as SessionKey[],
    gates: () => [...gates.keys()],
  };
}

/** Returns the standing that a value of the file stands for; untouched where there is none. */
export function readStanding(value: unknown): Standing {
  if (value === undefined) return untouched;
  const parsed = parseStanding(value);
  return parsed.type === "standing" ? parsed.standing : untouched;
}

/** Returns who owns the keys in a state, as its standings tell. Whoever named a session by its key did not say whose it is. */
export function ownersIn(state: GateState): KeyOwners {
  return (key) => {
    const ids = state.gates().map((gate) => (state.standing(gate, key).metadata as JsonObject).full_id);
    return new Set(ids.filter((id): id is string => typeof id === "string" && id !== key));
  };
}

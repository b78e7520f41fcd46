import { mkdirSync } from "node:fs";
import {
  type GateChange,
  type GatePlace,
  type GateState,
  type SessionKey,
  type Standing,
  untouched,
} from "../../src/gates/state/gate-state.ts";
import type { TempDir } from "./temp-dir.ts";

/** The time in these tests, and the seconds that a file has for it. */
export const gateTime = new Date("2026-11-16T12:00:00Z");
export const gateSeconds = 1_794_830_400;

/** Returns where the state files of a test are. */
export function gatePlace(dir: TempDir, more: Partial<GatePlace> = {}): GatePlace {
  return { folder: dir.join("requirements"), project: "/project", clock: { now: () => gateTime }, ...more };
}

/** Makes the folder of the state files, and returns a place with it. */
export function readyPlace(dir: TempDir): GatePlace {
  mkdirSync(dir.join("requirements"));
  return gatePlace(dir);
}

export const sessionKey = (text: string): SessionKey => text as SessionKey;

/** A standing that was satisfied at the time of the tests. */
export const satisfied: Standing = {
  ...untouched,
  satisfied: true,
  satisfiedAt: gateTime,
  satisfiedBy: "cli",
};

/** Says that a gate is satisfied for a session, or for all. */
export function satisfy(gate: string, session: string, more: Partial<Standing> = {}): GateChange {
  const standing = { ...satisfied, ...more };
  return { type: "set", gate, scope: "session", session: session as SessionKey, standing };
}

/** Returns all that a state says. */
export function tellState(state: GateState): Record<string, Record<string, Standing>> {
  const standings = (gate: string) =>
    [sessionKey("all"), ...state.sessions(gate)].map((key) => [key, state.standing(gate, key)] as const);
  return Object.fromEntries(state.gates().map((gate) => [gate, Object.fromEntries(standings(gate))]));
}

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { GateSite } from "../gate-site.ts";
import { type FactSources, findKey, gatherFacts } from "../gather-facts.ts";
import { locateBehind } from "../held/locate-behind.ts";
import { readGateState, stateFiles } from "../read-gate-state.ts";
import { findFile } from "../state/find-file.ts";
import type { GateChange, SessionKey } from "../state/gate-state.ts";
import { findMetrics } from "../state/read-metrics.ts";
import { noteUse } from "../state/tool-uses.ts";
import type { Facts } from "../verdict/facts.ts";
import type { GateSurroundings } from "./gate-surroundings.ts";
import { readNotes } from "./session-notes.ts";

/** Opens the gates that a session meets. Only what reads is loaded with this: most calls are allowed, and change nothing. */
export function openGateSite(surroundings: GateSurroundings): GateSite {
  const { config, root, branch, session, place, clientFolder, launcher, tell } = surroundings;
  const behind = locateBehind(surroundings);
  let found: SessionKey | undefined;
  // One event reads the state for it once, however much it notes.
  const key = () => {
    found ??= findKey(session, readGateState(place, branch).state);
    return found;
  };
  const sources: FactSources = {
    ...surroundings,
    findOthers: async () => (await openWriter()).findOthers(),
  };
  const openWriter = async () => {
    const { openGateWriter } = await import("./open-gate-writer.ts");
    return openGateWriter(surroundings, key);
  };
  const change = async (facts: Facts, decide: (facts: Facts) => readonly GateChange[]) => {
    // Without a lock first: most calls change nothing.
    if (decide(facts).length > 0) await (await openWriter()).change(facts, decide);
  };
  return {
    config,
    root,
    branch,
    session,
    now: place.clock.now(),
    launcher,
    plans: [join(root, ".claude", "plans"), join(clientFolder, "plans")],
    facts: async (gates) => {
      const { facts, isReadable, problems } = await gatherFacts(sources, gates);
      problems.forEach(tell);
      return isReadable ? facts : undefined;
    },
    change: async (gates, decide) => change((await gatherFacts(sources, gates)).facts, decide),
    changeKnown: async (gates, decide) => {
      const { facts, isReadable } = await gatherFacts(sources, gates);
      if (isReadable) await change(facts, decide);
    },
    notes: async () => readNotes({ place, key: key() }),
    files: () => {
      const found = [findFile(stateFiles(place), branch), findMetrics(place, key())];
      const [state, metrics] = found.map(({ path }) => path);
      // Elsewhere they depend on what else is in the folder.
      const areUsual = found.every(
        ({ looked, content }) => looked.length === 1 && content.type !== "blocked",
      );
      return areUsual && state !== undefined && metrics !== undefined
        ? { state, metrics, behind }
        : undefined;
    },
    note: async (change, used) => (await openWriter()).note(change, used),
    countTool: (tool) => {
      const { path, content } = findMetrics(place, key());
      if (content.type !== "blocked") noteUse(path, tool);
    },
    count: async (used) => (await openWriter()).count(used),
    register: async () => (await openWriter()).register(),
    unregister: async () => (await openWriter()).unregister(),
    findPredecessor: async (seconds) => (await openWriter()).findPredecessor(seconds),
    markTree: async (call) => (await openWriter()).markTree(call),
    findWrites: async (call, more) => (await openWriter()).findWrites(call, more),
    isBehindWatched: () => existsSync(behind),
    findBehind: async () => (await openWriter()).findBehind(),
    forgetBehind: () => rmSync(behind, { force: true }),
  };
}

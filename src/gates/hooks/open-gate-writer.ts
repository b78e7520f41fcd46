import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GateSite, GateSurroundings, Used } from "../gate-site.ts";
import { type FactSources, findKey } from "../gather-facts.ts";
import { locateBehind } from "../held/held-rules.ts";
import { type JsonObject, ownObject } from "../json-object.ts";
import type { Facts } from "../judge.ts";
import { findWrites, markTree } from "../measure/find-writes.ts";
import { keepMark, listGrounds, locateMarks, readMark, takeMark, writeMark } from "../measure/grounds.ts";
import { plusOne } from "../pass.ts";
import { findOthers, locateRegistry, registerSession, unregisterSession } from "../registry.ts";
import { changeGateState } from "../state/change-gate-state.ts";
import type { GateChange, SessionKey } from "../state/gate-state.ts";
import { inspectFolder } from "../state/inspect-access.ts";
import type { SessionMetrics } from "../state/read-metrics.ts";
import { continueWork } from "./continue-work.ts";
import { changeNotes } from "./session-notes.ts";

/** What a session does to gates, and what takes longer to find out of it. */
interface GateWriter
  extends Pick<
    GateSite,
    "note" | "count" | "register" | "unregister" | "continueWork" | "markTree" | "findWrites" | "findBehind"
  > {
  /** Changes the state; what is to change is decided again on what is there then. */
  change(facts: Facts, decide: (facts: Facts) => readonly GateChange[]): Promise<void>;
  /** Returns the other sessions that live on this project and branch. */
  findOthers: FactSources["findOthers"];
}

/** Opens what changes the gates that a session meets. */
export function openGateWriter(surroundings: GateSurroundings, key: () => SessionKey): GateWriter {
  const { root, branch, session, place, commonFolder, clientFolder, env, tell } = surroundings;
  const { pid, client } = surroundings.process;
  const registry = { path: locateRegistry(clientFolder), clock: place.clock };
  const grounds = listGrounds({ root, commonFolder, env, user: join(clientFolder, "requirements.yaml") });
  const marks = { root, folder: locateMarks(commonFolder), env, grounds };
  const [kept, behind] = [join(surroundings.ledger, "marks"), locateBehind(surroundings)];
  // A command may write to several work trees, each of which has its own.
  const markName = (call: string) => JSON.stringify([root, call]);
  const noted = () => ({ place, key: key(), branch, tell });
  return {
    findOthers: () => findOthers(registry.path, { project: root, branch, session }),
    change: async (facts, decide) => {
      const change = (state: Facts["state"]) => decide({ ...facts, state, session: findKey(session, state) });
      (await changeGateState(place, branch, change)).problems.forEach(tell);
    },
    note: async (change, used = {}) => {
      const isNoted = await changeNotes(noted(), change, countUse(used));
      // Notes have a folder of their own, which may be writable where that of the state is not.
      const problems = inspectFolder(place.folder);
      problems.forEach(tell);
      return isNoted && problems.length === 0;
    },
    count: async (used) => void (await changeNotes(noted(), (notes) => notes, countUse(used))),
    register: async () => {
      const entry = { id: session, pid, ppid: client, projectDir: root, branch };
      (await registerSession(registry, entry)).problems.forEach(tell);
      await changeNotes(
        noted(),
        (notes) => ({ ...notes, client, id: session }),
        (metrics) => ({ ...metrics, endedAt: null }),
      );
    },
    unregister: async () => {
      (await unregisterSession(registry, session)).problems.forEach(tell);
      const endedAt = place.clock.now();
      await changeNotes(
        noted(),
        (notes) => notes,
        (metrics) => ({ ...metrics, endedAt }),
      );
    },
    continueWork: (seconds, decide) => continueWork({ ...noted(), session, client }, { seconds, decide }),
    markTree: async (call) => {
      const mark = await markTree(marks);
      const problem = "unknown" in mark ? mark.unknown : await keepMark(kept, markName(call), mark);
      const hint = "What this command writes is not looked at.";
      if (problem !== undefined) tell({ path: marks.folder, problem, hint });
    },
    findWrites: async (call, { runsOn }) => {
      const mark = takeMark(kept, markName(call));
      if (mark === undefined) return [];
      const { paths } = await findWrites(marks, mark);
      // What an earlier one has left is looked for from its own beginning on.
      if (runsOn && paths.length === 0 && !existsSync(behind)) await writeMark(behind, mark);
      return paths;
    },
    findBehind: async () => {
      const mark = readMark(behind);
      return mark === undefined ? [] : (await findWrites(marks, mark)).paths;
    },
  };
}

/** Returns what counts a use in the metrics of a session. */
function countUse({ skill, satisfied = [], refused = [] }: Used) {
  return (metrics: SessionMetrics): SessionMetrics => ({
    ...metrics,
    skills: skill === undefined ? metrics.skills : plusOne(metrics.skills, skill),
    requirements: countAll(metrics.requirements, { satisfied, refused }),
  });
}

/** Counts for each gate what happened to it. */
function countAll(counts: JsonObject, happened: Readonly<Record<string, readonly string[]>>): JsonObject {
  let after = counts;
  for (const [what, names] of Object.entries(happened)) {
    for (const name of names) after = { ...after, [name]: plusOne(ownObject(after, name), what) };
  }
  return after;
}

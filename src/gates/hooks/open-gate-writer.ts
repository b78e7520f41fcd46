import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DecideTakeover, GateSite, GateSurroundings, Used } from "../gate-site.ts";
import { type FactSources, findKey } from "../gather-facts.ts";
import { locateBehind } from "../held/held-rules.ts";
import { type JsonObject, ownObject } from "../json-object.ts";
import type { Facts } from "../judge.ts";
import { findWrites, markTree } from "../measure/find-writes.ts";
import { keepMark, listGrounds, locateMarks, readMark, takeMark, writeMark } from "../measure/grounds.ts";
import { plusOne } from "../pass.ts";
import { readGateState } from "../read-gate-state.ts";
import { findOthers, locateRegistry, registerSession, unregisterSession } from "../registry.ts";
import { changeGateState } from "../state/change-gate-state.ts";
import { readContent } from "../state/file-content.ts";
import type { GateChange, GateState, SessionKey } from "../state/gate-state.ts";
import { inspectFolder } from "../state/inspect-access.ts";
import { listBranchFiles, listJsonFiles } from "../state/list-branch-files.ts";
import { locateMetrics, readMetrics, type SessionMetrics } from "../state/read-metrics.ts";
import { changeNotes, type NotedSession, toNotes } from "./session-notes.ts";

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

/** A session that begins, and the client that runs it. */
interface Successor extends NotedSession {
  /** Its id as its client says it. */
  readonly session: string;
  readonly client: number;
}

/** What a session takes over, from one that ended at most so many seconds ago. */
interface Takeover {
  readonly seconds: number;
  readonly decide: DecideTakeover;
}

/** Lets a session take over what the one before had satisfied, on each branch on which that one did so. */
async function continueWork(successor: Successor, { seconds, decide }: Takeover): Promise<void> {
  const { place, branch: own, session, tell } = successor;
  const from = findPredecessor(successor, seconds);
  if (from === undefined) return;
  // Of a session whose id is not known in full, nothing is sure on other branches.
  const others = from.id === undefined ? [] : listBranchFiles(place.folder);
  for (const branch of new Set([own, ...others.map((each) => each.branch)])) {
    const change = (state: GateState) => {
      const known = { state, session: findKey(session, state), fullId: session, branch };
      const facts = { ...known, now: place.clock.now(), figures: new Map(), others: [] };
      return decide(facts, from.id === undefined ? from.key : findKey(from.id, state));
    };
    const { state, isReadable } = readGateState(place, branch);
    if (isReadable && change(state).length > 0)
      (await changeGateState(place, branch, change)).problems.forEach(tell);
  }
}

/**
 * Returns the session whose work another one continues: the last one that the same client has ended on the same branch
 * within so many seconds. Without one of the same client it is the only one that has ended there; of several, nobody
 * can say which it is.
 */
function findPredecessor(successor: Successor, windowSeconds: number): EndedSession | undefined {
  const ended = listEnded(successor, windowSeconds);
  const own = ended.filter(({ client }) => client === successor.client);
  const newest = own.toSorted((one, other) => other.at - one.at)[0];
  return newest ?? (ended.length === 1 ? ended[0] : undefined);
}

interface EndedSession {
  readonly key: SessionKey;
  readonly id: string | undefined;
  readonly at: number;
  readonly client: number | undefined;
}

function listEnded({ place, key: own, branch }: Successor, windowSeconds: number): readonly EndedSession[] {
  const now = place.clock.now().getTime();
  return listKeys(place, windowSeconds).flatMap((key) => {
    const { metrics } = readMetrics(place, key);
    const at = metrics.endedAt?.getTime();
    // Moments are kept in whole seconds.
    const isRecent = at !== undefined && now - at < (windowSeconds + 1) * 1000;
    if (key === own || metrics.branch !== branch || !isRecent) return [];
    const { client, id } = toNotes(metrics);
    return [{ key, id, at, client }];
  });
}

/** Returns the sessions of which something was written lately; there may be thousands of others. */
function listKeys(place: Successor["place"], windowSeconds: number): readonly SessionKey[] {
  const since = Date.now() - (windowSeconds + 60) * 1000;
  return listJsonFiles([place.folder, locateMetrics(place)]).flatMap((path) => {
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < since) return [];
    const content = readContent(path);
    const id = content.type === "document" ? content.value.session_id : undefined;
    return typeof id === "string" ? [id as SessionKey] : [];
  });
}

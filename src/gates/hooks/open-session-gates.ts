import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readHead } from "../../git/read-head.ts";
import { launcherFile } from "../../lib/hook-files.ts";
import type { Gate, GateConfig } from "../gate.ts";
import { locateGateCache } from "../gate-places.ts";
import type { ClientSession, GateSite, GateSurroundings, SessionHead } from "../gate-site.ts";
import { type FactSources, findKey, gatherFacts } from "../gather-facts.ts";
import { locateBehind, locateHeld } from "../held/held-rules.ts";
import { isSkippedByUser } from "../is-under-agent.ts";
import type { Facts } from "../judge.ts";
import { readGateState, stateFiles } from "../read-gate-state.ts";
import { findFile } from "../state/find-file.ts";
import { type GateChange, locateGates, type SessionKey } from "../state/gate-state.ts";
import { findMetrics } from "../state/read-metrics.ts";
import { noteUse } from "../state/tool-uses.ts";
import { isEditor, writesOf } from "../verdict/ask-tool.ts";
import { findRules, type SessionRules } from "./find-rules.ts";
import { readNotes } from "./session-notes.ts";

/**
 * Opens the gates that a session meets; undefined where no gate does anything: outside a repository, on a detached HEAD
 * that it began on, where they are turned off or skipped, and for a session that does not say who it is.
 */
export async function openSessionGates(client: ClientSession): Promise<GateSite | undefined> {
  if (client.session === "" || (await isSkippedByUser(client))) return undefined;
  const head = await findHead(client);
  if (head === undefined) return undefined;
  const open = (rules: SessionRules) => openAt(client, head, rules);
  const rules = await findRules(client, head, open);
  if (rules?.config.enabled !== true) return undefined;
  return open(client.watches === "writes" ? { ...rules, config: toWritesOnly(rules.config) } : rules);
}

function openAt(
  client: ClientSession,
  head: SessionHead,
  { config, branch, isOutdated = false }: SessionRules,
): GateSite {
  const { session, home, clientFolder, env, clock, process, tell } = client;
  const { root, commonFolder } = head;
  const cacheFolder = locateGateCache(home, commonFolder);
  const place = { folder: locateGates(commonFolder), project: root, clock, cache: cacheFolder };
  const site = openGateSite({
    launcher: join(home, "bin", launcherFile),
    ledger: locateHeld({ home, session }),
    ...{ config, root, branch, commonFolder, session, place, cacheFolder, clientFolder, env, process, tell },
  });
  return isOutdated ? { ...site, isOutdated } : site;
}

/** Git is only asked where the files alone do not say it: starting it takes longer than all the rest. */
async function findHead({ cwd, env }: ClientSession): Promise<SessionHead | undefined> {
  const head = readHead(cwd, { env });
  if (head !== undefined) return head ?? undefined;
  const { readGitFacts } = await import("../../git/git-facts.ts");
  return readGitFacts(cwd);
}

/**
 * Returns what a configuration says of files that a command may write from elsewhere. The command itself is up to where it
 * runs, and of whether it writes here nothing is certain before.
 */
function toWritesOnly(config: GateConfig): GateConfig {
  const narrow = (gate: Gate): Gate => ({
    ...gate,
    triggers: gate.triggers.filter(({ tool }) => isEditor(tool)),
    shellWrites: writesOf(gate, config) === "ignore" ? "ignore" : "check",
  });
  return { ...config, gates: config.gates.map(narrow) };
}

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
  const sources: FactSources = { ...surroundings, findOthers: async () => (await openWriter()).findOthers() };
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

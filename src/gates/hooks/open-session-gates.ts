import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readHead } from "../../git/read-head.ts";
import { AppError } from "../../lib/app-error.ts";
import { locateLauncher } from "../../lib/hook-files.ts";
import { trustFileName } from "../../workspace/locate-home.ts";
import { readCompiledConfig, readGateSources } from "../config/compiled-config.ts";
import { isKnownTrusted } from "../find-trust.ts";
import type { Gate, GateConfig } from "../gate.ts";
import { type GatePlaces, locateCompiledConfig, locateGateCache } from "../gate-places.ts";
import type { ClientSession, GateSite, GateSurroundings, SessionHead } from "../gate-site.ts";
import { type FactSources, findKey, gatherFacts } from "../gather-facts.ts";
import {
  dropHeldRules,
  type HeldPlace,
  type HeldRules,
  locateBehind,
  locateHeld,
  readHeldRules,
  writeHeldRules,
} from "../held/held-rules.ts";
import { isSkippedByUser } from "../is-under-agent.ts";

import { type Facts, judge } from "../judge.ts";
import { locateUserFile } from "../may-have-gates.ts";
import { lookAt, noteUse } from "../pass.ts";
import { readGateState, stateFiles } from "../read-gate-state.ts";
import { openRemedies } from "../remedies.ts";
import { findFile } from "../state/file-content.ts";
import { type GateChange, locateGates, type SessionKey } from "../state/gate-state.ts";
import { findMetrics } from "../state/read-metrics.ts";
import { activeGates, isEditor, writesOf } from "../verdict/ask-tool.ts";
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
  const place = { folder: locateGates(commonFolder), project: root, clock };
  const site = openGateSite({
    launcher: locateLauncher(home),
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
    ...openRemedies(surroundings),
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
    continueWork: async (seconds, decide) => (await openWriter()).continueWork(seconds, decide),
    markTree: async (call) => (await openWriter()).markTree(call),
    findWrites: async (call, more) => (await openWriter()).findWrites(call, more),
    isBehindWatched: () => existsSync(behind),
    findBehind: async () => (await openWriter()).findBehind(),
    forgetBehind: () => rmSync(behind, { force: true }),
  };
}

/** The rules that count for a session at an event. */
interface SessionRules {
  readonly config: GateConfig;
  readonly branch: string;
  /** Whether their files have changed since, and do not count yet. */
  readonly isOutdated?: boolean;
}

/** Opens the gates of a session as some rules have them. */
type OpenSite = (rules: SessionRules) => GateSite;

/**
 * Finds the rules that count for a session; undefined on a detached HEAD that it began on.
 *
 * A session is held to the rules that it began with. What the files say after a change counts for it once all of these are
 * satisfied: until then the change is one that they are against. A person can let it count at any time.
 */
async function findRules(
  client: ClientSession,
  head: SessionHead,
  open: OpenSite,
): Promise<SessionRules | undefined> {
  const place = { home: client.home, session: client.session, root: head.root };
  const held = readHeldRules(place);
  const branch = head.branch ?? held?.branch;
  if (branch === undefined) return undefined;
  const now = await look(client, head, held);
  const rules =
    held !== undefined && (await isHeldTo(held, now, () => open({ ...held, branch })))
      ? { ...held, branch, trustList: now.trustList, repository: now.repository }
      : { ...now, branch, config: await findConfig(client, head, now.places) };
  keep(place, held, rules);
  return { ...rules, isOutdated: rules.key !== now.key };
}

/** What decides which rules count, as it is now. */
interface Look extends Omit<HeldRules, "branch" | "config"> {
  readonly places: GatePlaces;
}

async function look(client: ClientSession, head: SessionHead, held: HeldRules | undefined): Promise<Look> {
  const { root, commonFolder } = head;
  // Before anybody is asked: what changes meanwhile is seen the next time.
  const trustList = lookAt("linked", join(client.home, trustFileName)).was;
  const repository = lookAt("folder", commonFolder).was;
  const isAsTold = held?.trustList === trustList && held.repository === repository;
  const trusted = held !== undefined && isAsTold ? held.trusted : await findTrust(client, head, held);
  const places = { user: locateUserFile(client.clientFolder), root, trusted };
  const key = readGateSources(places)?.key ?? "unknown";
  return { trustList, repository, trusted, places, key };
}

/** Tells whether a session goes on with the rules that it is held to. */
async function isHeldTo(held: HeldRules, now: Look, open: () => GateSite): Promise<boolean> {
  if (held.key === "") return false;
  if (held.key === now.key && held.trusted === now.trusted) return true;
  const isTrustGiven = held.trustList !== now.trustList && held.trusted !== now.trusted;
  return !(isTrustGiven || (await areSatisfied(open())));
}

function keep(place: HeldPlace, held: HeldRules | undefined, rules: HeldRules): void {
  const { branch, trusted, trustList, repository, key, config } = rules;
  if (activeGates(config).length === 0) {
    if (held !== undefined) dropHeldRules(place);
    return;
  }
  const isKept =
    held?.branch === branch &&
    held.key === key &&
    held.trustList === trustList &&
    held.repository === repository &&
    held.trusted === trusted;
  if (!isKept) writeHeldRules(place, { branch, trusted, trustList, repository, key, config });
}

/** Tells whether no gate is against anything at the moment. */
async function areSatisfied(site: GateSite): Promise<boolean> {
  const gates = activeGates(site.config);
  const facts = await site.facts(gates);
  return facts !== undefined && gates.every((gate) => judge(gate, facts).satisfied);
}

/** Asks whether the project is trusted. Where nobody can say it, what was said before counts, and the work goes on. */
async function findTrust(
  { home, askTrust, tell }: ClientSession,
  place: SessionHead,
  held: HeldRules | undefined,
): Promise<boolean> {
  try {
    const cacheFolder = locateGateCache(home, place.commonFolder);
    return await isKnownTrusted({ home, place, cacheFolder, ask: askTrust });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const hint = error.hint ?? "See `carryon doctor`.";
    tell({ path: home, problem: `does not say whether this project is trusted: ${error.message}`, hint });
    return held?.trusted ?? false;
  }
}

async function findConfig(
  { home, clock, tell }: ClientSession,
  { root, commonFolder }: SessionHead,
  places: GatePlaces,
): Promise<GateConfig> {
  const cacheFile = locateCompiledConfig(locateGateCache(home, commonFolder), root);
  const compiled = readCompiledConfig(cacheFile, places);
  if (compiled !== undefined) return compiled;
  // What reads YAML is only loaded when a file has changed.
  const { readGateConfig } = await import("../config/read-gate-config.ts");
  const read = await readGateConfig(places);
  for (const { file, line, problem, hint } of read.problems) {
    tell({ path: file, problem: `is wrong in line ${line}: ${problem}`, hint });
  }
  try {
    const { writeCompiledConfig } = await import("../config/read-gate-config.ts");
    await writeCompiledConfig(cacheFile, read, clock);
  } catch (error) {
    // Without it the next call takes longer, and finds the same.
    if (!(error instanceof AppError)) throw error;
  }
  return read.config;
}

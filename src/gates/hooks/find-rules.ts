import { join } from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { trustFileName } from "../../workspace/trust-file-name.ts";
import { readCompiledConfig, readGateSources } from "../config/compiled-config.ts";
import { isKnownTrusted } from "../find-trust.ts";
import type { GateConfig } from "../gate.ts";
import { type GatePlaces, locateCompiledConfig, locateGateCache } from "../gate-places.ts";
import type { ClientSession, GateSite, SessionHead } from "../gate-site.ts";
import {
  dropHeldRules,
  type HeldPlace,
  type HeldRules,
  readHeldRules,
  writeHeldRules,
} from "../held/held-rules.ts";
import { judge } from "../judge.ts";
import { locateUserFile } from "../may-have-gates.ts";
import { lookAt } from "../pass.ts";
import { activeGates } from "../verdict/ask-tool.ts";

/** The rules that count for a session at an event. */
export interface SessionRules {
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
export async function findRules(
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

import { join } from "node:path";
import { AppError } from "../lib/app-error.ts";
import { LockBusy, withLock } from "../lib/file-lock.ts";
import type { Project } from "../sessions/project.ts";
import { openStore, type Store } from "../storage/open-store.ts";
import { readConfig } from "../workspace/read-config.ts";
import { chooseShared } from "./choose-shared.ts";
import { type Deletion, listUnnamed, noteDeletions } from "./deletions.ts";
import type { ExchangeReport } from "./exchange-report.ts";
import { exchangeSessions } from "./exchange-sessions.ts";
import { serverSite } from "./open-other-store.ts";
import { type RemoteSetting, readRemote } from "./remote-setting.ts";
import { readRemoteState, writeRemoteState } from "./remote-state.ts";

/** What was exchanged with the remote store. */
export interface RemoteReport {
  readonly store: string;
  readonly pushed: readonly ExchangeReport[];
  readonly pulled: readonly ExchangeReport[];
  /** Names of projects that are to be shared, and that nothing here is called by. */
  readonly missing: readonly string[];
  /** Sessions that were deleted in one store and are kept in another, of which no person has heard yet. */
  readonly deletions: readonly Deletion[];
  /** Why it was not, or not all. */
  readonly trouble: string | undefined;
}

interface RemoteSite {
  /** The folder of the store, which is always the one on this machine. */
  readonly home: string;
  readonly machine: string;
  readonly now: Date;
  /** How long it may take, in milliseconds: 60,000 unless told. What is left comes with the next sync. */
  readonly deadlineMs?: number;
}

const usualDeadlineMs = 60_000;

/**
 * Brings the projects that the user shares to the remote store, and what others brought there back; one at a time.
 *
 * A server that is away is written down and disturbs nobody. Undefined where nothing is shared.
 */
export async function syncRemote(site: RemoteSite): Promise<RemoteReport | undefined> {
  const { home } = site;
  const { remote } = await readConfig(home, () => ({ remote: readRemote }));
  if (remote === undefined || remote.projects.length === 0) return undefined;
  try {
    return await withLock(join(home, "remote"), () => keepState(site, remote), { wait: 0 });
  } catch (error) {
    // Whoever holds the lock brings what we would have.
    if (error instanceof LockBusy) return undefined;
    if (!(error instanceof AppError)) throw error;
    const nothing = { pushed: [], pulled: [], missing: [], deletions: [] };
    return { store: remote.url.shown, ...nothing, trouble: error.message };
  }
}

async function keepState(site: RemoteSite, remote: RemoteSetting): Promise<RemoteReport> {
  const { home, now } = site;
  const store = remote.url.shown;
  const report = await exchange(site, remote);
  const before = await readRemoteState(home);
  const inStepAt = before?.store === store ? before.inStepAt : undefined;
  const { trouble, missing, pushed } = report;
  // Where nothing is shared, nothing is in step.
  const isInStep = trouble === undefined && pushed.length > 0;
  await writeRemoteState(home, {
    ...{ store, missing, inStepAt: isInStep ? now : inStepAt },
    trouble: trouble === undefined ? undefined : { at: now, message: trouble },
  });
  return report;
}

async function exchange(site: RemoteSite, remote: RemoteSetting): Promise<RemoteReport> {
  const tally: Tally = { pushed: [], pulled: [], missing: [], deletions: [] };
  const answer = (trouble: string | undefined) => ({ store: remote.url.shown, ...tally, trouble });
  const signal = AbortSignal.timeout(site.deadlineMs ?? usualDeadlineMs);
  try {
    const local = await openStore(site.home);
    try {
      const { chosen, unclear, missing } = await chooseShared(local, remote);
      tally.missing = missing;
      if (chosen.length > 0) await meet(site, remote, { local, chosen, signal }, tally);
      tally.deletions = await listUnnamed(site.home, local.log);
      return answer(unclear.length === 0 ? undefined : describeUnclear(unclear));
    } finally {
      await local[Symbol.asyncDispose]();
    }
  } catch (error) {
    if (error === signal.reason) return answer("It took too long; the rest comes with the next sync.");
    if (error instanceof AppError) return answer(error.message);
    throw error;
  }
}

/** What was done until now, whatever comes after. */
interface Tally {
  readonly pushed: ExchangeReport[];
  readonly pulled: ExchangeReport[];
  missing: readonly string[];
  deletions: readonly Deletion[];
}

interface Gathering {
  readonly local: Store;
  readonly chosen: readonly Project[];
  readonly signal: AbortSignal;
}

async function meet(
  site: RemoteSite,
  remote: RemoteSetting,
  { local, chosen, signal }: Gathering,
  tally: Tally,
): Promise<void> {
  const server = await (await serverSite(remote.url, site.home)).open();
  try {
    for (const project of chosen) await exchangeProject(site, { local, server, project, signal }, tally);
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

interface Meeting {
  readonly local: Store;
  readonly server: Store;
  readonly project: Project;
  readonly signal: AbortSignal;
}

async function exchangeProject(
  { home, machine, now }: RemoteSite,
  { local, server, project, signal }: Meeting,
  tally: Tally,
): Promise<void> {
  const { id } = project;
  const ways = { source: local.replica, target: server.replica };
  const pushed = await exchangeSessions({ ...ways, machine, now, signal, query: { project: id } });
  tally.pushed.push(pushed);
  await noteDeletions(home, "push", server.path, pushed);
  const there = await server.projects.known([id]);
  if (there === undefined) return;
  const back = { source: server.replica, target: local.replica, query: { project: there.id } };
  const pulled = await exchangeSessions({ ...back, targetMachine: machine, now, signal });
  tally.pulled.push(pulled);
  await noteDeletions(home, "pull", server.path, pulled);
  if (pulled.scrubbed > 0) await local.scrubber.wipe();
}

function describeUnclear(names: readonly string[]): string {
  return `More than one project is called ${names.join(", ")}, so that none of them is shared; name its id under remote in config.yaml.`;
}

import { join } from "node:path";
import type { Project } from "../../conversation/project.ts";
import { AppError } from "../../lib/app-error.ts";
import { acquireLock, LockBusy } from "../../lib/file-lock.ts";
import { openStore, type Store } from "../../storage/open-store.ts";
import type { ExchangeReport } from "../../sync/exchange/exchange-report.ts";
import { exchangeSessions } from "../../sync/exchange/exchange-sessions.ts";
import { readConfig } from "../read-config.ts";
import { serverSite } from "./open-other-store.ts";
import type { RemoteSetting } from "./remote-setting.ts";
import { readRemoteState, writeRemoteState } from "./remote-state.ts";

/** What was exchanged with the remote store. */
export interface RemoteReport {
  readonly store: string;
  readonly pushed: readonly ExchangeReport[];
  readonly pulled: readonly ExchangeReport[];
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
  const { remote } = await readConfig(home);
  if (remote === undefined || remote.projects.length === 0) return undefined;
  try {
    const lock = await acquireLock(join(home, "remote"), { wait: 0 });
    try {
      return await keepState(site, remote);
    } finally {
      await lock.release();
    }
  } catch (error) {
    // Whoever holds the lock brings what we would have.
    if (error instanceof LockBusy) return undefined;
    if (!(error instanceof AppError)) throw error;
    return { store: remote.url.shown, pushed: [], pulled: [], trouble: error.message };
  }
}

async function keepState(site: RemoteSite, remote: RemoteSetting): Promise<RemoteReport> {
  const { home, now } = site;
  const store = remote.url.shown;
  const report = await exchange(site, remote);
  const before = await readRemoteState(home);
  const inStepAt = before?.store === store ? before.inStepAt : undefined;
  const { trouble } = report;
  await writeRemoteState(
    home,
    trouble === undefined
      ? { store, inStepAt: now, trouble: undefined }
      : { store, inStepAt, trouble: { at: now, message: trouble } },
  );
  return report;
}

async function exchange(site: RemoteSite, remote: RemoteSetting): Promise<RemoteReport> {
  const tally: { pushed: ExchangeReport[]; pulled: ExchangeReport[] } = { pushed: [], pulled: [] };
  const answer = (trouble: string | undefined) => ({ store: remote.url.shown, ...tally, trouble });
  const signal = AbortSignal.timeout(site.deadlineMs ?? usualDeadlineMs);
  try {
    const local = await openStore(site.home);
    try {
      const { chosen, unclear } = await chooseShared(local, remote);
      const server = await (await serverSite(remote.url, site.home)).open();
      try {
        for (const project of chosen) await exchangeProject(site, { local, server, project, signal }, tally);
      } finally {
        await server[Symbol.asyncDispose]();
      }
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

interface Meeting {
  readonly local: Store;
  readonly server: Store;
  readonly project: Project;
  readonly signal: AbortSignal;
}

async function exchangeProject(
  { machine, now }: RemoteSite,
  { local, server, project, signal }: Meeting,
  tally: { readonly pushed: ExchangeReport[]; readonly pulled: ExchangeReport[] },
): Promise<void> {
  const { id } = project;
  const ways = { source: local.replica, target: server.replica };
  tally.pushed.push(await exchangeSessions({ ...ways, machine, now, signal, query: { project: id } }));
  const there = await server.projects.known([id]);
  if (there === undefined) return;
  const back = { source: server.replica, target: local.replica, query: { project: there.id } };
  tally.pulled.push(await exchangeSessions({ ...back, now, signal }));
}

/** A name that fits several projects shares none of them: it might be the wrong one. */
async function chooseShared(
  { projects }: Store,
  remote: RemoteSetting,
): Promise<{ readonly chosen: readonly Project[]; readonly unclear: readonly string[] }> {
  const all = await projects.list();
  if (remote.projects === "all") return { chosen: all, unclear: [] };
  const found = remote.projects.map((text) => ({
    text,
    fits: all.filter(({ id, name }) => id === text || name === text),
  }));
  return {
    chosen: [...new Set(found.flatMap(({ fits }) => (fits.length === 1 ? fits : [])))],
    unclear: found.filter(({ fits }) => fits.length > 1).map(({ text }) => text),
  };
}

function describeUnclear(names: readonly string[]): string {
  return `More than one project is called ${names.join(", ")}, so that none of them is shared; name its id under remote in config.yaml.`;
}

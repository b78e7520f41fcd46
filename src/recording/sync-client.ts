import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readLiveSessions } from "../clients/claude-code/live-sessions.ts";
import { folderOf, listTranscripts } from "../clients/claude-code/locate.ts";
import { isJsonObject, textOf } from "../clients/claude-code/wire.ts";
import { usageError } from "../lib/app-error.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { withLock } from "../lib/file-lock.ts";
import type { Inbox, InboxItem } from "../sessions/inbox.ts";
import type { Project, Projects } from "../sessions/project.ts";
import { drainSpool } from "../storage/drain-spool.ts";
import { openStore, type Store } from "../storage/open-store.ts";
import { sweepBriefFiles } from "../workspace/brief-files.ts";
import { followProjects } from "../workspace/follow-projects.ts";
import { noteClientFolders, readClientFolders } from "./client-folders.ts";
import { nameInbox, nameLive, namePrivacy } from "./intake/given-sessions.ts";
import { isBeginning, isMoment } from "./intake/moments.ts";
import { readPending } from "./intake/read-pending.ts";
import { type SyncOptions, syncAll } from "./intake/sync-all.ts";
import { openPrivacy, type Privacy } from "./privacy.ts";
import { isPrivateAt } from "./private-sessions.ts";
import { findGone, recogniseFolder } from "./recognise-folder.ts";
import { isRecordedIn } from "./record-rules.ts";
import { type SyncReport, SyncTally } from "./sync-report.ts";

export interface SyncChoice
  extends Pick<SyncOptions, "client" | "since" | "below" | "recorded" | "begun" | "onProgress"> {
  /** The folder of the store, which is always the one on this machine: see `locateHome`. */
  readonly home: string;
  readonly machine: string;
  readonly now: Date;
  /** Only sessions of the project of this folder. */
  readonly folder?: string;
  /** How many milliseconds to wait for another sync: 15,000, unless told; most take a moment. */
  readonly wait?: number;
  /** The store of the projects' documents, if it is another one: what `CARRYON_STORE` says. */
  readonly documents?: string | undefined;
  /** When documents are written; `now` is when the sync was asked for. */
  readonly clock?: Clock;
  /** The store of the home folder where it is open for writing; it stays open. */
  readonly store?: Store | undefined;
}

const patienceMs = 15_000;

/** Takes what Claude Code wrote and its hooks saw into the store of a home folder; one at a time, others wait. */
export async function syncClient({ store: given, ...choice }: SyncChoice): Promise<SyncReport> {
  if (given !== undefined) return syncInto(given, choice);
  const store = await openStore(choice.home);
  try {
    return await syncInto(store, choice);
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

async function syncInto(
  store: Store,
  { home, wait = patienceMs, ...choice }: Omit<SyncChoice, "store">,
): Promise<SyncReport> {
  const tally = new SyncTally();
  const sync = async () => {
    for (const { file: path, reason } of (await drainSpool(home)).rejected)
      tally.failed.push({ path, code: "spool-rejected", reason });
    await syncStore(store, { home, ...choice }, tally);
    await sweepBriefFiles(home, choice.now);
    return tally.report;
  };
  return withLock(join(home, "sync"), sync, { wait });
}

async function syncStore(
  { log, ingestion, inbox: all, projects }: Store,
  {
    home,
    machine,
    now,
    folder,
    documents,
    clock = systemClock,
    ...options
  }: Omit<SyncChoice, "wait" | "store">,
  tally: SyncTally,
): Promise<void> {
  const recognise = rememberProjects(async (cwd) => {
    const project = await recogniseFolder(projects, cwd);
    await followProjects(home, projects);
    return project;
  });
  const given = await ingestion.natives("claude-code");
  const inbox = nameInbox(all, given);
  const privacy = namePrivacy(await openPrivacy(home), given);
  await forgetPrivate(inbox, privacy);
  const pending = await readPending(inbox);
  const told = [...pending.values()].flatMap(({ path }) =>
    path === undefined ? [] : (folderOf(path) ?? []),
  );
  await noteClientFolders(home, [options.client, ...new Set(told)]);
  const folders = await readClientFolders(home, options.client);
  const live = nameLive(await readLiveSessions(folders), given);
  if (folder !== undefined) await requireFolder(projects, options.client, folder);
  const project = folder === undefined ? {} : { project: (await recognise(folder)).id };
  const site = { log, ingestion, inbox, given, live, recognise, machine, now, privacy };
  // Most syncs have nothing to write down, and do not load what would.
  const isCalled = [...pending.values()].some(({ items }) =>
    items.some((item) => isMoment(item) || isBeginning(item)),
  );
  const attend = async () =>
    (await import("./moments/attend-moments.ts")).attendMoments(
      { log, ingestion, given, live, recognise, machine, home, documents, clock },
      pending,
      tally,
    );
  const choice = { ...options, ...project, elsewhere: folders.slice(1), ...(isCalled && { attend }) };
  await syncAll(site, pending, choice, tally);
}

/** Asks once for each folder: many transcripts have the same, and each answer costs a few runs of git. */
function rememberProjects(ask: (cwd: string) => Promise<Project>): (cwd: string) => Promise<Project> {
  const known = new Map<string, Promise<Project>>();
  return (cwd) => {
    const project = known.get(cwd) ?? ask(cwd);
    known.set(cwd, project);
    return project;
  };
}

/** Throws unless a folder that a person named is there, or is known to the store or to the client: it was mistyped. */
async function requireFolder(projects: Projects, client: string, folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() === true || (await findGone(projects, folder)) !== undefined) return;
  if ((await listTranscripts(client, folder)).length > 0) return;
  const what = stats === undefined ? "is not there" : "is not a folder";
  throw usageError("project-not-found", `${folder} ${what}, and nothing was recorded in it.`, {
    hint: "Give a folder of the project, such as `.`",
  });
}

const pageSize = 500;

/** Forgets what hooks told of private times and folders: those of 0.1.0 do not ask before they tell. */
async function forgetPrivate(inbox: Inbox, privacy: Privacy): Promise<void> {
  const { rules, isAny, spansOf } = privacy;
  if (!isAny) return;
  const isPrivate = ({ session, receivedAt, payload }: InboxItem): boolean => {
    const cwd = isJsonObject(payload) ? textOf(payload, "cwd") : undefined;
    return (
      isPrivateAt({ spans: spansOf(session) }, receivedAt.getTime()) ||
      (cwd !== undefined && !isRecordedIn(rules, cwd))
    );
  };
  for (let after = 0; ; ) {
    const items = await inbox.take(pageSize, after);
    const forgotten = items.filter(isPrivate).map(({ key }) => key);
    if (forgotten.length > 0) await inbox.forget(forgotten);
    after = items.at(-1)?.key ?? after;
    if (items.length < pageSize) return;
  }
}

import { listTranscripts } from "../clients/claude-code/locate.ts";
import { examineGates } from "../gates/gates-beside.ts";
import { examineDecisions, type Findings } from "../handover/examine-decisions.ts";
import { examineDocuments } from "../handover/examine-documents.ts";
import { describeWaiting, findWaitingHere } from "../handover/wait-for-trust.ts";
import { findSources, type HookSource, inspectInstall } from "../install/inspect-install.ts";
import { inspectLog } from "../install/inspect-log.ts";
import { type InstallSite, locateInstall } from "../install/locate-settings.ts";
import { AppError, usageError } from "../lib/app-error.ts";
import { readVersion } from "../lib/version.ts";
import { type DeletedWork, findDeletedWork } from "../recording/deleted-work.ts";
import { describeLeftOut, type IndexReport, type LeftOut } from "../sessions/search-index.ts";
import { describeRemote, readRemoteStatus } from "../share/remote-status.ts";
import type { Store } from "../storage/open-store.ts";
import type { UsageRow } from "../storage/read-usage.ts";
import { type Problem, type StoreReport, toProblem } from "../storage/store-report.ts";
import type { StoreFile, StoreSite } from "../storage/store-site.ts";
import { type HandoverPlace, locateHandoverHere } from "../workspace/choose-handover-place.ts";
import { readHere, requireFile, storeOf, using } from "../workspace/open-here.ts";
import { readConfig } from "../workspace/read-config.ts";
import type { Caller, Workspace } from "../workspace/workspace.ts";
import { type ClientsReport, checkClients, toFindings } from "./client-files.ts";

/** What is done besides the examination. */
export interface DoctorRequest {
  /** Tell what takes space. */
  readonly usage?: boolean | undefined;
  /** Make the search index anew. */
  readonly reindex?: boolean | undefined;
  /** Make a key where that of the store is lost. */
  readonly newKey?: boolean | undefined;
  /** Examine the session files of clients, too. */
  readonly clients?: boolean | undefined;
  /** Rename a store that cannot be read. */
  readonly moveAside?: boolean | undefined;
}

/** Hears of each step as soon as it is done. */
export interface DoctorSteps {
  keyMade(): void;
  indexing(done: number, total: number): void;
  indexed(entries: number): void;
}

/** What is known of the store, and of everything else that may be wrong. */
export interface DoctorReport extends StoreReport {
  /** How large the search index is; null where that cannot be told. */
  readonly search: IndexReport | null;
  /** For what Claude Code is recorded here. */
  readonly hooks: readonly HookSource[];
  /** What should be known, and is no problem any more. */
  readonly notes: readonly Problem[];
}

/** What was found and done. */
export interface Diagnosis {
  readonly report: DoctorReport;
  /** How many of the problems go when the log of hooks is deleted. */
  readonly logged: number;
  /** The home folder of Carryon. */
  readonly home: string;
  readonly deleted: readonly DeletedWork[];
  readonly usage: readonly UsageRow[] | undefined;
  readonly clients: ClientsReport | undefined;
  /** The new path of a store that was renamed. */
  readonly movedTo: string | undefined;
}

/** Examines the store, the hooks, the handover and the gates; changes only what is asked for. */
export async function doctor(
  context: Caller,
  { usage, clients: asksForClients, reindex, newKey, moveAside }: DoctorRequest,
  steps: DoctorSteps,
): Promise<Diagnosis> {
  const site = await storeOf(context);
  const file = moveAside ? requireFile(site) : undefined;
  if (newKey) {
    await requireFile(site).makeKey();
    steps.keyMade();
  }
  if (reindex) await rebuildIndex(site, steps);
  const store = await site.inspect();
  const install = await locateInstall(context, "project");
  const examined = await examine(context, store, install);
  // Of a store that cannot be read, everything else is still told.
  const rows =
    usage && store.sessions !== null
      ? await using(await site.openForReading(), (open) => open.usage())
      : undefined;
  const deleted = await findDeleted(install, site, store);
  const clients = asksForClients ? await checkClients(context) : undefined;
  const found = clients === undefined ? { problems: [], notes: [] } : toFindings(clients);
  const report = {
    ...examined.report,
    problems: [...examined.report.problems, ...found.problems],
    notes: [...examined.report.notes, ...found.notes],
  };
  const movedTo = file && (await moveDamaged(file, store, context.clock.now()));
  return { ...examined, report, home: install.home, deleted, usage: rows, clients, movedTo };
}

async function rebuildIndex(site: StoreSite, { indexing, indexed }: DoctorSteps): Promise<void> {
  // Nothing is made where there is no store.
  await using(await site.openForReading(), async () => undefined);
  const rebuild = async ({ search, digests }: Store) => {
    await digests.clear();
    return search.rebuild(indexing);
  };
  indexed(await using(await site.open(), rebuild));
}

/** Clients are recorded on this machine only. */
async function findDeleted(
  { client }: InstallSite,
  site: StoreSite,
  { sessions }: StoreReport,
): Promise<readonly DeletedWork[]> {
  if (site.file === undefined || sessions === null) return [];
  // Sync tells of what cannot be read.
  const files = await listTranscripts(client, undefined, () => undefined);
  return using(await site.openForReading(), ({ ingestion }) => findDeletedWork(ingestion, files));
}

/** Renames a store that cannot be read, and returns its new path. */
async function moveDamaged(file: StoreFile, { exists, sessions }: StoreReport, now: Date): Promise<string> {
  if (!exists || sessions !== null) {
    throw usageError("store-healthy", "The store can be read, so it was left where it is.", {
      hint: "To begin a new one all the same, set CARRYON_HOME to another folder.",
    });
  }
  return file.moveAside(now);
}

/** Adds to what is known of a store what may be wrong with the hooks, the handover and the gates; changes nothing. */
async function examine(
  context: Caller,
  store: StoreReport,
  install: InstallSite,
): Promise<Pick<Diagnosis, "report" | "logged">> {
  const found = await inspectInstall(install, await readVersion());
  const log = await inspectLog(install.home, context.clock.now());
  const config = await examineConfig(install.home);
  const handover = await examineHandover(context, store);
  const search = await describeIndex(context, store);
  const problems = [...store.problems, ...found, ...config, ...handover.problems, ...log.problems];
  const notes = [
    ...(await examineRemote(install.home, context.clock.now())),
    ...(search?.leftOut ?? []).map(noteLeftOut),
    ...handover.notes,
    ...log.notes,
  ];
  return {
    report: {
      ...store,
      search,
      hooks: await findSources(install),
      problems: withoutRepetition(problems),
      notes,
    },
    logged: log.problems.length,
  };
}

function noteLeftOut(entry: LeftOut): Problem {
  return {
    what: describeLeftOut(entry),
    hint: "After an update of Carryon, `carryon doctor --reindex` tries again.",
  };
}

/** Of a store or an index that cannot be read nothing is told here: that is among the problems. */
async function describeIndex(context: Caller, { sessions }: StoreReport): Promise<IndexReport | null> {
  if (sessions === null) return null;
  try {
    return await readHere(context, ({ store: { search } }) => search.describe());
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function examineHandover(context: Caller, store: StoreReport): Promise<Findings> {
  const found = await trying(async () => {
    const place = await locateHandoverHere(context);
    // What is wrong with one document hides nothing of another.
    const all = [
      await trying(() => withSite(context, store, place, (site) => examineDocuments(place, site))),
      await trying(() => examineLog(context, store, place)),
      await trying(async () => ({ problems: await findTroubles(context, place.root), notes: [] })),
    ];
    return { problems: all.flatMap(({ problems }) => problems), notes: all.flatMap(({ notes }) => notes) };
  });
  // A folder that is a link is what is wrong with all of them.
  return { ...found, problems: withoutRepetition(found.problems) };
}

function withoutRepetition(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ what }, at) => problems.findIndex((each) => each.what === what) === at);
}

/** Each command reads only its own settings; a mistake in any of them is reported here. */
async function examineConfig(home: string): Promise<readonly Problem[]> {
  const found = await trying(async () => {
    await readConfig(home, async () => (await import("./setting-readers.ts")).settingReaders);
    return { problems: [], notes: [] };
  });
  return found.problems;
}

/** Looks at documents with what the log knows of them; without a store that can be read, at the documents alone. */
async function withSite(
  context: Caller,
  { sessions }: StoreReport,
  { root }: HandoverPlace,
  look: (here: Workspace | undefined) => Promise<Findings>,
): Promise<Findings> {
  if (sessions === null) return look(undefined);
  return readHere(context, ({ project, ...here }) =>
    look(project === undefined ? undefined : { ...here, project, root }),
  );
}

function examineLog(context: Caller, store: StoreReport, place: HandoverPlace): Promise<Findings> {
  return withSite(context, store, place, async (here) => {
    const { problems, notes } = await examineDecisions(here, place);
    const waiting = here === undefined ? [] : await findWaitingHere(here);
    if (waiting.length === 0) return { problems, notes };
    const hint = "If you know who wrote them, trust the project with `carryon trust`.";
    return { problems, notes: [...notes, { what: describeWaiting(waiting), hint }] };
  });
}

/** A server that is away is no fault of this machine; what is left to share waits. */
async function examineRemote(home: string, now: Date): Promise<readonly Problem[]> {
  const remote = await trying(async () => {
    const status = await readRemoteStatus(home);
    if (status === undefined || (status.trouble === undefined && status.missing.length === 0))
      return { problems: [], notes: [] };
    const what = `Remote: ${describeRemote(status, now)}`;
    const hint =
      status.trouble === undefined
        ? "Under projects in config.yaml stands what `carryon status` calls a project, or its id."
        : "`carryon sync` tries again; what is not shared yet is kept.";
    return { problems: [], notes: [{ what, hint }] };
  });
  // What is wrong with config.yaml is told with the store.
  return remote.notes;
}

async function findTroubles(context: Caller, root: string): Promise<readonly Problem[]> {
  return (await examineGates(context, root)).map(({ path, line, problem, hint }) => ({
    what: line === null ? `${path} ${problem}.` : `${path}, line ${line}: ${problem}`,
    hint,
  }));
}

async function trying(work: () => Promise<Findings>): Promise<Findings> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problems: [toProblem(error)], notes: [] };
  }
}

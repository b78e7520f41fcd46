import { examineGates } from "../gates/gates-beside.ts";
import { examineDecisions, type Findings } from "../handover/examine-decisions.ts";
import { examineDocuments } from "../handover/examine-documents.ts";
import { findSources, inspectInstall } from "../install/inspect-install.ts";
import { inspectLog } from "../install/inspect-log.ts";
import { AppError } from "../lib/app-error.ts";
import type { IndexReport, LeftOut } from "../sessions/search-index.ts";
import { readRemoteStatus } from "../share/remote-status.ts";
import { type Problem, type StoreReport, toProblem } from "../storage/store-report.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { readHere } from "../workspace/open-here.ts";
import { readConfig } from "../workspace/read-config.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { CommandContext } from "./command-context.ts";
import { describeWaiting, findWaitingHere } from "./handover/find-waiting-here.ts";
import { locateHandoverHere } from "./handover/locate-handover-here.ts";
import { locateInstall } from "./init/locate-install.ts";
import { describeLeftOut } from "./search/describe-left-out.ts";
import { describeRemote } from "./share/describe-remote.ts";
import type { DoctorReport } from "./store-report.ts";
import { readVersion } from "./version.ts";

interface Examined {
  readonly report: DoctorReport;
  /** How many of the problems go when the log of hooks is deleted. */
  readonly logged: number;
  /** The home folder of Carryon. */
  readonly home: string;
}

/** Adds to what is known of a store what may be wrong with the hooks, the handover and the gates; changes nothing. */
export async function examine(context: CommandContext, store: StoreReport): Promise<Examined> {
  const install = await locateInstall(context, "project");
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
    home: install.home,
  };
}

function noteLeftOut(entry: LeftOut): Problem {
  return {
    what: describeLeftOut(entry),
    hint: "After an update of Carryon, `carryon doctor --reindex` tries again.",
  };
}

/** Of a store or an index that cannot be read nothing is told here: that is among the problems. */
async function describeIndex(
  context: CommandContext,
  { sessions }: StoreReport,
): Promise<IndexReport | null> {
  if (sessions === null) return null;
  try {
    return await readHere(context, ({ store: { search } }) => search.describe());
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function examineHandover(context: CommandContext, store: StoreReport): Promise<Findings> {
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
  context: CommandContext,
  { sessions }: StoreReport,
  { root }: HandoverPlace,
  look: (here: Workspace | undefined) => Promise<Findings>,
): Promise<Findings> {
  if (sessions === null) return look(undefined);
  return readHere(context, ({ project, ...here }) =>
    look(project === undefined ? undefined : { ...here, project, root }),
  );
}

function examineLog(context: CommandContext, store: StoreReport, place: HandoverPlace): Promise<Findings> {
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

async function findTroubles(context: CommandContext, root: string): Promise<readonly Problem[]> {
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

import type { HandoverPlace } from "../handover/handover-folder.ts";
import { AppError } from "../lib/app-error.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import { examineDecisions, type Findings } from "../project/handover/examine-decisions.ts";
import { examineDocuments } from "../project/handover/examine-documents.ts";
import { findSources, inspectInstall } from "../project/install/inspect-install.ts";
import { inspectLog } from "../project/install/inspect-log.ts";
import { readRemoteStatus } from "../project/share/remote-status.ts";
import { type Problem, type StoreReport, toProblem } from "../storage/store-report.ts";
import type { CommandContext } from "./command-context.ts";
import { examineGates } from "./gate/gates-beside.ts";
import { locateHandoverHere } from "./handover/locate-handover-here.ts";
import { locateInstall } from "./init/locate-install.ts";
import { readHere } from "./open-here.ts";
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
  const handover = await examineHandover(context, store);
  const problems = [...store.problems, ...found, ...handover.problems, ...log.problems];
  const notes = [
    ...(await examineRemote(install.home, context.clock.now())),
    ...handover.notes,
    ...log.notes,
  ];
  return {
    report: { ...store, hooks: await findSources(install), problems, notes },
    logged: log.problems.length,
    home: install.home,
  };
}

async function examineHandover(context: CommandContext, store: StoreReport): Promise<Findings> {
  const found = await trying(async () => {
    const place = await locateHandoverHere(context);
    // What is wrong with one document hides nothing of another.
    const all = [
      await trying(() => examineDocuments(place)),
      await trying(() => examineLog(context, store, place)),
      await trying(async () => ({ problems: await findTroubles(context, place.root), notes: [] })),
    ];
    return { problems: all.flatMap(({ problems }) => problems), notes: all.flatMap(({ notes }) => notes) };
  });
  // A folder that is a link is what is wrong with all of them.
  const isFirst = ({ what }: Problem, at: number) =>
    found.problems.findIndex((each) => each.what === what) === at;
  return { ...found, problems: found.problems.filter(isFirst) };
}

/** Without a store that can be read, decisions.md is looked at alone. */
async function examineLog(
  context: CommandContext,
  { sessions }: StoreReport,
  place: HandoverPlace,
): Promise<Findings> {
  if (sessions === null) return examineDecisions(undefined, place);
  return readHere(context, ({ store: { log }, project }) => {
    const { machine, clock } = context;
    const site = project && { log, project, root: place.root, machine, clock, random: systemRandom };
    return examineDecisions(site, place);
  });
}

/** A server that is away is no fault of this machine; what is left to share waits. */
async function examineRemote(home: string, now: Date): Promise<readonly Problem[]> {
  const remote = await trying(async () => {
    const status = await readRemoteStatus(home);
    if (status?.trouble === undefined) return { problems: [], notes: [] };
    const what = `Remote: ${describeRemote(status, now)}`;
    return {
      problems: [],
      notes: [{ what, hint: "`carryon sync` tries again; what is not shared yet is kept." }],
    };
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

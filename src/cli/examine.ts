import { AppError } from "../lib/app-error.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import { examineDecisions, type Findings } from "../project/handover/examine-decisions.ts";
import { findScopes, inspectInstall } from "../project/install/inspect-install.ts";
import { inspectLog } from "../project/install/inspect-log.ts";
import { type StoreReport, toProblem } from "../storage/store-report.ts";
import type { CommandContext } from "./command-context.ts";
import { locateHandoverHere } from "./handover/locate-handover-here.ts";
import { locateInstall } from "./init/locate-install.ts";
import { readHere } from "./open-here.ts";
import type { DoctorReport } from "./store-report.ts";
import { readVersion } from "./version.ts";

interface Examined {
  readonly report: DoctorReport;
  /** How many of the problems go when the log of hooks is deleted. */
  readonly logged: number;
  /** The home folder of Carryon. */
  readonly home: string;
}

/** Adds to what is known of a store what may be wrong with the hooks and the handover; changes nothing. */
export async function examine(context: CommandContext, store: StoreReport): Promise<Examined> {
  const install = await locateInstall(context, "project");
  const found = await inspectInstall(install, await readVersion());
  const log = await inspectLog(install.home, context.clock.now());
  const handover = await examineHandover(context, store);
  const problems = [...store.problems, ...found, ...handover.problems, ...log.problems];
  const notes = [...handover.notes, ...log.notes];
  return {
    report: { ...store, hooks: await findScopes(install), problems, notes },
    logged: log.problems.length,
    home: install.home,
  };
}

/** Without a store that can be read, the documents are looked at alone. */
async function examineHandover(context: CommandContext, { sessions }: StoreReport): Promise<Findings> {
  try {
    const place = await locateHandoverHere(context);
    if (sessions === null) return await examineDecisions(undefined, place);
    return await readHere(context, ({ store: { log }, project }) => {
      const { machine, clock } = context;
      const site = project && { log, project, root: place.root, machine, clock, random: systemRandom };
      return examineDecisions(site, place);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problems: [toProblem(error)], notes: [] };
  }
}

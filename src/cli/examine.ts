import { findScopes, inspectInstall } from "../project/install/inspect-install.ts";
import { inspectLog } from "../project/install/inspect-log.ts";
import type { StoreReport } from "../storage/store-report.ts";
import type { CommandContext } from "./command-context.ts";
import { locateInstall } from "./init/locate-install.ts";
import type { DoctorReport } from "./store-report.ts";
import { readVersion } from "./version.ts";

interface Examined {
  readonly report: DoctorReport;
  /** How many of the problems go when the log of hooks is deleted. */
  readonly logged: number;
  /** The home folder of Carryon. */
  readonly home: string;
}

/** Adds to what is known of a store what may be wrong with the hooks; changes nothing. */
export async function examine(context: CommandContext, store: StoreReport): Promise<Examined> {
  const install = await locateInstall(context, "project");
  const found = await inspectInstall(install, await readVersion());
  const log = await inspectLog(install.home, context.clock.now());
  const problems = [...store.problems, ...found, ...log.problems];
  return {
    report: { ...store, hooks: await findScopes(install), problems, notes: log.notes },
    logged: log.problems.length,
    home: install.home,
  };
}

import type { Blocker } from "../../work/blockers/blocker.ts";
import { newestOutcomes } from "../../work/blockers/newest-outcomes.ts";
import { readConfig } from "../read-config.ts";
import { collectOutcomes, type OutcomeSite } from "./collect-outcomes.ts";

/** Where a blocker is looked for. */
export interface BlockerSite extends OutcomeSite {
  /** The folder of config.yaml: see `locateHome`. */
  readonly home: string;
}

/**
 * Returns the blocker that counts after what was recorded from a moment on, as the user has set it; see `collectOutcomes`.
 *
 * From the moment at which an earlier blocker was detected, it says also whether that one is gone.
 */
export async function findBlocker(site: BlockerSite, since?: Date): Promise<Blocker | undefined> {
  const { blockers, recoveryAgents, maxRecoveryAttempts } = await readConfig(site.home);
  return newestOutcomes(await collectOutcomes(site, since), {
    rules: blockers?.patterns,
    agents: recoveryAgents,
    mostAttempts: maxRecoveryAttempts,
  });
}

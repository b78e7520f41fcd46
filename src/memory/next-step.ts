import { findNextStep } from "../digest/judge-work.ts";
import { readWorkstreams } from "./earlier-work.ts";
import { chooseWorkstream } from "./workstreams.ts";

/** Returns what the recorded work of this branch calls for, in a sentence; undefined when nothing is open. */
export async function readNextStep(
  ...[here, sessions]: Parameters<typeof readWorkstreams>
): Promise<string | undefined> {
  const workstreams = await readWorkstreams(here, sessions);
  const work = chooseWorkstream(workstreams, here.branch, here.clock.now());
  return work === undefined || work.isTrivial ? undefined : findNextStep(work.digest)?.text;
}

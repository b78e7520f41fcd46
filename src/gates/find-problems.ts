import type { GateDesk } from "./gate-desk.ts";
import { inspectGateFiles, unique } from "./inspect-gate-files.ts";
import { listSessions } from "./registry.ts";
import type { FileProblem } from "./state/problem.ts";

/** Something that is wrong with the gates of a place, which stops nobody. */
export interface GateTrouble {
  readonly path: string;
  readonly line: number | null;
  readonly problem: string;
  readonly hint: string;
}

/**
 * Returns all that is wrong: with trust, with the configuration, with what stands in the files that were read, with the list
 * of sessions, and with who may read and write all of them.
 */
export async function findGateProblems(
  desk: GateDesk,
  ofContent: readonly FileProblem[],
): Promise<readonly GateTrouble[]> {
  const ofConfig = desk.read.problems.map(({ file, ...rest }) => ({ path: file, ...rest }));
  const ofFiles = [
    ...findDoubt(desk),
    ...ofContent,
    ...(await listSessions({ path: desk.registry })).problems,
    ...inspectGateFiles(desk),
  ];
  return [...ofConfig, ...unique(ofFiles).map((problem) => ({ ...problem, line: null }))];
}

/** It matters only where something waits for trust. */
function findDoubt({ home, doubt, read: { waiting } }: GateDesk): readonly FileProblem[] {
  if (doubt === undefined || waiting.length === 0) return [];
  const problem = `does not say whether this project is trusted: ${doubt.message.replace(/\.$/, "")}`;
  return [{ path: home, problem, hint: doubt.hint ?? "See `carryon doctor`." }];
}

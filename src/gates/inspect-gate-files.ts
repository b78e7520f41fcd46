import { dirname, sep } from "node:path";
import { type GateRow, listGates } from "./describe-refusal.ts";
import { type GateDesk, gatherHere } from "./gate-desk.ts";
import { listGateFiles } from "./gate-places.ts";
import type { GatheredFacts } from "./gather-facts.ts";
import { holdDesk } from "./hold-desk.ts";
import { listSessionsHere } from "./list-sessions-here.ts";
import { locateUserFile } from "./may-have-gates.ts";
import { locateMarks } from "./measure/grounds.ts";
import { describeContent, openDocument } from "./read-gate-state.ts";
import { listSessions } from "./registry.ts";
import type { ListedSession } from "./session-key.ts";
import { readContent } from "./state/file-content.ts";
import type { GatePlace } from "./state/gate-state.ts";
import { inspectFile, inspectFolder, inspectSource } from "./state/inspect-access.ts";
import { listJsonFiles } from "./state/list-branch-files.ts";
import { type FileProblem, findFolderFault } from "./state/problem.ts";
import { locateMetrics, readMetrics } from "./state/read-metrics.ts";

/** How a gate stands, with what is to be said of its figure. */
export interface GateReading extends GateRow {
  /** Why there is no figure, or why it is not the whole truth. */
  readonly remark?: string;
}

/** How the gates of a branch stand. */
export interface GateStatus {
  readonly branch: string | null;
  readonly session: string | null;
  readonly rows: readonly GateReading[];
  readonly problems: readonly GateTrouble[];
  /** Why no gate does anything, in a sentence. */
  readonly inert: string | undefined;
  /** The files that count once the project is trusted. */
  readonly waiting: readonly string[];
  /** The sessions that live in this repository. */
  readonly live: readonly ListedSession[];
  readonly now: Date;
}

const unreadable =
  "What has become of the gates cannot be read: until that is mended, no tool and no stop is refused.";

/** Finds out how the gates of a branch stand for a session, or for nobody's. */
export async function readGateStatus(
  found: GateDesk,
  named: string | null,
  session: string | null,
): Promise<GateStatus> {
  const { desk, remarks } = session === null ? { desk: found, remarks: [] } : holdDesk(found, session);
  const { read, clock, place } = desk;
  // One that is named is meant whatever is checked out.
  const branch = named ?? desk.branch;
  const gathered =
    branch === null || place === undefined ? undefined : await gatherHere(desk, branch, session ?? "");
  const rows = gathered === undefined ? [] : listGates(read.config, gathered.facts);
  const key = gathered?.facts.session;
  const ofMetrics = place === undefined || !key ? [] : readMetrics(place, key).problems;
  return {
    branch,
    session: session === null ? null : (gathered?.facts.session ?? session),
    rows: rows.map((row) => {
      const remark = gathered?.remarks.get(row.gate.name);
      return remark === undefined ? row : { ...row, remark };
    }),
    problems: await findGateProblems(desk, [...remarks, ...(gathered?.problems ?? []), ...ofMetrics]),
    inert: findInertness(desk, branch, gathered),
    waiting: read.waiting,
    live: await listSessionsHere(desk),
    now: clock.now(),
  };
}

function findInertness(
  { branch: current, place, inert }: GateDesk,
  branch: string | null,
  gathered: GatheredFacts | undefined,
): string | undefined {
  // A branch that is named is there whatever is checked out.
  const isThere = branch !== null && current === null && place !== undefined;
  if (!isThere && inert !== undefined) return inert;
  return gathered?.isReadable === false ? unreadable : undefined;
}

/** Metrics are never deleted; beyond so many files nobody looks at each. */
const most = 1000;

/** Returns who is in the way: owners and permissions of the files of gates, disks that are full or can only be read. */
function inspectGateFiles(desk: GateDesk): readonly FileProblem[] {
  const { place, registry, clientFolder, cacheFolder, root, trusted, read } = desk;
  const sources = listGateFiles({ user: locateUserFile(clientFolder), root, trusted });
  const files = place === undefined ? [] : [...listStates(place), ...listMetrics(place)];
  // Where no gate is written down, nothing is going to be kept.
  const folders =
    place === undefined || read.config.gates.length === 0
      ? []
      : [place.folder, locateMetrics(place), dirname(registry), cacheFolder];
  return [
    ...(place === undefined ? [] : findFolderFaults(place, desk.commonFolder)),
    ...sources.flatMap((path) => inspectSource(path)),
    ...[...files, registry].flatMap((path) => inspectFile(path)),
    ...folders.flatMap((folder) => inspectFolder(folder)),
  ];
}

/** Returns what stands in the place of folders that gates keep their files in. */
function findFolderFaults(place: GatePlace, commonFolder = ""): readonly FileProblem[] {
  const [state, marks] = [place.folder, locateMarks(commonFolder)];
  const ofMarks = findFolderFault([marks]);
  const hint = "What commands write is not looked at; move it away, and the folder is made anew.";
  const fault = findFolderFault([state, locateMetrics(place)]);
  return [
    ...(fault === undefined ? [] : [fault]),
    ...(ofMarks === undefined || fault?.path === state ? [] : [{ ...ofMarks, hint }]),
  ];
}

/** Returns what is wrong with what stands in the state of any branch and in the metrics of any session. */
export function readAllGateFiles(place: GatePlace): readonly FileProblem[] {
  return [
    ...listStates(place).flatMap(
      (path) => openDocument({ path, content: readContent(path), looked: [] }).problems,
    ),
    ...listMetrics(place).flatMap((path) => describeContent(path, readContent(path))),
  ];
}

function listStates({ folder }: GatePlace): readonly string[] {
  return listJsonFiles([folder]).slice(0, most);
}

function listMetrics(place: GatePlace): readonly string[] {
  return listJsonFiles([place.folder, locateMetrics(place)]).slice(0, most);
}

/** What is wrong with a folder is wrong with those in it; several that are not there yet have the same one above them. */
function unique(problems: readonly FileProblem[]): readonly FileProblem[] {
  return problems.filter(
    ({ path, problem }, at) =>
      !problems.slice(0, at).some((each) => each.problem === problem && isAt(path, each.path)),
  );
}

function isAt(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

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

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isNewer } from "../../git/work-since.ts";
import { AppError, unlessGone } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { readDocument } from "../../lib/markdown/read-document.ts";
import { refuseLinks } from "../../lib/read-below.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import type { Problem } from "../problem.ts";
import { completeWaves, type PipelineSpec, type PipelineState } from "./next-action.ts";
import { parseVerdicts } from "./parse-verdicts.ts";

/** A file of steering, and when it last changed. */
interface SteeringFile {
  readonly name: string;
  readonly changed: Date;
}

/**
 * Returns a warning for each file of steering that changed since a moment and that no STEERING_UPDATE was recorded
 * for since.
 */
export function steeringWarnings(
  files: readonly SteeringFile[],
  { since, updated }: { readonly since: Date; readonly updated: Date | undefined },
): readonly string[] {
  const after = Math.max(since.getTime(), updated?.getTime() ?? 0);
  return files
    .filter(({ changed }) => changed.getTime() > after)
    .map(({ name }) => render(name))
    .sort();
}

/** Tells whether a text is a warning that a file of steering changed. */
export function isSteeringWarning(text: string): boolean {
  return /^steering\/.+ changed and no STEERING_UPDATE says why\.$/.test(text);
}

/**
 * Returns those of some texts that warn of a change of steering which a STEERING_UPDATE was recorded for since. The
 * change of a file that is gone counts from a moment.
 */
export function settledWarnings(
  texts: readonly string[],
  files: readonly SteeringFile[],
  { since, updated }: { readonly since: Date | undefined; readonly updated: Date | undefined },
): readonly string[] {
  if (updated === undefined) return [];
  return texts.filter((text) => {
    const changed = files.find(({ name }) => render(name) === text)?.changed ?? since;
    return isSteeringWarning(text) && changed !== undefined && changed.getTime() <= updated.getTime();
  });
}

function render(name: string): string {
  return `steering/${name} changed and no STEERING_UPDATE says why.`;
}

/** Something wrong with a file, which is named by its path below the root. */
interface FileProblem extends Problem {
  readonly path: string;
}

/** What the project says of its work, and what could not be read of it. */
export interface Pipeline {
  readonly state: PipelineState;
  readonly steering: readonly SteeringFile[];
  readonly problems: readonly FileProblem[];
}

/** Reads the specs, their verdicts, the roadmap and the steering of a project. A bad file hides no other. */
export async function readPipeline({ root, sddDir }: HandoverPlace): Promise<Pipeline> {
  const project = join(sddDir, "project");
  const problems: FileProblem[] = [];
  const specs: PipelineSpec[] = [];
  const names = await readNames(root, join(project, "specs"), problems);
  for (const name of names) {
    if (!isSafeName(name)) continue;
    const spec = await readSpec(root, join(project, "specs", name), name, problems);
    if (spec !== undefined) specs.push(spec);
  }
  const roadmap = names.includes("roadmap.md")
    ? await unlessGone(lstat(join(root, project, "specs", "roadmap.md")))
    : undefined;
  return {
    state: { specs, hasRoadmap: roadmap?.isFile() === true },
    steering: await readSteering(root, join(project, "steering"), problems),
    problems,
  };
}

/** A name becomes part of a command that somebody may run. */
function isSafeName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name);
}

async function readSpec(
  root: string,
  folder: string,
  name: string,
  problems: FileProblem[],
): Promise<PipelineSpec | undefined> {
  const specPath = join(folder, "spec.yaml");
  const verdictsPath = join(folder, "verdicts.md");
  const text = await readReported(root, specPath, problems);
  if (text === undefined) return undefined;
  // Few projects have specs, and a session that begins should not load the parser of YAML for nothing.
  const { parseSpec } = await import("./spec-file.ts");
  const { spec, problems: found } = parseSpec(name, text);
  problems.push(...found.map((problem) => ({ ...problem, path: specPath })));
  if (spec === undefined) return undefined;
  const verdicts = await readReported(root, verdictsPath, problems);
  const parsed = verdicts === undefined ? { batches: [], problems: [] } : parseVerdicts(verdicts);
  problems.push(...parsed.problems.map((problem) => ({ ...problem, path: verdictsPath })));
  return { ...spec, latest: parsed.batches.at(-1) };
}

/** Returns the text of a file, or reports why it has none that can be read. */
async function readReported(
  root: string,
  path: string,
  problems: FileProblem[],
): Promise<string | undefined> {
  try {
    return await readDocument(root, join(root, path));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.push({ code: "unreadable", path, line: 1, message: error.message });
    return undefined;
  }
}

async function readSteering(
  root: string,
  folder: string,
  problems: FileProblem[],
): Promise<readonly SteeringFile[]> {
  const files: SteeringFile[] = [];
  for (const name of await readNames(root, folder, problems)) {
    const stats = name.endsWith(".md") ? await unlessGone(lstat(join(root, folder, name))) : undefined;
    if (stats?.isFile() === true) files.push({ name, changed: stats.mtime });
  }
  return files;
}

/** Returns the names in a folder, or reports why they cannot be read. */
async function readNames(root: string, folder: string, problems: FileProblem[]): Promise<readonly string[]> {
  const path = join(root, folder);
  try {
    await refuseLinks(root, path);
    return ((await unlessGone(readdir(path))) ?? []).sort();
  } catch (error) {
    problems.push({ code: "unreadable", path: folder, line: 1, message: readFailed(path, error).message });
    return [];
  }
}

/** What the specs of a project say that they did not say at a moment. */
interface PipelineNews {
  /** Whether the file of a spec has changed. */
  readonly isChanged: boolean;
  /** Whether a spec was said to be blocked. */
  readonly isStopped: boolean;
  /** Whether the last spec of a wave was said to be complete. */
  readonly hasCompletedWave: boolean;
}

/** Reads what the specs of a project say since a moment. Git need not know them. */
export async function readPipelineNews(place: HandoverPlace, since: Date): Promise<PipelineNews> {
  const { state } = await readPipeline(place);
  const complete = new Set<number | null>(completeWaves(state));
  const changed = [];
  for (const spec of state.specs) {
    const file = join(place.root, place.sddDir, "project", "specs", spec.name, "spec.yaml");
    if (await isNewer(file, since)) changed.push(spec);
  }
  return {
    isChanged: changed.length > 0,
    isStopped: changed.some(({ phase }) => phase === "blocked"),
    hasCompletedWave: changed.some(({ wave }) => wave !== null && complete.has(wave)),
  };
}

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isNewer } from "../../git/work-since.ts";
import { AppError, unlessGone } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { readDocument } from "../../lib/markdown/read-document.ts";
import { refuseLinks } from "../../lib/read-below.ts";
import { sha256 } from "../../sessions/chain.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { DocumentRecord, findVersion, type RecordedEvent, type RecordSite } from "../document-record.ts";
import type { Problem } from "../problem.ts";
import { completeWaves, type PipelineSpec, type PipelineState } from "./next-action.ts";
import { parseVerdicts } from "./parse-verdicts.ts";
import { type Hashes, toHashes } from "./steering.ts";

/** Something wrong with a file, which is named by its path below the root. */
interface FileProblem extends Problem {
  readonly path: string;
}

/** What the project says of its work, and what could not be read of it. */
export interface Pipeline {
  readonly state: PipelineState;
  readonly steering: Hashes;
  /** The hash of each spec.yaml that says something, by the name of the spec. */
  readonly hashes: Hashes;
  readonly problems: readonly FileProblem[];
}

/** Reads the specs, their verdicts, the roadmap and the steering of a project. A bad file hides no other. */
export async function readPipeline(place: HandoverPlace): Promise<Pipeline> {
  const { root, sddDir } = place;
  const project = join(sddDir, "project");
  const problems: FileProblem[] = [];
  const specs: PipelineSpec[] = [];
  const hashes: Record<string, string> = {};
  const names = await readNames(root, join(project, "specs"), problems);
  for (const name of names) {
    if (!isSafeName(name)) continue;
    const spec = await readSpec(root, join(project, "specs", name), name, problems);
    if (spec === undefined) continue;
    const { hash, ...state } = spec;
    hashes[name] = hash;
    specs.push(state);
  }
  const roadmap = names.includes("roadmap.md")
    ? await unlessGone(lstat(join(root, project, "specs", "roadmap.md")))
    : undefined;
  const steering = await readSteering(place, problems);
  return { state: { specs, hasRoadmap: roadmap?.isFile() === true }, steering, hashes, problems };
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
): Promise<(PipelineSpec & { readonly hash: string }) | undefined> {
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
  return { ...spec, latest: parsed.batches.at(-1), hash: sha256(text) };
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

/** Reads what the files of steering say; one that cannot be read counts as none. */
export async function readSteering(
  { root, sddDir }: HandoverPlace,
  problems: FileProblem[] = [],
): Promise<Hashes> {
  const folder = join(sddDir, "project", "steering");
  const hashes: Record<string, string> = {};
  for (const name of await readNames(root, folder, problems)) {
    const path = join(folder, name);
    const isFile = name.endsWith(".md") && (await unlessGone(lstat(join(root, path))))?.isFile() === true;
    const text = isFile ? await readReported(root, path, problems) : undefined;
    if (text !== undefined) hashes[name] = sha256(text);
  }
  return hashes;
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

/**
 * Reads what the specs of a project say since a moment. Git need not know them. A file that was written anew and says
 * what it said then, as after a checkout there and back, has not changed.
 */
export async function readPipelineNews(
  { place, site }: { readonly place: HandoverPlace; readonly site: RecordSite },
  since: Date,
): Promise<PipelineNews> {
  const { state, hashes } = await readPipeline(place);
  const complete = new Set<number | null>(completeWaves(state));
  const touched = [];
  for (const spec of state.specs) {
    const file = join(place.root, place.sddDir, "project", "specs", spec.name, "spec.yaml");
    if (await isNewer(file, since)) touched.push(spec);
  }
  const isVersion = ({ at }: RecordedEvent) => at <= since;
  const version =
    touched.length === 0 ? undefined : await findVersion(new DocumentRecord(site, "session.md"), isVersion);
  const known = toHashes(version?.data.specs);
  const changed = touched.filter(({ name }) => hashes[name] !== known?.[name]);
  return {
    isChanged: changed.length > 0,
    isStopped: changed.some(({ phase }) => phase === "blocked"),
    hasCompletedWave: changed.some(({ wave }) => wave !== null && complete.has(wave)),
  };
}

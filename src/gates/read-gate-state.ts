import { type Blocked, type Content, type FoundFile, findFile } from "./state/file-content.ts";
import type { GatePlace, GateState } from "./state/gate-state.ts";
import {
  emptyDocument,
  type GateDocument,
  parseGateDocument,
  toGateState,
} from "./state/parse-gate-document.ts";
import { describeNewer, type FileProblem, newerRemedy } from "./state/problem.ts";

/** A state, and what is wrong with its file. What cannot be read counts as if it were not there. */
export interface GateReading {
  readonly state: GateState;
  /** Whether the file could be read, or there is none; of one that could not, nobody knows what it says. */
  readonly isReadable: boolean;
  readonly problems: readonly FileProblem[];
}

/** Reads the state of the gates of a branch. Never throws because of what lies there, and writes nothing. */
export function readGateState(place: GatePlace, branch: string): GateReading {
  const found = findFile(stateFiles(place), branch);
  const { document, problems } = openDocument(found);
  const isReadable = found.content.type === "document" || found.content.type === "none";
  return { state: toGateState(branch, place.project, document), isReadable, problems };
}

/** The state files of a repository: one for each branch, which names it. */
export function stateFiles({ folder }: Pick<GatePlace, "folder">) {
  return { folder, own: [folder], field: "branch" } as const;
}

/** What a file holds, and what is wrong with it. */
export interface OpenedDocument {
  readonly document: GateDocument;
  readonly problems: readonly FileProblem[];
  /** The parts that are not what they should be, and that the document is without. */
  readonly lost: readonly string[];
}

/** Returns the document that a file holds; an empty one where it cannot be read. */
export function openDocument({ path, content }: FoundFile): OpenedDocument {
  const problems = describeContent(path, content);
  if (content.type !== "document") return { document: emptyDocument, problems, lost: [] };
  const parsed = parseGateDocument(content.value);
  const parts = parsed.problems.map((problem) => partProblem(path, problem));
  return { document: parsed.document, problems: parts, lost: parsed.problems };
}

/** What follows while a file of the gates says nothing. */
const meanwhileOpen = "Gates refuse nothing meanwhile.";

/** Says why nothing in a file counts, and what follows from that where a newer Carryon wrote it. */
export function describeContent(
  path: string,
  content: Content | Blocked,
  meanwhile = meanwhileOpen,
): readonly FileProblem[] {
  if (content.type === "newer")
    return [{ path, problem: describeNewer(content.value), hint: `${meanwhile} ${newerRemedy}` }];
  if (content.type === "blocked") return [{ path, problem: content.problem, hint: content.hint }];
  if (content.type !== "broken") return [];
  return [{ path, problem: content.problem, hint: "Nothing in it counts; the next change moves it aside." }];
}

/** Says that a part of a file does not count. */
export function partProblem(path: string, problem: string): FileProblem {
  const hint = "That part does not count; the next change keeps the file aside and leaves it out.";
  return { path, problem: `is wrong in a part: ${problem}`, hint };
}

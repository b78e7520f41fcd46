import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import type { FieldProblem } from "../../lib/field-readers.ts";
import { FileError, writeFailed } from "../../lib/file-error.ts";
import { acquireLock } from "../../lib/file-lock.ts";
import { readBelow } from "../../lib/read-below.ts";
import { refuseLinks } from "../../lib/refuse-links.ts";
import { moveAside } from "../../lib/set-aside.ts";
import { hideStateSecrets } from "./hide-state-secrets.ts";
import { type ParsedState, parseWorkState } from "./parse-work-state.ts";
import { renderWorkState } from "./render-work-state.ts";
import { locateState } from "./state-file.ts";
import type { WorkState } from "./work-state.ts";

/** What lies in the place of session-state.json. */
export type FoundState = { readonly type: "none" } | ParsedState;

/** Bytes; a state of ours is far smaller. */
const largest = 8 << 20;

/** Reads the state of a project. What cannot be read as one is told field by field. */
export async function readState(root: string): Promise<FoundState> {
  const found = await readBelow(root, locateState(root), largest);
  if (found.type === "too-large") return broken([{ field: "", problem: `has ${found.size} bytes` }]);
  return found.type === "none" ? found : parseWorkState(found.bytes.toString());
}

function broken(problems: readonly FieldProblem[]): ParsedState {
  return { type: "broken", problems };
}

/**
 * Reads the state of a project before anything is done of which it is to tell, and throws where it could not be written
 * afterwards.
 */
export async function prepareState(root: string): Promise<FoundState> {
  const path = locateState(root);
  try {
    await makeFolder(root, path);
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw writeFailed(path, error);
  }
  const found = await readState(root);
  refuseNewer(path, found);
  return found;
}

async function makeFolder(root: string, path: string): Promise<void> {
  await refuseLinks(root, path);
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    if (!isSystemError(error, "EEXIST", "ENOTDIR")) throw error;
    throw new FileError(`${dirname(path)} is no folder.`, dirname(path), {
      code: "not-a-folder",
      hint: "Move away what is there.",
      cause: error,
    });
  }
}

/** What became of a state that was changed. */
export interface ChangedState {
  readonly state: WorkState;
  /** Where the file went that could not be read as a state. */
  readonly aside?: string;
}

/**
 * Replaces the state of a project while nobody else of us does; `change` is given what is there.
 *
 * A file that cannot be read as a state is moved aside, and one that a newer version wrote is left alone. Fields that
 * this version does not know are kept, and secrets are hidden. A `change` that returns the state that it was given
 * changes nothing. `keep` is given what is about to be written: a file that nobody has written down would count as
 * somebody else's, should we end here.
 */
export async function changeState(
  root: string,
  now: Date,
  change: (found: FoundState) => WorkState | Promise<WorkState>,
  keep?: (state: WorkState) => Promise<void>,
): Promise<ChangedState> {
  const path = locateState(root);
  try {
    await makeFolder(root, path);
    const lock = await acquireLock(path);
    try {
      const found = await readState(root);
      refuseNewer(path, found);
      const changed = await change(found);
      if (found.type === "state" && changed === found.state) return { state: changed };
      const state = hideStateSecrets(changed);
      await keep?.(state);
      const aside = found.type === "broken" ? await moveAside(path, now) : undefined;
      const unknown = found.type === "state" ? found.unknown : {};
      await writeFileAtomically(path, renderWorkState(state, unknown));
      return { state, ...(aside !== undefined && { aside }) };
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw writeFailed(path, error);
  }
}

/** Refuses to replace what a newer version knows more of. */
function refuseNewer(path: string, found: FoundState): void {
  if (found.type !== "broken" || !isNewer(found.problems)) return;
  throw new AppError(`${path} was written by a newer Carryon, and is left as it is.`, {
    kind: "config",
    code: "newer-state",
    hint: "Update Carryon, or move the file away.",
  });
}

/** Tells whether what is wrong with a state is that a newer version wrote it. */
export function isNewer(problems: readonly FieldProblem[]): boolean {
  return problems.some(({ field }) => field === "version");
}

/** Moves a state aside that is not to be replaced; returns where it went. */
export async function setAside(root: string, now: Date): Promise<string> {
  const path = locateState(root);
  const lock = await acquireLock(path);
  try {
    return await moveAside(path, now);
  } catch (error) {
    throw writeFailed(path, error);
  } finally {
    await lock.release();
  }
}

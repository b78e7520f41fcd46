import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { configError, isSystemError } from "../lib/app-error.ts";
import { sweepStrays, writeFileAtomically } from "../lib/atomic-file.ts";
import { type FieldProblem, isObject } from "../lib/field-readers.ts";
import { FileError, writeFailed } from "../lib/file-error.ts";
import { acquireLock } from "../lib/file-lock.ts";
import { readBelow, refuseLinks } from "../lib/read-below.ts";
import { keepAside } from "../lib/set-aside.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import { renderWorkState } from "./render-work-state.ts";
import { type ParsedState, parseWorkState } from "./state/parse-work-state.ts";
import { locateState, type WorkState } from "./work-state.ts";

/** What lies in the place of session-state.json. */
export type FoundState = { readonly type: "none" } | ParsedState;

/** Bytes; a state of ours is far smaller. */
const largest = 8 << 20;

/** Reads the state of a project. What cannot be read as one is told field by field. */
export async function readState(root: string): Promise<FoundState> {
  const found = await readBelow(root, locateState(root), largest);
  if (found.type === "too-large")
    return { type: "broken", problems: [{ field: "", problem: `has ${found.size} bytes` }] };
  if (found.type === "none") return found;
  if (!isUtf8(found.bytes)) return { type: "broken", problems: [{ field: "", problem: "is not UTF-8" }] };
  // A byte order mark is left out.
  return parseWorkState(new TextDecoder().decode(found.bytes));
}

/**
 * Reads the state of a project before anything is done of which it is to tell, and throws where it could not be written
 * afterwards.
 */
export async function prepareState(root: string): Promise<FoundState> {
  const path = locateState(root);
  try {
    await readyFolder(root, path);
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw writeFailed(path, error);
  }
  const found = await readState(root);
  refuseNewer(path, found);
  return found;
}

/** Makes the folder of a state, and clears it of what killed writers left: git would take that for a file of the user. */
async function readyFolder(root: string, path: string): Promise<void> {
  await refuseLinks(root, path);
  try {
    if ((await mkdir(dirname(path), { recursive: true })) === undefined) await sweepStrays(dirname(path));
  } catch (error) {
    if (!isSystemError(error, "EEXIST", "ENOTDIR")) throw error;
    throw new FileError(`${dirname(path)} is no folder.`, dirname(path), {
      code: "not-a-folder",
      hint: "Move away what is there.",
      cause: error,
    });
  }
}

/** A file that was in the place of a state and is kept under another name. */
export interface AsideState {
  readonly path: string;
  /** It could not be read as a state, or is one that somebody else wrote. */
  readonly was: "broken" | "foreign";
}

/** What became of a state that was changed. */
export interface ChangedState {
  readonly state: WorkState;
  readonly aside?: AsideState;
}

/** What a change asks of whoever knows the log. */
export interface ChangeOptions {
  /**
   * Is given what is about to be written, and the state that it replaces, unless that is kept aside: a file that nobody
   * has written down would count as somebody else's, should we end here.
   */
  readonly keep?: ((state: WorkState, replaced: WorkState | undefined) => Promise<void>) | undefined;
  /** Tells whether somebody else wrote a state, of which nothing is taken over. */
  readonly isForeign?: (state: WorkState) => Promise<boolean>;
}

/**
 * Replaces the state of a project while nobody else of us does; `change` is given what is there.
 *
 * A file that cannot be read as a state, or is somebody else's, is kept aside, and one that a newer version wrote is left
 * alone. There is a state at every moment, the old one or the new. Fields that this version does not know are kept, and
 * secrets are hidden. A `change` that returns the state that it was given changes nothing.
 */
export async function changeState(
  root: string,
  now: Date,
  change: (found: FoundState) => WorkState | Promise<WorkState>,
  { keep, isForeign }: ChangeOptions = {},
): Promise<ChangedState> {
  const path = locateState(root);
  try {
    await readyFolder(root, path);
    const lock = await acquireLock(path);
    try {
      const there = await readState(root);
      refuseNewer(path, there);
      const foreign = there.type === "state" && (await isForeign?.(there.state)) === true;
      const found: FoundState = foreign ? { type: "none" } : there;
      const changed = await change(found);
      const replaced = found.type === "state" ? found : undefined;
      if (changed === replaced?.state) return { state: changed };
      const state = hideStateSecrets(changed);
      await keep?.(state, replaced?.state);
      const was = foreign ? "foreign" : found.type === "broken" ? "broken" : undefined;
      const aside: AsideState | undefined = was && { path: await keepAside(path, now), was };
      await writeFileAtomically(path, renderWorkState(state, replaced?.unknown));
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
  throw configError("newer-state", `${path} was written by a newer Carryon, and is left as it is.`, {
    hint: "Update Carryon, or move the file away.",
  });
}

/** Tells whether what is wrong with a state is that a newer version wrote it. */
export function isNewer(problems: readonly FieldProblem[]): boolean {
  return problems.some(({ field }) => field === "version");
}

/** Hides the secrets in what a state says in words: the log never has them, and the file has no need to. */
function hideStateSecrets(state: WorkState): WorkState {
  const { refusedCommit, workingOn, nextSteps, completed, pending, blocker } = state;
  const words = { workingOn, nextSteps, completed, pending, blocker };
  return { ...state, ...hideIn({ ...words, ...(refusedCommit !== undefined && { refusedCommit }) }) };
}

function hideIn<Value>(value: Value): Value {
  if (typeof value === "string") return hideSecrets(value) as Value;
  if (Array.isArray(value)) return value.map(hideIn) as Value;
  if (!isObject(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideIn(each)])) as Value;
}

import { isAbsolute, join, relative } from "node:path";
import type { GitPath } from "../../work/git-path.ts";
import { listGateFiles } from "../config/gate-places.ts";
import { lookAt, type PassSource } from "../pass/pass-sources.ts";
import { locateGates } from "../state/gate-place.ts";
import { locateMarks } from "./kept-marks.ts";

/** Something that a verdict on writes rests on, beside the work tree itself. */
export type Ground = Pick<PassSource, "kind" | "path">;

/** Where a verdict is made. */
interface GroundPlace {
  readonly root: string;
  readonly commonFolder: string;
  /** The user's own file of gates. */
  readonly user: string;
}

/**
 * Lists what a verdict on the writes of a command rests on and git does not show: the files of the gates, which may be
 * ignored; what git is told to ignore in this repository alone; and the folders of what has become of the gates.
 */
export function listGrounds({ root, commonFolder, user }: GroundPlace): readonly Ground[] {
  const files = listGateFiles({ user, root, trusted: true });
  const folders = [locateGates(commonFolder), locateMarks(commonFolder)];
  return [
    ...files.map((path) => ({ kind: "linked", path }) as const),
    { kind: "file", path: join(commonFolder, "info", "exclude") },
    ...folders.map((path) => ({ kind: "folder", path }) as const),
  ];
}

/** Looks at the grounds as they are now. */
export function lookAtGrounds(grounds: readonly Ground[]): readonly PassSource[] {
  return grounds.map(look);
}

function look({ kind, path }: Ground): PassSource {
  try {
    return lookAt(kind, path);
  } catch (error) {
    // A file in the place of a folder on the way, or nobody may look: nothing is there for us.
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return { kind, path, was: null };
  }
}

/** Returns the grounds that are not as they were; those in the work tree from its top. */
export function findMovedGrounds(root: string, before: readonly PassSource[]): readonly GitPath[] {
  const moved = before.filter((ground) => look(ground).was !== ground.was);
  return moved.map(({ path }) => {
    const inside = relative(root, path);
    const shown = inside.startsWith("..") || isAbsolute(inside) ? path : inside;
    return Buffer.from(shown).toString("latin1") as GitPath;
  });
}

/** Returns when the last of some grounds was changed, in nanoseconds. */
export function changedLast(grounds: readonly PassSource[]): bigint {
  const times = grounds.map(({ kind, was }) => BigInt((kind !== "folder" && was?.split(":")[4]) || 0));
  return times.reduce((last, time) => (time > last ? time : last), 0n);
}

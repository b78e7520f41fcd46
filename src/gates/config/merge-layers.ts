import type { GateProblem } from "./gate-problem.ts";
import { emptyMap, isNothing, type Located, type LocatedMap } from "./located.ts";
import type { Layer } from "./parse-requirements.ts";

/** The files that make up a configuration; each may be missing. */
export interface Layers {
  readonly user?: Layer | undefined;
  readonly project?: Layer | undefined;
  readonly local?: Layer | undefined;
}

/** What the files say together. */
export interface MergedLayers {
  readonly root: LocatedMap;
  readonly isReadable: boolean;
  readonly problems: readonly GateProblem[];
}

/**
 * Merges the files: maps are merged, lists and scalars are replaced by those of the later file. A project that says
 * `inherit: false` replaces the user's file. A key without a value leaves a map as it is, and takes away anything else.
 */
export function mergeLayers({ user, project, local }: Layers): MergedLayers {
  const inherited = project !== undefined && isAlone(project) ? [] : [user];
  const used = [...inherited, project, local].filter((layer) => layer !== undefined);
  return {
    root: used.reduce((merged, { root }) => mergeMaps(merged, root), emptyMap({ file: "", line: 1 })),
    isReadable: used.every(({ isReadable }) => isReadable),
    problems: used.flatMap(({ problems }) => problems),
  };
}

function isAlone({ root }: Layer): boolean {
  const inherit = root.entries.get("inherit");
  return inherit?.type === "scalar" && inherit.value === false;
}

function mergeMaps(base: LocatedMap, over: LocatedMap): LocatedMap {
  const entries = new Map(base.entries);
  for (const [name, value] of over.entries) entries.set(name, mergeValues(entries.get(name), value));
  return { ...over, entries };
}

function mergeValues(base: Located | undefined, over: Located): Located {
  if (base?.type !== "map") return over;
  if (over.type === "map") return mergeMaps(base, over);
  return isNothing(over) ? base : over;
}

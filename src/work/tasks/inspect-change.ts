import { lstat } from "node:fs/promises";
import { resolveInside } from "../../lib/resolve-inside.ts";
import { type ChangePlace, locateChange } from "./list-changes.ts";

/** Where a change of OpenSpec is, and whether anybody has said why it is made. */
export interface InspectedChange extends ChangePlace {
  readonly hasProposal: boolean;
}

/** Looks at a change, active or archived; undefined if there is none. */
export async function inspectChange(root: string, id: string): Promise<InspectedChange | undefined> {
  const place = await locateChange(root, id);
  if (place === undefined || (await resolveInside(root, place.path)) === undefined) return undefined;
  const proposal = await resolveInside(root, place.path, "proposal.md");
  return { ...place, hasProposal: proposal !== undefined && (await lstat(proposal)).isFile() };
}

import { type Change, readChange } from "../read-change.ts";
import { refuseChangeId } from "./change-id.ts";
import { listActive } from "./list-changes.ts";

/** The change that is worked on, or why none is. */
export type FoundChange =
  | { readonly type: "change"; readonly change: Change }
  /** The one that was asked for, or saved, is not there. */
  | { readonly type: "missing"; readonly id: string }
  /** Nobody has said which of these it is. */
  | { readonly type: "several"; readonly ids: readonly string[] }
  /** The project has none. */
  | { readonly type: "none" };

export interface ChangeWish {
  /** The id that somebody has asked for. */
  readonly asked?: string | undefined;
  /** The id that was saved last. */
  readonly saved?: string | null | undefined;
}

/**
 * Finds the change that is worked on: the one that was asked for, else the saved one, else the only active one.
 *
 * When the saved one is archived or gone, the work has gone on: the only active one comes before it.
 */
export async function findChange(root: string, { asked, saved }: ChangeWish): Promise<FoundChange> {
  if (asked !== undefined) {
    refuseChangeId(asked);
    return toFound(await readChange(root, asked), asked);
  }
  const active = await listActive(root);
  const [only, ...others] = active;
  const wanted = saved ?? undefined;
  if (wanted !== undefined && active.includes(wanted)) return toFound(await readChange(root, wanted), wanted);
  if (only !== undefined && others.length === 0) return toFound(await readChange(root, only), only);
  const old = wanted === undefined ? undefined : await readChange(root, wanted);
  if (old !== undefined) return { type: "change", change: old };
  if (only !== undefined) return { type: "several", ids: active };
  return wanted === undefined ? { type: "none" } : { type: "missing", id: wanted };
}

function toFound(change: Change | undefined, id: string): FoundChange {
  return change === undefined ? { type: "missing", id } : { type: "change", change };
}

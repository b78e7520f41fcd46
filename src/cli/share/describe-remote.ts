import type { JsonObject } from "../../conversation/entry.ts";
import { describeAge } from "../../lib/duration.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { RemoteStatus } from "../../project/share/remote-status.ts";

/** Says where projects are shared, and how far this store is in step. */
export function describeRemote({ store, isShared, inStepAt, trouble }: RemoteStatus, now: Date): string {
  const where = toPrintableLine(store);
  if (!isShared) return `${where} (sync shares no project: list some under remote in config.yaml)`;
  const last = inStepAt === undefined ? "not in step yet" : `in step ${describeAge(inStepAt, now)}`;
  if (trouble === undefined) return `${where}, ${last}`;
  return `${where}, ${last}; ${describeAge(trouble.at, now)}: ${toPrintableLine(trouble.message)}`;
}

/** Returns the same in its JSON form. */
export function toRemoteJson({ store, isShared, inStepAt, trouble }: RemoteStatus): JsonObject {
  return {
    store,
    isShared,
    inStepAt: inStepAt?.toISOString() ?? null,
    trouble: trouble === undefined ? null : { at: trouble.at.toISOString(), message: trouble.message },
  };
}

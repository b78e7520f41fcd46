import { describeAge } from "../lib/duration.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { JsonObject } from "../sessions/entry.ts";
import { readConfig } from "../workspace/read-config.ts";
import { readRemote } from "./remote-setting.ts";
import { type RemoteState, readRemoteState } from "./remote-state.ts";

/** The store that projects are shared through. */
export interface RemoteStatus extends RemoteState {
  /** Whether `carryon sync` shares any project. */
  readonly isShared: boolean;
}

/** Tells where projects are shared and how the last exchange went; undefined where there is no such store. */
export async function readRemoteStatus(home: string): Promise<RemoteStatus | undefined> {
  const { remote } = await readConfig(home, () => ({ remote: readRemote }));
  if (remote === undefined) return undefined;
  const { shown: store } = remote.url;
  const known = await readRemoteState(home);
  const nothing = { store, inStepAt: undefined, missing: [], trouble: undefined };
  const state = known?.store === store ? known : nothing;
  return { ...state, isShared: remote.projects.length > 0 };
}

/** Says where projects are shared, and how far this store is in step. */
export function describeRemote(remote: RemoteStatus, now: Date): string {
  const { store, isShared, inStepAt, missing, trouble } = remote;
  const where = toPrintableLine(store);
  if (!isShared) return `${where} (sync shares no project: list some under remote in config.yaml)`;
  const last = inStepAt === undefined ? "not in step yet" : `in step ${describeAge(inStepAt, now)}`;
  return [
    `${where}, ${last}`,
    ...(missing.length === 0 ? [] : [describeMissing(missing)]),
    ...(trouble === undefined
      ? []
      : [`${describeAge(trouble.at, now)}: ${toPrintableLine(trouble.message)}`]),
  ].join("; ");
}

/** Says that names under `projects` stand for nothing. */
export function describeMissing(names: readonly string[]): string {
  return `no project here is called ${toPrintableLine(names.join(", "))}`;
}

/** Returns the same in its JSON form. */
export function toRemoteJson(remote: RemoteStatus): JsonObject {
  const { store, isShared, inStepAt, missing, trouble } = remote;
  return {
    store,
    isShared,
    inStepAt: inStepAt?.toISOString() ?? null,
    missing: [...missing],
    trouble: trouble === undefined ? null : { at: trouble.at.toISOString(), message: trouble.message },
  };
}

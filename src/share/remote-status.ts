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

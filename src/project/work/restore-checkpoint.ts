import { AppError } from "../../lib/app-error.ts";
import { type ChangedState, changeState } from "../../work/state/state-store.ts";
import type { WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";

/** Puts the newest checkpoint of the log in the place of a state that is gone or cannot be read, which is kept aside. */
export async function restoreCheckpoint({ site }: WorkDesk): Promise<ChangedState> {
  const checkpoint = await new WorkRecord(site).newest();
  if (checkpoint === undefined)
    throw new AppError("There is no checkpoint of this folder in the log.", {
      kind: "usage",
      code: "no-checkpoint",
      hint: "Save the work with `carryon save`.",
    });
  return changeState(site.root, site.clock.now(), (found) => {
    if (found.type !== "state") return checkpoint;
    throw new AppError("The state here can be read, and is left as it is.", {
      kind: "usage",
      code: "state-is-fine",
      hint: "See it with `carryon load`.",
    });
  });
}

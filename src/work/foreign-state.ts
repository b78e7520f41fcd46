import { AppError } from "../lib/app-error.ts";
import { isSurelyTrusted } from "../workspace/trust.ts";
import { locateState } from "./state-file.ts";
import type { WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";
import type { WorkState } from "./work-state.ts";

/** Tells whether a state is the user's: one that the log does not have came with the repository, or from elsewhere. */
export function isOwnState({ site }: WorkDesk, state: WorkState): Promise<boolean> {
  return new WorkRecord(site).knows(state);
}

/** Tells whether what a state says may be taken over: it is the user's, or the project is trusted. */
export async function mayTakeOver(desk: WorkDesk, state: WorkState): Promise<boolean> {
  return (await isOwnState(desk, state)) || (await isSurelyTrusted(desk.home, desk.site.project));
}

/** Refuses to change a state of somebody else: it would become the user's by that. */
export async function refuseForeign(desk: WorkDesk, state: WorkState): Promise<void> {
  if (await mayTakeOver(desk, state)) return;
  throw new AppError(`${locateState(desk.site.root)} was not written by you here, and is left as it is.`, {
    kind: "usage",
    code: "foreign-state",
    hint: "Save your own with `carryon save`, which keeps this one aside, or trust the project with `carryon trust`.",
  });
}

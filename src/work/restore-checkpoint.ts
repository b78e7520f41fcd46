import { usageError } from "../lib/app-error.ts";
import { type ChangedState, changeState } from "./state-store.ts";
import type { WorkDesk } from "./work-desk.ts";
import { type Checkpoint, isOwnState, WorkRecord } from "./work-record.ts";
import type { WorkState } from "./work-state.ts";

/** Returns the checkpoints of a folder that the log has kept of late, the newest first. Changes nothing. */
export function listCheckpoints({ site }: WorkDesk): Promise<readonly Checkpoint[]> {
  return new WorkRecord(site).list();
}

/** Puts the newest checkpoint of the log in the place of a state that is gone or cannot be read, which is kept aside. */
export async function restoreCheckpoint({ site }: WorkDesk): Promise<ChangedState> {
  const record = new WorkRecord(site);
  // One of another machine stays somebody else's until it is saved here.
  const checkpoint = (await record.newest()) ?? (await record.newestElsewhere())?.state;
  if (checkpoint === undefined)
    throw usageError("no-checkpoint", "There is no checkpoint of this folder in the log.", {
      hint: "Save the work with `carryon save`.",
    });
  return changeState(site.root, site.clock.now(), (found) => {
    if (found.type !== "state") return checkpoint;
    throw usageError("state-is-fine", "The state here can be read, and is left as it is.", {
      hint: "See it with `carryon load`, or take an older checkpoint by its id: `carryon load --list` shows them.",
    });
  });
}

/**
 * Puts a checkpoint of the log in the place of the state, by its id or the end of it.
 *
 * What is there is in the log too, or is kept aside: broken, or written by somebody else. One of this folder becomes the
 * newest one.
 */
export async function takeCheckpoint(desk: WorkDesk, id: string): Promise<ChangedState> {
  const { site } = desk;
  const record = new WorkRecord(site);
  const { state: checkpoint, notes, machine } = findCheckpoint(await record.list(), id);
  // One of another machine stays somebody else's until it is saved here.
  const keep = machine === undefined ? (state: WorkState) => record.keep(state, notes) : undefined;
  const isForeign = async (state: WorkState) => !(await isOwnState(desk, state));
  return changeState(site.root, site.clock.now(), () => checkpoint, { keep, isForeign });
}

function findCheckpoint(checkpoints: readonly Checkpoint[], id: string): Checkpoint {
  const wanted = id.trim().toLowerCase();
  const isMeant = ({ id: each }: Checkpoint) => wanted.length >= shortest && each.endsWith(wanted);
  const [found, ...others] = checkpoints.filter(isMeant);
  if (found !== undefined && others.length === 0) return found;
  throw usageError(
    "unknown-checkpoint",
    found === undefined
      ? `There is no checkpoint ${id} of this folder in the log.`
      : `Several checkpoints end with ${id}.`,
    { hint: "See them with `carryon load --list`." },
  );
}

/** Fewer digits may mean another one tomorrow. */
const shortest = 8;

import { usageError } from "../lib/app-error.ts";
import { fold } from "../lib/markdown/fold.ts";
import { type Blocker, type BlockerType, type Severity, severityOf } from "./blocker.ts";
import { followBlocker } from "./blockers/follow-blocker.ts";
import { newBlocker } from "./blockers/to-blocker.ts";
import { saveWork } from "./save.ts";
import { findStandingBlocker } from "./standing-work.ts";
import { changeState, type FoundState, readState } from "./state-store.ts";
import type { WorkDesk } from "./work-desk.ts";
import { mayTakeOver, refuseForeign, type WorkNotes, WorkRecord } from "./work-record.ts";
import { locateState, type WorkState } from "./work-state.ts";

/** A blocker that a person or an agent puts down. */
export interface NewBlocker {
  readonly type: BlockerType;
  readonly description: string;
  readonly severity?: Severity | undefined;
  readonly resolution?: string | undefined;
  readonly errorPattern?: string | undefined;
  readonly appearedAfter?: string | undefined;
}

/** Puts a blocker down, instead of the one before. Where nothing was saved yet, the work is saved first, without a commit. */
export async function addBlocker(desk: WorkDesk, given: NewBlocker): Promise<Blocker> {
  const { type, description, severity = severityOf(type), ...rest } = given;
  const words = fold(description);
  if (words === "") throw usageError("bad-blocker", "A blocker needs a description.");
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const blocker: Blocker = {
    ...{ type, severity, description: words },
    ...known,
    ...newBlocker({ type }, desk.site.clock.now(), desk.settings),
    isAutoDetected: false,
  };
  if ((await readState(desk.site.root)).type !== "state") await saveFirst(desk);
  await change(desk, (state) => ({ ...state, blocker }));
  return blocker;
}

/**
 * Returns what stops the work now, by what was saved and what was recorded since; null where nothing does. What somebody
 * else's state says stops nobody until the project is trusted.
 */
export async function readBlocker(desk: WorkDesk): Promise<Blocker | null> {
  const saved = await readSaved(desk);
  const counts = saved !== undefined && (await mayTakeOver(desk, saved));
  return findStandingBlocker(desk, counts ? saved : undefined);
}

async function readSaved({ site }: WorkDesk): Promise<WorkState | undefined> {
  const found = await readState(site.root);
  if (found.type === "state") return found.state;
  if (found.type === "none") return undefined;
  throw usageError(
    "bad-state",
    `${locateState(site.root)} cannot be read, and so is not known what stops the work.`,
    { hint: "See what is wrong with it with `carryon load`." },
  );
}

/** Says that what stopped the work is resolved; returns what it was, or null where nothing did. */
export async function resolveBlocker(desk: WorkDesk, how = ""): Promise<Blocker | null> {
  const saved = await readSaved(desk);
  if (saved?.blocker) await refuseForeign(desk, saved);
  const resolved = await readBlocker(desk);
  if (resolved === null) return null;
  // One that is only recorded has no place in the file.
  if (saved?.blocker) await change(desk, (state) => ({ ...state, blocker: null }));
  await new WorkRecord(desk.site).keepResolution(resolved, how);
  return resolved;
}

/**
 * Changes the state as it is in the file, brings the status of its change up to it, and writes it down in the log, with
 * the notes that it calls for. An `edit` that returns the state that it was given changes nothing.
 */
export async function change(
  desk: WorkDesk,
  edit: (state: WorkState) => WorkState | Promise<WorkState>,
  noteOf: (state: WorkState) => WorkNotes = () => ({}),
): Promise<WorkState> {
  const { site } = desk;
  const made = async (found: FoundState): Promise<WorkState> => {
    if (found.type !== "state")
      throw usageError("no-state", "The work was never saved here.", {
        hint: "Save it with `carryon save`.",
      });
    await refuseForeign(desk, found.state);
    const edited = await edit(found.state);
    return edited === found.state ? edited : followBlocker(desk, edited);
  };
  const keep = (state: WorkState, replaced: WorkState | undefined) =>
    new WorkRecord(site).keepReplacing(replaced, state, noteOf(state));
  return (await changeState(site.root, site.clock.now(), made, { keep })).state;
}

async function saveFirst(desk: WorkDesk): Promise<void> {
  await saveWork(desk, { mode: "quick", commit: false, mayPushToDefault: async () => false });
}

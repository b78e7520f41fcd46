import { AppError } from "../../lib/app-error.ts";
import { fold } from "../../lib/markdown/fold.ts";
import { type Blocker, type BlockerType, type Severity, severityOf } from "../../work/blockers/blocker.ts";
import { recoveryAgentFor } from "../../work/blockers/recovery-agent.ts";
import { locateState } from "../../work/state/state-file.ts";
import { changeState, readState } from "../../work/state/state-store.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import { followBlocker } from "./follow-blocker.ts";
import { refuseForeign } from "./foreign-state.ts";
import { saveWork } from "./save.ts";
import type { WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";

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
  if (words === "")
    throw new AppError("A blocker needs a description.", { kind: "usage", code: "bad-blocker" });
  const recoveryAgent = recoveryAgentFor(type, desk.settings.agents);
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const blocker: Blocker = {
    ...{ type, severity, description: words },
    ...known,
    detectedAt: desk.site.clock.now(),
    isAutoDetected: false,
    ...(recoveryAgent !== undefined && { recoveryAgent }),
    recoveryAttempted: 0,
    maxRecoveryAttempts: desk.settings.mostAttempts ?? 3,
  };
  if ((await readState(desk.site.root)).type !== "state") await saveFirst(desk);
  await change(desk, (state) => ({ ...state, blocker }));
  return blocker;
}

/** Returns what stops the work, as it was saved; null where nothing does. */
export async function readBlocker({ site }: WorkDesk): Promise<Blocker | null> {
  const found = await readState(site.root);
  if (found.type === "state") return found.state.blocker;
  if (found.type === "none") return null;
  throw new AppError(`${locateState(site.root)} cannot be read, and so is not known what stops the work.`, {
    kind: "usage",
    code: "bad-state",
    hint: "See what is wrong with it with `carryon load`.",
  });
}

/** Says that what stopped the work is resolved; returns what it was, or null where nothing did. */
export async function resolveBlocker(desk: WorkDesk, how = ""): Promise<Blocker | null> {
  const resolved = await readBlocker(desk);
  if (resolved === null) return null;
  await change(desk, (state) => ({ ...state, blocker: null, blockerResolvedAt: desk.site.clock.now() }));
  await new WorkRecord(desk.site).keepResolution(resolved, how);
  return resolved;
}

/** Changes the state as it is in the file, brings the status of its change up to it, and writes it down in the log. */
export async function change(desk: WorkDesk, edit: (state: WorkState) => WorkState): Promise<WorkState> {
  const { site } = desk;
  const { state } = await changeState(site.root, site.clock.now(), async (found) => {
    if (found.type !== "state") throw noState();
    await refuseForeign(desk, found.state);
    return followBlocker(desk, edit(found.state));
  });
  await new WorkRecord(site).keep(state);
  return state;
}

function noState(): AppError {
  return new AppError("The work was never saved here.", {
    kind: "usage",
    code: "no-state",
    hint: "Save it with `carryon save`.",
  });
}

async function saveFirst(desk: WorkDesk): Promise<void> {
  await saveWork(desk, { mode: "quick", commit: false, mayPushToDefault: async () => false });
}

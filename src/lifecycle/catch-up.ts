import { locateClient } from "../clients/claude-code/locate-client.ts";
import { AppError } from "../lib/app-error.ts";
import { LockBusy } from "../lib/file-lock.ts";
import { describeDeleted } from "../recording/describe-deleted.ts";
import type { Store } from "../storage/open-store.ts";
import { sweepBriefFiles } from "../workspace/brief-files.ts";
import { hasHooks, locateHome } from "../workspace/locate-home.ts";
import { storeOf } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";

/** Another sync takes a moment, or so long that nobody should wait for it. */
const patienceMs = 1500;

/**
 * Takes in what is new in this project before somebody reads it, where hooks are installed.
 *
 * It never fails the command that it goes before: what could not be taken in is a warning. A store that is open
 * already is the one that is read afterwards.
 */
export async function catchUp(context: Caller, store?: Store): Promise<void> {
  const { env, userHome, machine, clock } = context;
  // What is wrong with these is wrong for the command too, which says so.
  const home = locateHome(env, userHome);
  const [isRecording] = await Promise.all([hasHooks(home), sweepBriefFiles(home, clock.now())]);
  if (!isRecording || (await storeOf(context)).file === undefined) return;
  const { cwd } = context;
  try {
    // Where nothing is recorded, nobody pays for it.
    const [{ syncClient }, { locateRoot }, { installedSince }] = await Promise.all([
      import("../recording/sync-client.ts"),
      import("../git/locate-root.ts"),
      import("../install/install-record.ts"),
    ]);
    const client = locateClient(userHome, env.CLAUDE_CONFIG_DIR);
    const below = await locateRoot(cwd);
    const since = await installedSince(home, below);
    const { deleted } = await syncClient({
      ...{ home, client, machine, now: clock.now(), below, wait: patienceMs },
      ...{ recorded: true, documents: env.CARRYON_STORE, clock, store },
      ...(since === undefined ? {} : { begun: { since, below } }),
    });
    const left = describeDeleted(deleted);
    if (left !== "") context.warn(left);
  } catch (error) {
    // Whoever holds the lock takes in what we would have.
    if (error instanceof LockBusy) return;
    const reason = error instanceof AppError ? error.message : String(error);
    context.warn(`What is new in Claude Code was not taken in: ${reason}`);
  }
}

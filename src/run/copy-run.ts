import type { RunDesk } from "./run.ts";

/**
 * Writes a copy of the session where one is wanted, and returns why that failed.
 *
 * A shared folder that is gone is no reason to stop: the log has everything, and the next copy may succeed.
 */
export async function copyRun({ copy }: Pick<RunDesk, "copy">): Promise<string | undefined> {
  try {
    await copy();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

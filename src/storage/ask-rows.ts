import { AppError } from "../lib/app-error.ts";
import type { Row } from "./sql-driver.ts";

/**
 * Asks for the next rows, or only for one when one of them cannot be read.
 *
 * The engine refuses a whole answer for one damaged row, also for one that comes just after those that are wanted:
 * asked one by one, all before the damaged one are still there.
 */
export async function askRows(
  ask: (limit: number) => Promise<readonly Row[]>,
  limit: number,
): Promise<readonly Row[]> {
  try {
    return await ask(limit);
  } catch (error) {
    if (error instanceof AppError && error.kind === "io") return ask(1);
    throw error;
  }
}

import { isSystemError } from "./app-error.ts";

/** Waits for what was asked of the disk; undefined when it is not there any more, or never was. */
export async function unlessGone<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

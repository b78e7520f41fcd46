import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";

/** Tells whether a client was told to run our hooks: then the home folder says how they start Carryon. */
export async function isRecording(home: string): Promise<boolean> {
  try {
    await stat(join(home, "bin", "launch.json"));
    return true;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}

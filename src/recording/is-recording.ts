import { stat } from "node:fs/promises";
import { join } from "node:path";
import { launchFile } from "../lib/hook-files.ts";

/** Tells whether a client was told to run our hooks: then the home folder says how they start Carryon. */
export function isRecording(home: string): Promise<boolean> {
  // Whatever is wrong with the folder, who opens the store in it is told.
  return stat(join(home, "bin", launchFile)).then(
    () => true,
    () => false,
  );
}

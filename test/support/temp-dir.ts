import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempDir extends AsyncDisposable {
  readonly path: string;
  /** Returns a path inside the folder. */
  join(...parts: string[]): string;
}

/** Makes a folder that is gone with its scope: `await using dir = await tempDir()`. */
export async function tempDir(): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), "carryon-"));
  return {
    path,
    join: (...parts) => join(path, ...parts),
    // What a hook has started, and nobody waits for, may still write there.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 }),
  };
}

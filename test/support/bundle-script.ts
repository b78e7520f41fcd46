import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { type TempDir, tempDir } from "./temp-dir.ts";

/** A script as a few files of JavaScript, which starts several times faster, and under strace all the more. */
export interface BundledScript extends AsyncDisposable {
  readonly path: string;
}

/** Bundles a script that lies beside this file. */
export async function bundleScript(name: string): Promise<BundledScript> {
  const dir: TempDir = await tempDir();
  await build({
    input: fileURLToPath(new URL(name, import.meta.url)),
    platform: "node",
    logLevel: "warn",
    output: { dir: dir.path, format: "esm", entryFileNames: "script.mjs", chunkFileNames: "[hash].mjs" },
  });
  return { path: dir.join("script.mjs"), [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

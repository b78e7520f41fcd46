import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import type { Clock } from "../../lib/clock.ts";
import { writeFailed } from "../../lib/file-error.ts";
import { compileGateConfig } from "./compiled-config.ts";
import type { GateConfigOfProject } from "./read-gate-config.ts";

/** Writes what was read where a hook finds it, and tells whether it did: files that have just changed are not kept. */
export async function writeCompiledConfig(
  cacheFile: string,
  read: Omit<GateConfigOfProject, "waiting">,
  clock: Clock,
): Promise<boolean> {
  const text = read.sources && compileGateConfig(read, read.sources, clock.now());
  if (text === undefined) return false;
  try {
    await mkdir(dirname(cacheFile), { recursive: true, mode: 0o700 });
    await writeFileAtomically(cacheFile, text);
  } catch (error) {
    throw writeFailed(cacheFile, error);
  }
  return true;
}

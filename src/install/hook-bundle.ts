import { fileURLToPath } from "node:url";
import { type HookFile, readHookFiles } from "./read-hook-files.ts";

/** Reads the hook as it was built with this package; in a checkout, where nothing was built, it is bundled. */
export async function readHookBundle(node: string): Promise<readonly HookFile[]> {
  const built = await readHookFiles(fileURLToPath(new URL("../hooks", import.meta.url)));
  if (built !== undefined) return built;
  const { bundleHook } = await import("./bundle-hook.ts");
  return bundleHook(node);
}

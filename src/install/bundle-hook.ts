import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ioError } from "../lib/app-error.ts";
import { type HookFile, readHookFiles } from "./read-hook-files.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const prefix = "carryon-hook-";

/** Bundles the hook of a checkout, or returns what was bundled before from the same sources. */
export async function bundleHook(node: string): Promise<readonly HookFile[]> {
  const cache = join(checkout, "node_modules", ".cache");
  const kept = join(cache, `${prefix}${await describeSources()}`);
  return (await readHookFiles(kept)) ?? bundle(node, { cache, kept });
}

async function bundle(
  node: string,
  { cache, kept }: { readonly cache: string; readonly kept: string },
): Promise<readonly HookFile[]> {
  const folder = await makeFolder(cache);
  try {
    await promisify(execFile)(node, [join(checkout, "scripts", "bundle-hook.ts"), folder]);
    const files = await readHookFiles(folder);
    if (files === undefined) throw new Error("A file of it is missing.");
    await keep(folder, { cache, kept });
    return files;
  } catch (cause) {
    throw ioError("hook-not-built", "The hook could not be bundled.", {
      hint: "Run `npm ci` in the checkout of Carryon, or install the package.",
      cause,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeFolder(cache: string): Promise<string> {
  try {
    await mkdir(cache, { recursive: true });
    return await mkdtemp(join(cache, "new-hook-"));
  } catch {
    // A checkout that may only be read: it is bundled each time.
    return mkdtemp(join(tmpdir(), prefix));
  }
}

/** Keeps what was bundled for the next time, in the place of what was made from older sources. */
async function keep(
  folder: string,
  { cache, kept }: { readonly cache: string; readonly kept: string },
): Promise<void> {
  try {
    for (const name of await readdir(cache))
      if (name.startsWith(prefix)) await rm(join(cache, name), { recursive: true, force: true });
    await rename(folder, kept);
  } catch {
    // Another was faster, or nothing can be kept: it is bundled the next time.
  }
}

/** Names the state of the sources: whatever the bundle is made of, by size and time. */
async function describeSources(): Promise<string> {
  const hash = createHash("sha256");
  const sources = (await readdir(join(checkout, "src"), { recursive: true })).filter((name) =>
    name.endsWith(".ts"),
  );
  const paths = [
    "package-lock.json",
    "scripts/bundle-hook.ts",
    ...sources.toSorted().map((name) => join("src", name)),
  ];
  const states = await Promise.all(paths.map((path) => stat(join(checkout, path), { bigint: true })));
  for (const [index, { size, mtimeNs }] of states.entries())
    hash.update(`${paths[index]} ${size} ${mtimeNs}\n`);
  return hash.digest("hex").slice(0, 16);
}

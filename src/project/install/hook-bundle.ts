import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AppError } from "../../lib/app-error.ts";
import { hookFile, redactionFile } from "../../lib/hook-files.ts";
import { readText } from "./file-change.ts";

/** The files of the hook; the first is the one that a client runs. */
export const hookFiles = [hookFile, redactionFile] as const;

/** A file of the hook and what it holds. */
export interface HookFile {
  readonly name: (typeof hookFiles)[number];
  readonly text: string;
}

/** Reads the hook as it was built with this package; in a checkout, where nothing was built, it is bundled. */
export async function readHookBundle(node: string): Promise<readonly HookFile[]> {
  const built = await Promise.all(
    hookFiles.map(async (name) => ({
      name,
      text: await readText(fileURLToPath(new URL(`../../hooks/${name}`, import.meta.url))),
    })),
  );
  const whole = built.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
  return whole.length === hookFiles.length ? whole : bundle(node);
}

async function bundle(node: string): Promise<readonly HookFile[]> {
  const script = fileURLToPath(new URL("../../../scripts/bundle-hook.ts", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "carryon-hook-"));
  try {
    await promisify(execFile)(node, [script, folder]);
    return await Promise.all(
      hookFiles.map(async (name) => ({ name, text: await readFile(join(folder, name), "utf8") })),
    );
  } catch (cause) {
    throw new AppError("The hook could not be bundled.", {
      kind: "io",
      code: "hook-not-built",
      hint: "Run `npm ci` in the checkout of Carryon, or install the package.",
      cause,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

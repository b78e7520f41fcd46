import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ownPath, runOn } from "./machine.ts";

/**
 * Installs a package of a client into a cache outside node_modules, unless it is there, and returns its folder.
 *
 * The cache is `CARRYON_CLIENTS`, or `.cache/clients`: the packages are large, and never dependencies.
 */
export async function installClient(name: string, version: string): Promise<string> {
  const cache = resolve(process.env.CARRYON_CLIENTS ?? ".cache/clients");
  const home = join(cache, `${name.replace("/", "-")}-${version}`);
  const folder = join(home, "node_modules", name);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(home), { recursive: true });
  const making = await mkdtemp(join(cache, "making-"));
  const options = ["--no-save", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
  const machine = { cwd: making, path: ownPath() };
  const args = ["install", "--prefix", making, ...options, `${name}@${version}`];
  const { code, stderr } = await runOn(machine, "npm", args);
  if (code !== 0) throw new Error(`${name}@${version} could not be installed:\n${stderr}`);
  // Only what is whole gets the name that the next run looks for.
  await rename(making, home);
  return folder;
}

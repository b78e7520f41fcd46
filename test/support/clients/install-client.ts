import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { acquireLock } from "../../../src/lib/file-lock.ts";
import { ownPath, runOn } from "../machine.ts";

/** A client that can be run. */
export interface InstalledClient {
  readonly client: ClientName;
  readonly version: string;
  /** The program to start. */
  readonly program: string;
}

interface Recipe {
  /** The package on npm. */
  readonly package: string;
  /** Returns the program, given the folder node_modules that the package was installed to. */
  readonly locate: (modules: string) => Promise<string>;
}

/** The clients that tests know how to get. */
const recipes = {
  "claude-code": {
    package: "@anthropic-ai/claude-code",
    // The package itself has a wrapper that its install script replaces; npm has chosen the binary already.
    locate: async (modules) => {
      const folder = join(modules, "@anthropic-ai");
      const [binary] = (await readdir(folder)).filter((name) => name.startsWith("claude-code-"));
      if (binary === undefined) throw new Error("There is no Claude Code for this machine.");
      return join(folder, binary, process.platform === "win32" ? "claude.exe" : "claude");
    },
  },
} as const satisfies Readonly<Record<string, Recipe>>;

export type ClientName = keyof typeof recipes;

/**
 * Returns a client in exactly this version, and installs it with npm first if it is not there yet.
 *
 * Clients are kept in CARRYON_CLIENTS or `.cache/clients` of the checkout, hundreds of megabytes each. No install
 * script runs. Of processes that ask at once one installs and the others wait; an install that was cut off is redone.
 */
export async function installClient(client: ClientName, version: string): Promise<InstalledClient> {
  const recipe = recipes[client];
  const cache =
    process.env.CARRYON_CLIENTS ?? fileURLToPath(new URL("../../../.cache/clients", import.meta.url));
  const folder = join(cache, `${client}-${version}`);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    const lock = await acquireLock(folder, { wait: 10 * 60_000 });
    try {
      if (!existsSync(folder)) await install(`${recipe.package}@${version}`, folder);
    } finally {
      await lock.release();
    }
  }
  return { client, version, program: await recipe.locate(join(folder, "node_modules")) };
}

/** Installs a package so that its folder appears whole or not at all. */
async function install(wanted: string, folder: string): Promise<void> {
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const machine = { cwd: partial, path: ownPath() };
  const { code, stderr } = await runOn(machine, "npm", ["install", "--prefix", partial, ...quiet, wanted]);
  if (code !== 0) throw new Error(`npm could not install ${wanted}:\n${stderr}`);
  await rename(partial, folder);
}

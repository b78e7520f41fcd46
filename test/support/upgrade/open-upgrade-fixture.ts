import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Carryon, openCarryon } from "../run-carryon.ts";
import { type Manifest, machineName } from "./manifest.ts";
import { relocate } from "./relocate.ts";

/** A home and a repository made by an older version, and today's program to use them with. */
export interface UpgradeFixture extends Carryon {
  /** CARRYON_HOME. */
  readonly home: string;
  /** The repository; commands run in it. */
  readonly work: string;
  /** The backup and the export of the older version. */
  readonly kept: string;
  /** What the older version said of them. */
  readonly manifest: Manifest;
  /** Asks today's program for JSON, and writes folder and machine as the manifest does. */
  readonly answer: (args: readonly string[]) => Promise<unknown>;
}

/** Unpacks a fixture as if it had been made in a folder of its own: `await using old = await openUpgradeFixture("0.1.0")`. */
export async function openUpgradeFixture(
  version: string,
  env: Readonly<Record<string, string>> = {},
): Promise<UpgradeFixture> {
  const carryon = await openCarryon({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", ...env });
  const folder = await realpath(carryon.folder);
  const source = (name: string) =>
    fileURLToPath(new URL(`../../fixtures/upgrade/${version}/${name}`, import.meta.url));
  await promisify(execFile)("tar", ["-xpzf", source("files.tar.gz"), "-C", folder]);
  const manifest: Manifest = JSON.parse(await readFile(source("manifest.json"), "utf8"));
  await relocate(folder, manifest);
  return {
    ...carryon,
    home: join(folder, "home"),
    work: join(folder, "work"),
    kept: join(folder, "kept"),
    manifest,
    answer: async (args) => {
      const here = await carryon.ask(args);
      return JSON.parse(
        here
          .replaceAll(folder, manifest.folder)
          .replaceAll(`"machine":${JSON.stringify(hostname())}`, `"machine":"${machineName}"`),
      );
    },
  };
}

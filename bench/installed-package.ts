import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./work-folder.ts";

let isBuilt = false;

/** Builds the package once, lays it out as npm does, so that what is measured is what users run, and returns its launcher. */
export function installPackage(folder: string, name: string): string {
  if (!isBuilt)
    execFileSync(process.execPath, [inRepository("scripts", "build.ts")], {
      cwd: inRepository(),
      stdio: "ignore",
    });
  isBuilt = true;
  const target = join(folder, name);
  mkdirSync(target);
  for (const part of ["bin", "dist", "package.json"])
    cpSync(inRepository(part), join(target, part), { recursive: true });
  symlinkSync(inRepository("node_modules"), join(target, "node_modules"));
  return join(target, "bin", "carryon.cjs");
}

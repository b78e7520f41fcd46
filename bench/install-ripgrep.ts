import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { peersFolder } from "./work-folder.ts";

/** Pinned; the package holds the program itself, and runs nothing when it is installed. */
const version = "1.18.0";

/** Returns the path of ripgrep, from npm, installed into the cache folder once; throws where that is not possible. */
export function installRipgrep(): string {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const folder = join(peersFolder, "ripgrep");
  const binary = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "rg.exe" : "rg");
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 120_000,
  });
  if (!existsSync(binary)) throw new Error(`${name} does not hold ripgrep.`);
  return binary;
}

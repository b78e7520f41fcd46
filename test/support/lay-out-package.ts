import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launcher } from "./test-context.ts";

const script = fileURLToPath(new URL("../../scripts/bundle-start.ts", import.meta.url));

/** An installed package whose launcher writes down what it was started for before it does it. */
export interface LaidOutPackage {
  readonly started: () => Promise<string>;
  /** Lets the hooks of a home folder start this package from now on. */
  readonly install: (home: string) => Promise<void>;
}

/** Lays out a package that holds what answers a start: the real one, or other code in its place. */
export async function layOutPackage(root: string, code?: string): Promise<LaidOutPackage> {
  const [bin, cli] = [join(root, "bin"), join(root, "dist", "cli")];
  for (const each of [bin, cli]) await mkdir(each, { recursive: true });
  const [own, started] = [join(bin, "carryon.cjs"), join(root, "started")];
  const note = `require("fs").appendFileSync(${JSON.stringify(started)}, process.argv.slice(2).join(" ") + ";");`;
  await writeFile(own, `${note}\nrequire(${JSON.stringify(launcher)});\n`);
  if (code === undefined) {
    const child = spawn(process.execPath, [script, cli], { stdio: "inherit" });
    await once(child, "close");
  } else await writeFile(join(cli, "start.cjs"), code);
  return {
    started: () => readFile(started, "utf8").catch(() => ""),
    install: (home) => {
      const launch = JSON.stringify({ node: process.execPath, launcher: own });
      return writeFile(join(home, "bin", "carryon.json"), launch);
    },
  };
}

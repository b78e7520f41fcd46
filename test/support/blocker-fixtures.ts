import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { BlockerType } from "../../src/work/blocker.ts";

/** The output of a tool, with what it means. */
export interface BlockerFixture {
  readonly name: string;
  readonly command: string;
  readonly exitCode?: number;
  readonly failed?: boolean;
  readonly tool: string;
  readonly version?: string;
  readonly origin: "run here" | "recorded session" | "after the documentation" | "written";
  readonly expected: BlockerType | null;
  readonly output: string;
}

const folder = join(import.meta.dirname, "../fixtures/blockers");

/** Reads the outputs of failing or harmless commands: a line of JSON, then the output. */
export function readBlockerFixtures(kind: "failing" | "harmless"): readonly BlockerFixture[] {
  return globSync(join(folder, kind, "*.txt"))
    .sort()
    .map((path) => {
      const text = readFileSync(path, "utf8");
      const end = text.indexOf("\n");
      return { name: basename(path, ".txt"), ...JSON.parse(text.slice(0, end)), output: text.slice(end + 1) };
    });
}

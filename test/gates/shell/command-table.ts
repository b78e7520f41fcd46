import { readFileSync } from "node:fs";
import type { Verdict } from "../../../src/gates/shell/classification.ts";

export interface ExpectedCommand {
  readonly family: string;
  readonly verdict: Verdict;
  readonly command: string;
}

const folder = new URL("../../fixtures/shell-commands/", import.meta.url);

/** Reads the table of a file: a line a command behind its verdict, `⏎` for the end of a line, `==` before a family. */
function readCommands(file: string): readonly ExpectedCommand[] {
  let family = "";
  return readFileSync(new URL(file, folder), "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("== ")) family = line.slice(3);
      const [, verdict, command] = /^(reads|writes|unknown) +(.+)$/.exec(line) ?? [];
      return isVerdict(verdict) && command !== undefined
        ? [{ family, verdict, command: command.replaceAll("⏎", "\n") }]
        : [];
    });
}

const isVerdict = (text: string | undefined): text is Verdict =>
  text === "reads" || text === "writes" || text === "unknown";

/** Reads all tables. */
export const readAllCommands = (): readonly ExpectedCommand[] =>
  ["shell.txt", "programs.txt", "projects.txt", "trials.txt", "disguises.txt"].flatMap(readCommands);
